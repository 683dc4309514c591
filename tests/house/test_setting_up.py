"""What `make` installs for whom."""

import os
import subprocess

import pytest

from tests.house.source import ROOT


def _plan(target: str) -> str:
    """The commands that a target would run in a fresh checkout."""
    command = ["make", "--dry-run", "--always-make", target]
    done = subprocess.run(  # the shell's own search path: `make test` hands down its flags
        command, cwd=ROOT, env={"PATH": os.defpath}, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("target", "lock", "other"),
    [
        ("run", "requirements-run.lock", "requirements.lock"),
        ("chat", "requirements-run.lock", "requirements.lock"),
        ("check", "requirements.lock", "requirements-run.lock"),
        ("test", "requirements.lock", "requirements-run.lock"),
    ],
)
def test_what_only_developers_need_is_installed_for_them_alone(
    target: str, lock: str, other: str
) -> None:
    plan = _plan(target)

    assert plan.count(f"--require-hashes -r {lock} ") == 2, "with uv, or else with pip"
    assert f"--require-hashes -r {other} " not in plan


def test_an_environment_for_tests_is_one_to_run_too() -> None:
    _, _, touched = _plan("check").partition("touch ")

    assert touched.splitlines()[0].split() == [".venv/.installed-run", ".venv/.installed"]
