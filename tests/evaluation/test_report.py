"""The report and the sheet of `troupe evaluate --suite`."""

import csv
import io
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bot.app import open_app
from bot.setting_sources import read_settings
from bot.settings import Settings
from evaluation.judging import JudgedTrial
from evaluation.report import list_figures, render_report, summarize
from evaluation.sheet import format_sheet, read_sheet
from evaluation.trials import SuiteTurn, Trial, read_paper_suite
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    Apologised,
    Attachment,
    Attempt,
    Choice,
    Chose,
    Done,
    Failed,
    FileHash,
    Finished,
    LocalizedText,
    Output,
    Plan,
    Planned,
    Price,
    Repair,
    RunId,
    TaskId,
    Text,
)
from pipeline.errors import FetchError, PlanError
from tests.fakes.places import HOSTED
from tests.fakes.stages import model, task

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
_VOID = {"meta", "img", "br", "hr"}


def _trial(text: str = "It is a cat.", *, cost: float | None = 0.002, done: bool = True) -> Trial:
    """A picture described by a hosted model."""
    turn = SuiteTurn("What is on it?", ("cat.png",), (("image-to-text",),))
    step, captioner = task(1, "image-to-text", image="cat.png"), model("captioner", "image-to-text")
    tried = (Attempt(model="captioner", place=HOSTED, took=1.5, cost=cost),)
    outcome = Done(
        Output({"text": Text(text)}), took=1.5, model=captioner, place=HOSTED, tried=tried
    )
    failed = Failed(LocalizedText("stopped"), tried)
    return Trial(
        request="1",
        number=1,
        turn=turn,
        events=(
            Planned(Plan((step,))),
            Chose(TaskId(1), Choice(captioner, LocalizedText("stopped"))),
            Finished(TaskId(1), outcome if done else failed),
            Answered(Answer(RunId("r"), text)),
        ),
        seconds=2.0,
        spent={"calls": 2, "prompt_tokens": 30, "completion_tokens": 7},
    )


def _judge(trial: Trial, **more: bool) -> JudgedTrial:
    return JudgedTrial(trial, {**trial.measure(), **more})


def test_a_plan_carried_out_by_the_chosen_models_passes() -> None:
    marks = _trial().measure()

    assert set(marks.values()) == {True}
    assert {"planning passes", "selection passes", "completed"} < set(marks)


def test_a_step_that_failed_fails_the_choice_not_the_plan() -> None:
    marks = _trial(done=False).measure()

    assert (marks["planning passes"], marks["selection passes"]) == (True, False)
    assert not marks["completed"]


def test_a_step_that_failed_and_was_mended_by_a_further_round_leaves_the_request_completed() -> (
    None
):
    trial = _trial(done=False)
    again = task(2, "image-to-text", image="cat.png")
    done = next(event for event in _trial().events if isinstance(event, Finished))
    assert isinstance(trial.events[0], Planned)
    planned = Planned(Plan((*trial.events[0].plan.tasks, again)))
    events = (*trial.events[:-1], planned, replace(done, task=TaskId(2)), trial.events[-1])
    mended = replace(trial, events=events, last_round=frozenset({TaskId(2)}))

    assert mended.measure()["completed"]
    assert not replace(mended, last_round=frozenset()).measure()["completed"]
    assert not replace(mended, last_round=frozenset({TaskId(1)})).measure()["completed"]


def test_a_step_done_by_a_fallback_fails_the_choice() -> None:
    trial = _trial()
    other = Chose(TaskId(1), Choice(model("better", "image-to-text"), LocalizedText("stopped")))

    marks = replace(trial, events=(*trial.events[:1], other, *trial.events[2:])).measure()

    assert (marks["selection passes"], marks["completed"]) == (False, True)


def test_a_plan_with_a_dropped_step_or_without_a_model_does_not_pass() -> None:
    trial = _trial()
    dropped = Repair(LocalizedText("stopped"), dropped=True)
    assert isinstance(trial.events[0], Planned)
    repaired = replace(trial.events[0], repairs=(dropped,))

    assert not replace(trial, events=(repaired, *trial.events[1:])).measure()["planning passes"]
    without = replace(trial, events=(trial.events[0], *trial.events[2:])).measure()
    assert not without["planning passes"]
    assert "selection passes" not in without


def test_a_plan_without_a_part_that_is_not_possible_does_not_pass() -> None:
    trial = _trial()
    answer = Answer(RunId("r"), "It says so.", notices=(LocalizedText("not-possible-here"),))

    marks = replace(trial, events=(*trial.events[:-1], Answered(answer))).measure()

    assert (marks["planning passes"], marks["completed"]) == (False, False)


