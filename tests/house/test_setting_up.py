"""What `make` installs for whom."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from bot import VERSION
from tests.house.source import PACKAGES, ROOT, read


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


def test_whatever_is_installed_is_pinned_with_a_hash_but_torch() -> None:
    installs = re.findall(r"pip install(.*)", read("Makefile"))
    dockerfile = re.findall(r"pip install(.*)", read("Dockerfile"))

    loose = [words for words in (*installs, *dockerfile) if "--require-hashes" not in words]

    assert {words.split()[-1] for words in loose if "--no-deps" not in words} == {"torch==2.13.0"}


def test_the_lock_of_the_expert_server_has_its_extras_and_what_torch_needs_without_torch() -> None:
    lock = read("requirements-local.lock")
    local = set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)(?= \\)", lock, re.MULTILINE))
    tested = dict(
        re.findall(r"^([\w.-]+)==([\w.]+)(?= \\)", read("requirements.lock"), re.MULTILINE)
    )

    assert {"transformers", "av", "diffusers", "accelerate"} <= local
    assert {"filelock", "typing-extensions", "setuptools", "sympy", "networkx", "jinja2"} <= local
    assert "torch" not in local
    assert {name: pins[name] for name in pins.keys() & tested} == {
        name: tested[name] for name in pins.keys() & tested
    }


def test_every_package_is_in_the_wheel_and_in_the_container() -> None:
    build = tomllib.loads(read("pyproject.toml"))["tool"]["hatch"]["build"]
    copied = re.findall(r"^COPY (\w+) (?=\1$)", read("Dockerfile"), re.MULTILINE)
    let_in = re.findall(r"^!(\w+)$", read(".dockerignore"), re.MULTILINE)

    assert set(build["targets"]["wheel"]["packages"]) == set(PACKAGES)
    assert set(copied) == set(PACKAGES)
    assert set(let_in) >= set(PACKAGES)


def test_every_image_that_the_container_is_built_from_is_named_by_its_digest() -> None:
    dockerfile = read("Dockerfile")

    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", dockerfile, re.MULTILINE))
    (base,) = set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)) - stages
    (name,) = re.findall(r"^ARG PYTHON=(\S+)", dockerfile, re.MULTILINE)

    assert base == "${PYTHON}"
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-bookworm@sha256:[0-9a-f]{64}", name)
    assert "# syntax=" not in dockerfile, "a frontend by its tag"


def test_the_container_writes_only_where_it_must_and_no_more_than_it_may() -> None:
    service = yaml.safe_load(read("compose.yaml"))["services"]["troupe"]

    assert service["read_only"]
    assert service["pids_limit"] == 1024
    assert [each.split(":size=")[0] for each in service["tmpfs"]] == ["/tmp", "/home/troupe"]


def test_the_service_is_that_of_the_guide() -> None:
    unit = read("packaging/troupe.service")
    guide = read("docs/operator-guide.md").partition("### As a service")[2].partition("\n### ")[0]
    paths = {"/opt/troupe", "/var/lib/troupe"}

    assert {path for path in paths if path in unit and path in guide} == paths
    assert "packaging/troupe.service" in guide
    for line in ("User=troupe", "NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077"):
        assert line in unit.splitlines()


@pytest.mark.program
def test_the_program_its_package_and_the_changelog_have_one_version() -> None:
    build = [sys.executable, "-m", "hatchling", "version"]

    package = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True)
    newest, *_ = re.findall(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)

    assert package.stdout.strip() == newest == VERSION
