"""Faults of experts and the language model: each request completes or explains why not.

A refused key closes a place for minutes, so that is tested where each test has a place of its own.
"""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import FormData, StreamReader

from tests.e2e.visitor import Stage, planned, programs_stage
from tests.fakes.jobs import picture
from tests.servers.experts.faults import Fault
from tests.servers.experts.server import EVER
from tests.servers.openai.faults import Fault as LlmFault
from tests.servers.openai.server import Asked
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="module")

PACE = {
    "TROUPE_ATTEMPT_SECONDS": "0.4",
    "TROUPE_TASK_SECONDS": "2",
    "TROUPE_LLM_SECONDS": "2.4",
    "TROUPE_REQUEST_SECONDS": "20",
}
FIRST, SECOND = "Salesforce/blip-image-captioning-large", "Salesforce/blip-image-captioning-base"
EVER_BUSY = 50
ALOUD = [
    planned(0, "image-to-text", image="image 1"),
    planned(1, "text-to-speech", 0, text="<GENERATED>-0"),
    planned(2, "image-classification", image="image 1"),
]
AGAIN_HERE = (Fault.LOADING, Fault.BROKEN, Fault.DROPPED)
NEXT_MODEL = (
    Fault.GATED,
    Fault.GONE,
    Fault.GARBAGE,
    Fault.OTHER_JSON,
    Fault.PAGE,
    Fault.HANG,
    Fault.DRIP,
)
REASONS = {
    Fault.LOADING: f"{FIRST} is still loading.",
    Fault.TOO_MANY: f"{FIRST} is overloaded at the moment.",
    Fault.BROKEN: f"{FIRST} failed (status 500).",
    Fault.GARBAGE: f"{FIRST} sent an answer that can't be read.",
    Fault.PAGE: f"{FIRST} sent an answer that can't be read.",
    Fault.DROPPED: f"{FIRST} could not be reached.",
    Fault.UNFIT: f"{FIRST} rejected this input.",
    Fault.HANG: "It took longer than 0.",
}
TOLD = {
    LlmFault.BUSY: "is overloaded at the moment",
    LlmFault.BUSY_LONG: "is overloaded at the moment",
    LlmFault.QUOTA: "no credit left for gpt-4.1-mini",
    LlmFault.BROKEN: "failed",
    LlmFault.KEY: "access key for gpt-4.1-mini was refused",
    LlmFault.GONE: "does not exist there",
    LlmFault.TOO_LONG: "the request is too long",
    LlmFault.PAGE: "sent an answer that can't be read",
    LlmFault.NONSENSE: "sent an answer that can't be read",
    LlmFault.SILENT: "sent an answer that can't be read",
    LlmFault.FILTERED: "refused the content",
    LlmFault.DROPS: "could not be reached",
    LlmFault.DROPS_LATE: "could not be reached",
    LlmFault.HANGS: "did not answer in time",
}


LASTING = (LlmFault.QUOTA, LlmFault.KEY)
"""After these the language model is left alone for minutes."""
PASSING = [fault for fault in TOLD if fault not in LASTING]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with programs_stage(tmp_path_factory.mktemp("home"), **PACE) as running:
        yield running


@pytest.fixture
def on(scene: Stage) -> Stage:
    """The stage without faults."""
    scene.experts.mended()
    scene.experts.asked.clear()
    scene.llm.mended()
    scene.llm.asked.clear()
    scene.plans(*ALOUD, reply="All done.")
    return scene


async def ask(on: Stage) -> dict[str, Any]:
    return await on.troupe.ask("describe it aloud", picture(), anew=True)


def states(answer: dict[str, Any]) -> list[str]:
    return [outcome["state"] for outcome in answer["outcomes"]]


def tried(answer: dict[str, Any]) -> list[str]:
    return [attempt["model"] for attempt in answer["outcomes"][0]["tried"]]


@pytest.mark.parametrize("fault", AGAIN_HERE)
async def test_an_expert_that_is_away_for_a_moment_is_asked_again(on: Stage, fault: Fault) -> None:
    on.experts.goes_wrong(fault, on=FIRST)

    answer = await ask(on)

    assert states(answer) == ["done"] * 3
    assert tried(answer) == [FIRST, FIRST]


@pytest.mark.parametrize("fault", NEXT_MODEL)
async def test_an_expert_that_will_not_do_is_replaced_by_the_next_model(
    on: Stage, fault: Fault
) -> None:
    on.experts.goes_wrong(fault, on=FIRST, times=EVER)

    answer = await ask(on)

    assert states(answer) == ["done"] * 3
    assert tried(answer) == [FIRST, SECOND]


@pytest.mark.parametrize("fault", REASONS)
async def test_when_no_model_does_it_the_reason_is_told_and_only_what_needs_it_is_skipped(
    on: Stage, fault: Fault
) -> None:
    on.experts.goes_wrong(fault, on="image-to-text", times=EVER)
    on.llm.reply = _gone_after_the_plan(on)

    answer = await ask(on)

    assert states(answer) == ["failed", "skipped", "done"]
    failed, skipped = answer["notices"][:2]
    assert REASONS[fault] in failed
    assert answer["outcomes"][0]["reason"] in failed
    assert skipped != failed
    assert "tabby" in answer["message"]