def test_a_failed_run_passes_nothing() -> None:
    trial = replace(_trial(), events=(Apologised(LocalizedText("stopped"), "ref"),))

    assert set(trial.measure().values()) == {False}


def test_the_summary_counts_what_was_measured() -> None:
    trials = [_judge(_trial(), **{"response succeeds": True}), _judge(_trial(done=False))]

    summary = summarize(trials, {"calls": 3}, Price(1.0, 10.0))

    assert summary.rates["completed"].value == 50.0
    assert summary.rates["response succeeds"].requests == 1
    controller = {"calls": 4, "prompt_tokens": 60, "completion_tokens": 14}
    assert summary.spent == {"controller": controller, "judge": {"calls": 3}}
    assert summary.costs["experts"] == pytest.approx(0.004)
    assert summary.costs["controller"] == pytest.approx(0.0002)
    unknown = summarize([_judge(_trial(cost=None))], {}, None)
    assert unknown.costs == {"controller": None, "experts": None}
    figures = {row[0]: row[2] for row in list_figures(summary)}
    assert figures["time, median"] == "2.0 s"
    assert figures["experts, cost"] == "$0.0040"


@pytest.mark.program
async def test_the_report_is_well_formed_whole_and_harmless(tmp_path: Path) -> None:
    secrets = {"OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": "http://me:pw@127.0.0.1:9/v1"}
    settings = _settings(tmp_path, TROUPE_LLM_SECONDS="0.1", **secrets)
    async with open_app(settings) as app:
        hashed = await app.tools.files.put(b"no picture")
        judged = [_make_hostile(hashed)]
        summary, contents = summarize(judged, {}, None), read_paper_suite().contents
        page = await render_report(judged, summary, contents, app, HOSTILE)

    seen = _Tags()
    seen.feed(page)
    assert seen.open == []
    assert "script" not in seen.names
    assert {name for name in seen.attributes if name.startswith("on")} == set()
    assert all(each.startswith(("#", "data:")) for each in seen.addresses)
    assert any(each.startswith("data:image/") for each in seen.addresses)
    assert page.count("alert(1)") >= 5
    assert not [secret for secret in ("sk-secret", "me:pw", "127.0.0.1") if secret in page]


def _make_hostile(hashed: FileHash) -> JudgedTrial:
    """A trial with hostile text wherever text comes from models or people."""
    trial = _trial(HOSTILE)
    file = Attachment(hash=hashed, media_type="image/png", name=f"{HOSTILE}.png", size=10)
    made = AnswerFile(
        attachment=file, alt=HOSTILE, model=HOSTILE, kind="text-to-image", task=TaskId(1)
    )
    turn = SuiteTurn(HOSTILE, ("cat.png",), ())
    answer = Answer(RunId("r"), HOSTILE, files=(made,))
    trial = replace(trial, turn=turn, events=(*trial.events[:-1], Answered(answer)))
    return JudgedTrial(trial, trial.measure(), 10.0, {"plan": HOSTILE})


class _Tags(HTMLParser):
    """Keeps the tags that are open, and everything that could do harm."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_sheet_has_a_row_for_each_measure_and_comes_back_as_it_was_filled(
    tmp_path: Path,
) -> None:
    sheet = format_sheet([_judge(_trial("=1+1"))])
    rows = [*csv.DictReader(io.StringIO(sheet))]
    filled = [{**row, "annotator 1": "1", "annotator 2": " 0 "} for row in rows[:2]]
    path = tmp_path / "sheet.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as opened:
        writer = csv.DictWriter(opened, rows[0], delimiter=";")
        writer.writeheader()
        writer.writerows([*filled, *rows[2:]])

    agreements = read_sheet(path)

    assert [row["measure"] for row in rows] == [*agreements]
    assert len(rows) == 5
    assert rows[-1]["result"] == "'=1+1"
    first, second = agreements["planning passes"].rates
    assert first is not None
    assert second is not None
    assert (first.value, second.value) == (100.0, 0.0)
    assert agreements["planning passes"].agree == 0.0
    assert agreements["response succeeds"].rates == (None, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("measure,annotator 1\n", "sheet-no-column"),
        ("measure,annotator 1,annotator 2\ncompleted,1,x\n", "sheet-no-mark"),
    ],
)
def test_a_sheet_that_cannot_be_read_says_where(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "sheet.csv").write_text(text)

    with pytest.raises(PlanError, match=problem):
        read_sheet(tmp_path / "sheet.csv")
    with pytest.raises(FetchError, match="rows-not-read"):
        read_sheet(tmp_path / "gone.csv")


def _settings(home: Path, **more: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), **more})
