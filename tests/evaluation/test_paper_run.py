"""`troupe evaluate --suite paper` with a scripted controller and played experts."""

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.app import open_app
from bot.setting_sources import read_settings
from bot.settings import Settings
from evaluation.cli import app
from evaluation.sheet import read_sheet
from evaluation.suite_run import evaluate_app, evaluate_suite
from evaluation.trials import FOLDER, carry_out, read_paper_suite
from pipeline.domain import Planned
from pipeline.errors import FetchError
from tests.evaluation.paper_controller import LATER, PLANS, PaperController
from tests.fakes.known_experts import known_experts
from tests.fakes.outside import FakeWorkers
from tests.servers.experts import experts_at_work
from tests.servers.openai import Asked, openai_at_work

_ALL = 26


@pytest.mark.parametrize("given", [[], ["rows.jsonl", "--suite", "paper"]])
def test_one_input_is_needed(given: list[str]) -> None:
    result = CliRunner().invoke(app, ["evaluate", *given])

    assert result.exit_code == 2
    assert "--suite paper" in result.output


async def test_every_request_is_planned_completed_judged_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, sheet, controller = tmp_path / "report.html", tmp_path / "sheet.csv", PaperController()
    async with openai_at_work() as llm, experts_at_work(known_experts()) as experts:
        llm.reply = controller.reply
        settings = _settings(
            tmp_path,
            OPENAI_BASE_URL=llm.base,
            TROUPE_MODEL="scripted",
            TROUPE_JUDGE_MODEL="judge",
            TROUPE_EXPERTS_URL=experts.base,
            TROUPE_PERSON_PER_MINUTE="1",
        )
        async with open_app(settings, FakeWorkers()) as opened:
            await evaluate_app(opened, report=report, sheet=sheet, judge=True, as_json=True)

    summary = json.loads(capsys.readouterr().out)
    assert {(score["value"], score["requests"]) for score in summary["rates"].values()} == {
        (100.0, _ALL)
    }
    assert controller.planned == {message: 1 + (message in LATER) for message in PLANS}
    assert summary["spent"]["controller"]["calls"] == 2 * _ALL + len(LATER)
    assert summary["spent"]["judge"]["calls"] == 2 * _ALL
    answers_judged = [chat for chat in llm.chats if "You judge whether" in chat.text]
    assert sum(chat.images > 0 for chat in answers_judged) >= _count_turns_with(".png")
    page = report.read_text("utf-8")
    assert page.count("<article") == _ALL
    assert page.count("<audio") == _count_files(".mp3") + 5
    assert page.count("<video") == _count_files(".mp4") + 2
    assert len(read_sheet(sheet)) == 5


async def test_an_interrupted_run_reports_what_was_carried_out(tmp_path: Path) -> None:
    report, controller, run = tmp_path / "report.html", PaperController(), asyncio.current_task()
    assert run is not None

    def reply(asked: Asked) -> str:
        if len(controller.planned) == 3 and not run.cancelling():
            run.cancel()
        return controller.reply(asked)

    async with openai_at_work() as llm, experts_at_work(known_experts()) as experts:
        llm.reply = reply
        settings = _settings(tmp_path, OPENAI_BASE_URL=llm.base, TROUPE_EXPERTS_URL=experts.base)
        async with open_app(settings, FakeWorkers()) as opened:
            with pytest.raises(asyncio.CancelledError):
                await evaluate_app(opened, report=report, sheet=None, judge=False, as_json=True)
        run.uncancel()

    assert report.read_text("utf-8").count("<article") in (2, 3)


async def test_a_request_that_looks_first_knows_the_tasks_of_its_last_round(tmp_path: Path) -> None:
    (request,) = (each for each in read_paper_suite().requests if each.id == "24")
    async with openai_at_work() as llm, experts_at_work(known_experts()) as experts:
        llm.reply = PaperController().reply
        settings = _settings(tmp_path, OPENAI_BASE_URL=llm.base, TROUPE_EXPERTS_URL=experts.base)
        async with open_app(settings, FakeWorkers()) as opened:
            (trial,) = await carry_out(request, FOLDER, opened)

    planned = [event.plan for event in trial.events if isinstance(event, Planned)]
    first = {task.id for task in planned[0].tasks}
    assert trial.last_round
    assert trial.last_round == {task.id for task in planned[-1].tasks} - first


async def test_a_report_that_cannot_be_written_is_noticed_before_the_run(tmp_path: Path) -> None:
    report = tmp_path / "gone" / "report.html"

    with pytest.raises(FetchError, match="rows-not-written"):
        await evaluate_suite(
            _settings(tmp_path), report=report, sheet=None, judge=False, as_json=True
        )


def _settings(folder: Path, **more: str) -> Settings:
    own = {
        "TROUPE_HOME": str(folder / "home"),
        "TROUPE_PLACES": "local,embedded",
    }
    return read_settings({**own, **more})


def _count_turns_with(ending: str) -> int:
    turns = (turn for request in read_paper_suite().requests for turn in request.turns)
    return sum(any(name.endswith(ending) for name in turn.files) for turn in turns)


def _count_files(ending: str) -> int:
    turns = (turn for request in read_paper_suite().requests for turn in request.turns)
    return sum(name.endswith(ending) for turn in turns for name in turn.files)
