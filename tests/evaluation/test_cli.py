"""The commands that the evaluation adds to `troupe`, found by the installed entry point."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.program


@pytest.mark.parametrize("command", ["plan", "evaluate"])
def test_the_program_offers_the_commands_of_the_evaluation(command: str) -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "bot", command, "--help"], check=False, capture_output=True
    )

    assert helped.returncode == 0, helped.stderr


def test_the_program_starts_without_what_only_the_evaluation_needs() -> None:
    look = "import sys; from bot import app, cli; print('evaluation' in sys.modules)"

    looked = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True)

    assert looked.stdout == b"False\n"
