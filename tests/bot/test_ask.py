"""`troupe ask` and `troupe plan`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from adapters.store import exclusive, open_persistence
from bot.ask import ask_once, plan_once
from bot.logs import begin_logging
from bot.setting_sources import read_settings
from pipeline.domain import LocalizedText
from pipeline.words import say
from tests.words import english


@pytest.fixture(autouse=True)
def _logs_elsewhere() -> Iterator[None]:
    """As the command line does, so that logs are not part of the output."""
    before = structlog.get_config()
    begin_logging("error")
    yield
    structlog.configure(**before)


async def test_each_question_gets_its_own_answer_and_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read_settings({"TROUPE_HOME": str(tmp_path)})

    first = await ask_once(settings, "hello", (), as_json=False)
    greeting = capsys.readouterr().out
    second = await ask_once(settings, "thank you!", (), as_json=False)
    thanks = capsys.readouterr().out

    assert (first, second) == (0, 0)
    assert "Hello!" in greeting
    assert english("planner-welcome") in thanks
    assert "Hello!" not in thanks


@pytest.mark.parametrize("files", [(), ("not a sound.wav",)])
@pytest.mark.program
async def test_the_exit_status_says_that_nothing_was_done(
    files: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in files:
        (tmp_path / name).write_bytes(b"RIFF0000WAVE")
    settings = read_settings({"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "embedded"})
    text = "transcribe this recording" if files else "draw a cat"

    code = await ask_once(settings, text, [tmp_path / name for name in files], as_json=False)

    assert code == 1
    assert capsys.readouterr().out.strip()


async def test_a_file_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read_settings({"TROUPE_HOME": str(tmp_path)})

    await ask_once(settings, "describe this", (tmp_path / "gone.png",), as_json=False)

    told = capsys.readouterr().out
    assert "I could not use the file you sent" in told
    assert "gone.png was not used" in told


@pytest.mark.parametrize("as_json", [False, True])
async def test_a_plan_without_tasks_is_told_with_what_is_said_or_asked_instead(
    *, as_json: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "TROUPE_LLM_SECONDS": "0.1"}
    settings = read_settings({"TROUPE_HOME": str(tmp_path), **away})

    await plan_once(settings, "transcribe this recording", (), as_json=as_json)

    told = capsys.readouterr().out
    asked = say("en", LocalizedText("planner-lacks-file", {"type": "audio"}))
    assert asked in (json.loads(told)["reply"] if as_json else told)
    assert "127.0.0.1:9" in told
    assert "gpt-4.1-mini" not in told  # nobody chose it


async def test_a_question_is_answered_beside_the_serving_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read_settings({"TROUPE_HOME": str(tmp_path)})

    url = settings.database_url
    async with open_persistence(url), exclusive(url):
        code = await ask_once(settings, "hello", (), as_json=False)

    assert code == 0
    assert "Hello!" in capsys.readouterr().out
