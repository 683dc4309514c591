"""What Ray is told, and nobody let in, where a machine of the cluster lacks a setting."""

import subprocess
from pathlib import Path

import pytest

from tests.cluster.nodes import BIN, FILES, read_variables, require_ray
from tests.house.source import ROOT
from tests.words import english

PROGRAM = """
from bot.cluster import build, list_middleware
(front,) = list_middleware()
print(len(front.kwargs["token"]))
build({"table": "tests.adapters.local.played:TABLE", **ARGUMENTS})
"""


def _build(folder: Path, arguments: dict[str, object]) -> "subprocess.CompletedProcess[str]":
    require_ray()
    return subprocess.run(
        [BIN / "python", "-c", f"ARGUMENTS = {arguments!r}\n{PROGRAM}"],
        cwd=folder,
        env={**read_variables(FILES / "node.env"), "PYTHONPATH": str(ROOT), "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, english("cluster-token-missing")),
        (
            {"memory_mib": 3},
            english("cluster-arguments", problems="memory_mib: Extra inputs are not permitted"),
        ),
    ],
)
def test_ray_is_told_what_is_missing_and_nobody_is_let_in(
    arguments: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    built = _build(tmp_path, arguments)

    assert built.stderr.strip().endswith(f"RuntimeError: {sentence}")
    assert int(built.stdout) > 40  # a token that nobody knows
