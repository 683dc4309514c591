"""Times, costs and details of steps, as the page shows them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.domain import (
    Answer,
    Answered,
    Attachment,
    Attempt,
    Choice,
    Chose,
    Comparison,
    Done,
    Finished,
    LocalizedText,
    Media,
    Model,
    Output,
    Place,
    Plan,
    Planned,
    Ref,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.adapters.web.asking import get, story
from tests.adapters.web.scene import WebScene, events_of, web_scene

HUB = Place(name="hosted", pages="https://hub.example")
WRITER = Model("org/writer", "text-generation", (HUB,), licence="apache-2.0")
SPEAKER = Model("plain-speaker", "text-to-speech", (HUB,))
WRITE = Task(TaskId(1), KINDS["text-generation"], {"text": (Text("a poem"),)})
SPEAK = Task(TaskId(2), KINDS["text-to-speech"], {"text": (Ref(TaskId(1), "text"),)})
SOUND = Attachment(hash="a" * 64, media_type="audio/wav", name="poem.wav", size=4)  # type: ignore[arg-type]
LONG = "word " * 5000


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


async def _answer(scene: WebScene) -> RunId:
    message, run = await scene.say("Tell me")
    paid = Attempt(model=WRITER.id, place=HUB, took=0.5, cost=0.002)
    failed = Attempt(model="x", place=HUB, took=0.5, error=LocalizedText("stopped"), cost=0.001)
    poem = Done(
        Output({"text": Text(LONG)}), took=1.0, model=WRITER, place=HUB, tried=(failed, paid)
    )
    spoken = Done(Output({"audio": Media(SOUND)}), took=2.0, model=SPEAKER, place=HUB)
    await scene.chat.follow(
        message,
        run,
        story(
            Planned(Plan((WRITE, SPEAK))),
            Chose(WRITE.id, Choice(WRITER, LocalizedText("chosen-only"), (SPEAKER,))),
            Started(WRITE.id, WRITER.id, HUB, at=0.25),
            Finished(WRITE.id, poem, at=1.25),
            Finished(SPEAK.id, spoken, at=3.5),
            Answered(Answer(run, "Here."), at=4.5),
        ),
    )
    return run


async def test_events_have_their_times_and_the_answer_the_whole(scene: WebScene) -> None:
    run = await _answer(scene)

    _, told = await get(scene, f"/api/runs/{run}")

    at = {event["type"]: event.get("at") for event in told["events"]}
    assert (at["started"], at["finished"], told["answer"]["took"]) == (0.25, 3.5, 4.5)


async def test_a_step_tells_what_is_known_to_have_been_paid_for_it(scene: WebScene) -> None:
    run = await _answer(scene)

    _, told = await get(scene, f"/api/runs/{run}")

    assert [outcome["cost"] for outcome in told["answer"]["outcomes"]] == [0.003, None]


async def test_who_follows_a_run_hears_when_it_began_and_what_it_waits_for(
    scene: WebScene,
) -> None:
    _, first = await scene.say("First")
    message, run = await scene.say("Tell me")
    again = RunId("again")  # of the first message, so that it comes before the second
    earlier = message.at - timedelta(seconds=30)
    scene.listener.received[1] = (replace(message, at=earlier), run)
    scene.listener.received.append((scene.listener.received[0][0], again))
    scene.records.waiting = [first, run, again]
    for each, ahead in ((first, ""), (again, first)):
        async with scene.page.get(f"/api/runs/{each}/events") as response:
            _, told = await anext(events_of(response))
        assert told["waits_for"] == ahead
    async with scene.page.get(f"/api/runs/{run}/events") as response:
        name, told = await anext(events_of(response))

    assert name == "accepted"
    assert told["waits_for"] == again
    assert told["elapsed"] >= 30
    assert told["elapsed"] <= (datetime.now(UTC) - earlier).total_seconds()


async def test_a_step_is_told_whole_with_where_its_inputs_came_from(scene: WebScene) -> None:
    run = await _answer(scene)

    _, first = await get(scene, f"/api/runs/{run}/steps/1")
    _, second = await get(scene, f"/api/runs/{run}/steps/2")

    assert first["inputs"] == [{"name": "text", "pieces": [{"text": "a poem"}]}]
    assert first["outputs"] == [{"name": "text", "text": LONG}]
    page = "https://hub.example/org/writer"
    assert first["model"] == {"id": WRITER.id, "licence": "apache-2.0", "page": page}
    assert [each["id"] for each in first["choice"]["runners_up"]] == [SPEAKER.id]
    assert first["outcome"]["state"] == "done"
    ((piece,),) = (each["pieces"] for each in second["inputs"])
    assert piece == {"step": 1, "slot": "text", "text": LONG}
    assert second["outputs"][0]["file"]["name"] == "poem.wav"
    assert (second["choice"], second["model"]["page"], second["dep"]) == (None, "", [1])


async def test_two_compared_results_come_apart_for_the_page(scene: WebScene) -> None:
    message, run = await scene.say("Tell me")
    results = ("**A** one\n\n> # Red\n>\n> roses", "**B** two")
    comparison = Comparison("text-generation", "one", "two", results)
    text = "\n\n".join(("A poem.", *results))
    answer = Answer(run, text, comparison=comparison)
    await scene.chat.follow(message, run, story(Answered(answer)))

    async with scene.page.get(f"/api/runs/{run}/events?html=1") as response:
        (*_, (_, told)) = [event async for event in events_of(response)]

    assert told["message"] == text
    assert told["html"] == "<p>A poem.</p>\n"
    assert told["comparison"]["results"] == [*results]
    assert told["comparison"]["html"] == ["<h1>Red</h1>\n<p>roses</p>\n", ""]


@pytest.mark.parametrize("step", ["3", "x", "-1", "9" * 30])
async def test_a_step_that_is_not_there_is_refused(scene: WebScene, step: str) -> None:
    run = await _answer(scene)

    status, told = await get(scene, f"/api/runs/{run}/steps/{step}")

    assert (status, told["type"].rpartition(":")[2]) == (404, "web-unknown-step")
