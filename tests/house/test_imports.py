"""Nothing happens at import."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.program

_LOOK = """
import json, sys
from adapters.embedded.experts import expert
from bot import app, cli, commands, conversation, serve
from pipeline import words
print(json.dumps([words._read_entries.cache_info().currsize, *sys.modules]))
"""
_HEAVY = {
    "adapters.embedded.experts.tables",
    "adapters.embedded.planner",
    "adapters.media.describing",
    "adapters.media.queries",
    "alembic",
    "av",
    "discord",
    "duckdb",
    "huggingface_hub",
    "markdown_it",
    "numpy",
    "openai",
    "PIL",
    "slack_sdk",
    "sqlalchemy.orm",
}


@pytest.fixture(scope="module")
def at_start() -> tuple[int, set[str]]:
    """How many languages are read, and what is imported, when the program starts."""
    looked = subprocess.run([sys.executable, "-c", _LOOK], check=True, capture_output=True)
    languages, *modules = json.loads(looked.stdout)
    return languages, set(modules)


def test_no_words_are_read_until_something_is_said(at_start: tuple[int, set[str]]) -> None:
    languages, _ = at_start

    assert languages == 0


def test_what_not_every_start_needs_is_not_imported_at_the_start(
    at_start: tuple[int, set[str]],
) -> None:
    _, modules = at_start

    assert "bot.app" in modules
    assert modules & _HEAVY == set()


_LOOK_IN_WORKER = """
import sys
from adapters.embedded.experts import document_questions, sentiment
from adapters.media import describing, editing, queries
from adapters.workers import process
print(*sys.modules)
"""


_LOOK_AT_PICTURE = """
import io, sys
from PIL import Image
from adapters.media import describing
from adapters.media.bounds import Bounds
from pipeline.domain import Blob
file = io.BytesIO()
Image.new("RGB", (8, 8)).save(file, "PNG")
assert "picture" in describing.describe(Blob(file.getvalue(), ""), Bounds()).description
print(*sys.modules)
"""


def test_a_picture_is_read_by_its_own_decoder_alone() -> None:
    command = [sys.executable, "-c", _LOOK_AT_PICTURE]
    looked = subprocess.run(command, check=True, capture_output=True, text=True)

    others = {"av", "email.policy", "pillow_heif", "PIL.EpsImagePlugin", "PIL.TiffImagePlugin"}
    assert set(looked.stdout.split()) & others == set()


def test_a_worker_process_imports_only_what_runs_in_it() -> None:
    command = [sys.executable, "-c", _LOOK_IN_WORKER]
    looked = subprocess.run(command, check=True, capture_output=True, text=True)

    assert set(looked.stdout.split()) & {"asyncio", "pipeline.ports", "structlog"} == set()