async def test_the_language_model_is_told_what_failed_and_what_was_skipped(on: Stage) -> None:
    on.experts.goes_wrong(Fault.BROKEN, on="image-to-text", times=EVER)

    answer = await ask(on)

    assert answer["message"].startswith("All done.")
    assert "failed (status 500)" in on.llm.chats[-1].text
    assert '"skipped":"needs task 0 (image-to-text)"' in on.llm.chats[-1].text


@pytest.mark.parametrize("fault", PASSING)
async def test_the_built_in_pair_takes_over_from_a_language_model_that_is_gone_and_says_so(
    on: Stage, fault: LlmFault
) -> None:
    on.llm.goes_wrong(fault, times=EVER_BUSY)

    answer = await on.troupe.ask("describe this picture", picture(), anew=True)

    assert [outcome["kind"] for outcome in answer["outcomes"]] == ["image-to-text"]
    assert answer["message"].startswith("a cat on a red sofa")
    assert TOLD[fault] in "".join(answer["notices"])
    assert "so the built-in planner answered this" in "".join(answer["notices"])


@pytest.mark.parametrize("fault", PASSING)
async def test_a_language_model_that_is_gone_after_the_plan_costs_only_its_words(
    on: Stage, fault: LlmFault
) -> None:
    on.llm.reply = _gone_after_the_plan(on, fault)

    answer = await ask(on)

    assert states(answer) == ["done"] * 3
    assert "a cat on a red sofa" in answer["message"]
    assert TOLD[fault] in "".join(answer["notices"])
    assert "so the bot wrote this answer itself" in "".join(answer["notices"])


@pytest.mark.parametrize("fault", LASTING)
async def test_a_language_model_that_refuses_the_account_is_asked_only_once(
    tmp_path: Path, fault: LlmFault
) -> None:
    async with programs_stage(tmp_path, **PACE) as on:
        on.llm.goes_wrong(fault, times=EVER_BUSY)

        for _ in range(2):
            answer = await on.troupe.ask("describe this picture", picture(), anew=True)

            assert answer["message"].startswith("a cat on a red sofa")
            assert TOLD[fault] in "".join(answer["notices"])
        assert len(on.llm.chats) == 1


@pytest.mark.parametrize("fault", [LlmFault.BUSY, LlmFault.BROKEN, LlmFault.LOADING])
async def test_a_language_model_that_is_away_for_a_moment_is_asked_again(
    on: Stage, fault: LlmFault
) -> None:
    on.llm.goes_wrong(fault)

    answer = await ask(on)

    assert answer["message"].startswith("All done.")
    assert answer["notices"] == []


@pytest.mark.parametrize(
    "nonsense",
    [
        "asdf qwer",
        "{" * 500,
        "null",
        '{"reply": "", "tasks": []}',
        "<html><body>Bad gateway</body></html>",
        '{"tasks": [{"task": "make-coffee", "id": 0, "dep": [-1], "args": {}}]}',
    ],
)
async def test_a_plan_that_makes_no_sense_is_replaced_by_the_built_in_one(
    on: Stage, nonsense: str
) -> None:
    on.llm.reply = lambda _asked: nonsense

    answer = await on.troupe.ask("describe this picture", picture(), anew=True)

    assert states(answer) == ["done"]
    assert answer["message"].startswith("a cat on a red sofa")
    assert answer["notices"] == [english("fallback-plan")]


async def test_when_everything_hangs_the_request_ends_at_its_deadline(on: Stage) -> None:
    on.llm.goes_wrong(LlmFault.HANGS, times=EVER_BUSY)
    on.experts.goes_wrong(Fault.HANG, times=EVER)

    answer = await on.troupe.ask("describe this picture", picture(), anew=True)

    assert states(answer) == ["failed"]
    assert any(answer["outcomes"][0]["reason"] in notice for notice in answer["notices"])


async def test_a_stop_in_the_middle_ends_the_run_and_leaves_no_call_to_an_expert(on: Stage) -> None:
    on.experts.latency = 30

    async with _asked(on) as events:
        run = (await anext(events))[1]["run"]
        async for name, _ in events:
            if name == "started":
                break
        async with asyncio.timeout(2):
            await on.troupe.session.post(f"{on.troupe.address}/api/runs/{run}/stop")
            told = [event async for event in events]
            await on.experts.quiet.wait()

    on.experts.latency = 0
    assert told[-1][0] == "answer"
    assert told[-1][1]["error"] == "Stopped."
    assert (await ask(on))["message"].startswith("All done.")


def _gone_after_the_plan(on: Stage, fault: LlmFault = LlmFault.GONE) -> Any:
    """A language model that plans, then fails for the answer."""

    def said(_asked: Asked) -> str:
        on.llm.goes_wrong(fault, times=EVER_BUSY)
        return json.dumps(ALOUD)

    return said


@asynccontextmanager
async def _asked(on: Stage) -> AsyncIterator[AsyncIterator[tuple[str, dict[str, Any]]]]:
    """A request with streamed events."""
    form = FormData({"text": "describe it aloud"})
    form.add_field("file", io.BytesIO(picture().data), filename="picture.png")
    headers = {"Accept": "text/event-stream"}
    address = f"{on.troupe.address}/api/chat"
    async with on.troupe.session.post(address, data=form, headers=headers) as response:
        yield _read(response.content)


async def _read(lines: StreamReader) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    name = ""
    async for line in lines:
        field, _, value = line.decode().strip().partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
