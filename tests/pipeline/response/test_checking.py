"""The finished answer compared with the record: sixty runs, each answered honestly and by a language model that lies."""

import pytest

from pipeline.domain import Done, Failed
from pipeline.ports import Llm
from pipeline.response import LlmResponder, PlainResponder, check, check_reply
from pipeline.response.checking import Checked
from pipeline.words import say, title
from tests.fakes.llm import FakeLlm
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import FILES, Recorded
from tests.pipeline.response.runs_badly import CONTRADICTIONS, EMPTY, FAILURES, HOSTILE
from tests.pipeline.response.runs_of_many import CHAIN, GRAPH
from tests.pipeline.response.runs_sly import POSTED, SLY
from tests.pipeline.response.runs_well import SINGLE

RUNS = (*SINGLE, *CHAIN, *GRAPH, *FAILURES, *CONTRADICTIONS, *EMPTY, *HOSTILE, *SLY, *POSTED)


async def answered(run: Recorded, text: str) -> Checked:
    asked = request(run.asked, *FILES)
    llm: Llm = FakeLlm([text])
    pieces = [piece async for piece in LlmResponder(llm).respond(asked, run.plan, run.outcomes)]
    return check("".join(pieces), asked, run.plan, run.outcomes)


def test_there_are_sixty_runs() -> None:
    assert len(RUNS) >= 60


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_an_honest_answer_goes_out_as_it_is(run: Recorded) -> None:
    checked = await answered(run, run.honest)

    assert checked.text == run.honest
    assert checked.notices == ()


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_a_lie_is_put_right_marked_or_taken_out(run: Recorded) -> None:
    checked = await answered(run, run.lie)

    assert [words for words in run.keeps if words not in checked.text] == [], checked.text
    assert [words for words in run.loses if words in checked.text] == [], checked.text
    assert ("(?)" in checked.text) == ("check-marked" in _ids(checked))
    assert "[…]" not in checked.text or "check-struck" in _ids(checked)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
async def test_the_plain_answer_needs_no_correction(run: Recorded) -> None:
    asked = request(run.asked, *FILES)
    pieces = [piece async for piece in PlainResponder().respond(asked, run.plan, run.outcomes)]
    checked = check("".join(pieces), asked, run.plan, run.outcomes)

    assert checked.notices == ()
    if run not in (*HOSTILE, *POSTED):
        assert checked.text == "".join(pieces)
    for words in run.loses:
        assert words not in checked.text or run not in HOSTILE


@pytest.mark.parametrize("run", FAILURES, ids=lambda run: run.name)
@pytest.mark.parametrize(
    "text",
    [
        "Everything went well.",
        "Alles gut.",
        "。",
        "The picture does not show a dog, and reading aloud in another voice is no problem.",
        "In das Bild wurde kein Text geschrieben.",
    ],
)
async def test_every_failure_is_told_whatever_the_language_model_says(
    run: Recorded, text: str
) -> None:
    checked = await answered(run, text)

    for task in run.plan.tasks:
        outcome = run.outcomes[task.id]
        if isinstance(outcome, Failed):
            assert say("en", outcome.reason) in checked.text
        if not isinstance(outcome, Done):
            assert title("en", task.kind.name) in checked.text


@pytest.mark.parametrize(
    "run", [run for run in RUNS if run not in HOSTILE], ids=lambda run: run.name
)
async def test_invented_numbers_names_and_addresses_never_go_out_unmarked(run: Recorded) -> None:
    lie = "I saw 977 of them, 12.75 %, “purple unicorns”, made by foo/bar-9b: x-77.png, https://e.test/q"

    checked = await answered(run, lie)

    assert checked.text.startswith(
        "I saw 977 (?) of them, 12.75 % (?), “purple unicorns” (?), made by foo/bar-9b (?): […], […]"
    )
    assert _ids(checked) == {"check-struck", "check-marked"}


async def test_an_answer_that_was_checked_is_not_changed_again() -> None:
    for run in RUNS:
        once = await answered(run, run.honest)
        assert (await answered(run, once.text)).text == once.text


def test_a_reply_without_tasks_names_no_file_and_pings_nobody() -> None:
    checked = check_reply("Hi @everyone, 3 tips: see tips.pdf, http://x.example", request("hi"))

    assert checked.text == "Hi @\u200beveryone, 3 tips: see […], […]"
    assert _ids(checked) == {"check-struck"}


def test_hostile_patterns_are_read_to_their_end() -> None:
    run = SINGLE[0]
    for piece in (
        "9" * 50,
        "a.",
        "[",
        "`",
        "“",
        "> ",
        "/a",
        "1,",
        "two ",
        "三",
        "hundert",
        "a hundred ",
    ):
        text = piece * (5_000 // len(piece))
        assert check(text, request(run.asked), run.plan, run.outcomes).text


def _ids(checked: Checked) -> set[str]:
    return {notice.id for notice in checked.notices}
