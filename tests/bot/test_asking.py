"""One question on the command line."""

import json
from pathlib import Path

import pytest

from bot.asking import ask_once, plan_once
from bot.settings import read


async def test_each_question_gets_its_own_answer_and_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read({"TROUPE_HOME": str(tmp_path)})

    first = await ask_once(settings, "hello", (), as_json=False)
    greeting = capsys.readouterr().out
    second = await ask_once(settings, "thank you!", (), as_json=False)
    thanks = capsys.readouterr().out

    assert (first, second) == (0, 0)
    assert "Hello!" in greeting
    assert "You're welcome!" in thanks
    assert "Hello!" not in thanks


async def test_a_file_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = read({"TROUPE_HOME": str(tmp_path)})

    await ask_once(settings, "describe this", (tmp_path / "gone.png",), as_json=False)

    told = capsys.readouterr().out
    assert "I could not use the file you sent" in told
    assert "gone.png was not used" in told


@pytest.mark.parametrize("as_json", [False, True])
async def test_a_plan_without_tasks_is_told_with_what_is_said_or_asked_instead(
    *, as_json: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "TROUPE_LLM_SECONDS": "0.1"}
    settings = read({"TROUPE_HOME": str(tmp_path), **away})

    await plan_once(settings, "transcribe this recording", (), as_json=as_json)

    told = capsys.readouterr().out
    assert "I need a recording" in (json.loads(told)["reply"] if as_json else told)
    assert "planned and answered this with what is built in" in told
