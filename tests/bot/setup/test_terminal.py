"""`troupe setup` does in the terminal what the panel does, and never shows what is secret."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner, Result

from bot.cli import app
from tests.servers.openai import OpenAiServer, openai_at_work
from tests.words import english

KEY = "sk-a-key-of-a-test-123"
pytestmark = pytest.mark.program


@pytest.fixture
def address() -> Iterator[str]:
    """That of a language model, which answers while a command runs its own loop."""
    server, ready, loop = OpenAiServer(), threading.Event(), asyncio.new_event_loop()
    over = asyncio.Event()

    async def play() -> None:
        async with openai_at_work(server):
            ready.set()
            await over.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(play(),))
    thread.start()
    ready.wait(10)
    yield server.base
    loop.call_soon_threadsafe(over.set)
    thread.join()
    loop.close()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(
        f"TROUPE_HOME={tmp_path}/home\nTROUPE_LLM_NEARBY=http://127.0.0.1:9\nTROUPE_WORKERS=1\n"
    )
    before = structlog.get_config()
    yield
    structlog.configure(**before)


def _set_up(*words: str, entered: str = "") -> Result:
    return CliRunner().invoke(app, ["setup", *words], input=entered)


def test_a_key_from_standard_input_is_saved_and_undone(address: str, tmp_path: Path) -> None:
    saved = _set_up("key", "--stdin", "--address", address, entered=f"{KEY}\n")
    text = (tmp_path / ".env").read_text()
    undone = _set_up("undo")
    again = _set_up("undo")

    assert (saved.exit_code, undone.exit_code, again.exit_code) == (0, 0, 1)
    assert text.endswith(f"OPENAI_BASE_URL={address}\nOPENAI_API_KEY={KEY}\n")
    assert KEY not in saved.output + undone.output + (tmp_path / ".env").read_text()


def test_a_key_that_does_not_work_is_not_saved(tmp_path: Path) -> None:
    before = (tmp_path / ".env").read_text()

    refused = _set_up("key", "--stdin", "--address", "http://127.0.0.1:9/v1", entered=f"{KEY}\n")

    assert refused.exit_code == 1
    assert "FIX" in refused.output
    assert english("page-setup-not-written") in refused.output
    assert (tmp_path / ".env").read_text() == before


def test_questions_lead_to_a_key_in_use(address: str, tmp_path: Path) -> None:
    answered = _set_up(entered=f"1\n{KEY}\n\nother\n{address}\n0\n")

    assert answered.exit_code == 0
    assert english("setup-llm-off") in answered.output
    assert english("setup-type-service") in answered.output
    assert english("setup-llm-on", model="gpt-4.1-mini", sees="yes") in answered.output
    assert KEY in (tmp_path / ".env").read_text()
    assert KEY not in answered.output


def test_questions_end_with_the_input() -> None:
    assert _set_up(entered="").exit_code == 1
