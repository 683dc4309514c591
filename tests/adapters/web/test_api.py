import base64
from collections.abc import AsyncIterator
from dataclasses import replace
from urllib.parse import urlencode

import pytest

from pipeline.codec import dump
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Attachment,
    Attempt,
    Blob,
    Channel,
    Done,
    Event,
    Failed,
    Finished,
    Link,
    LocalizedText,
    Media,
    Model,
    NamedFile,
    Output,
    Person,
    Plan,
    Planned,
    Repair,
    Reply,
    Run,
    RunId,
    RunState,
    Select,
    SelectOption,
    Task,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import FetchError
from pipeline.task_kinds import KINDS
from tests.adapters.web.asking import answered, get, post, story, whole
from tests.adapters.web.scene import WebScene, events_of, web_scene
from tests.fakes.places import EMBEDDED
from tests.schemas import violations
from tests.words import english

SPEAKER = Model("plain-speaker", "text-to-speech", (EMBEDDED,))
TASK = Task(TaskId(1), KINDS["text-to-speech"], {"text": (Text("Hello"),)})


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene(max_file=10_000, max_body=20_000, max_files=3) as opened:
        yield opened


async def test_an_answer_has_words_files_outcomes_and_notices(scene: WebScene) -> None:
    sound = Attachment(
        hash=await scene.keep(b"RIFF"), media_type="audio/wav", name="a b.wav", size=4
    )
    made = Output({"audio": Media(sound)}, note="robotic")

    status, told = await answered(
        scene,
        {"text": "Say hello"},
        Planned(Plan((TASK,))),
        Finished(TASK.id, Done(made, took=0.25, model=SPEAKER, place=EMBEDDED)),
        whole(
            "Here it is.",
            AnswerFile(
                attachment=sound,
                alt="a voice says hello",
                model=SPEAKER.id,
                kind="text-to-speech",
                task=TASK.id,
            ),
            notices=(LocalizedText("stopped"),),
        ),
    )

    (message, run), *_ = scene.listener.received
    assert status == 200
    assert told["message"] == "Here it is."
    assert told["run"] == run
    assert told["thread"] == message.thread.root
    assert told["notices"] == ["Stopped."]
    assert told["actions"] == ["retry", "another", "details", "up", "down"]
    (file,) = told["files"]
    assert file["alt"] == "a voice says hello"
    assert file["model"] == SPEAKER.id
    assert file["url"] == f"/files/{sound.hash}/a%20b.wav"
    (outcome,) = told["outcomes"]
    assert outcome["kind"] == "text-to-speech"
    assert outcome["state"] == "done"
    assert outcome["result"] == {"audio": file["url"]}
    assert violations(outcome["result"], "text-to-speech", "output") == []


@pytest.mark.parametrize("prefer", ["respond-async", "wait=5, Respond-Async; x=1"])
async def test_who_asks_for_the_answer_later_gets_the_run_at_once(
    scene: WebScene, prefer: str
) -> None:
    headers = {"Prefer": prefer}
    async with scene.page.post("/api/chat", json={"text": "hi"}, headers=headers) as response:
        status, told, where = response.status, await response.json(), response.headers["Location"]
    ((message, run),) = scene.listener.received

    assert (status, told) == (202, {"run": run, "thread": message.thread.root})
    assert (await get(scene, where))[1]["live"] is True
    await scene.chat.follow(message, run, story(Answered(Answer(run, "x"))))
    assert (await get(scene, where))[1]["answer"]["message"] == "x"


async def test_files_in_json_are_kept_before_the_message_is_taken(scene: WebScene) -> None:
    body = {
        "text": "",
        "attachments": [
            {"name": "../../a.txt", "data_base64": base64.b64encode(b"hello").decode()},
            {"url": "http://files.example/dir/cat%20one.png"},
        ],
    }
    scene.fetch.files = {"http://files.example/dir/cat%20one.png": Blob(b"png", "image/png")}

    await answered(scene, body, whole())

    ((message, _),) = scene.listener.received
    first, second = message.files
    assert first.name == "a.txt"
    assert (await scene.chat.download(first)).data == b"hello"
    assert second.name == "cat one.png"
    assert (await scene.chat.download(second)).data == b"png"


async def test_a_follow_up_stays_in_its_thread(scene: WebScene) -> None:
    _, first = await answered(scene, {"text": "one"}, whole())

    _, second = await answered(scene, {"text": "two", "thread": first["thread"]}, whole())

    assert second["thread"] == first["thread"]
    assert scene.listener.received[0][0].thread == scene.listener.received[1][0].thread


async def test_nobody_else_gets_into_a_thread_or_at_a_run(scene: WebScene) -> None:
    _, first = await answered(scene, {"text": "one"}, whole())
    thread, run = first["thread"], first["run"]
    scene.page.cookie_jar.clear()
    async with scene.page.get("/"):  # another browser
        pass

    assert (await post(scene, "/api/chat", {"text": "hi", "thread": thread}))[0] == 404
    assert (await get(scene, f"/api/threads/{thread}"))[0] == 404
    assert (await get(scene, f"/api/runs/{run}"))[0] == 404
    assert (await post(scene, f"/api/runs/{run}/stop", {}))[0] == 404
    assert scene.listener.presses == []


async def test_programs_without_cookies_go_on_by_the_name_of_the_thread(scene: WebScene) -> None:
    scene.page.cookie_jar.clear()

    _, first = await answered(scene, {"text": "one"}, whole())
    status, second = await answered(scene, {"text": "two", "thread": first["thread"]}, whole())

    assert status == 200
    assert second["thread"] == first["thread"]


@pytest.mark.parametrize(
    ("reason", "status"), [("stopped", 409), ("apology-bug", 500), ("over-limit-person", 429)]
)
async def test_an_apology_is_an_error_with_its_reference(
    scene: WebScene, reason: str, status: int
) -> None:
    got, told = await answered(
        scene,
        {"text": "x"},
        Apologised(LocalizedText(reason, {"reference": "R", "limit": 3, "seconds": 20}), "R-1"),
    )

    assert got == told["status"] == status
    assert told["type"] == f"urn:troupe:problem:{reason}"
    assert told["reference"] == "R-1"
    assert told["error"] == told["detail"] != ""
    assert told["run"] == scene.listener.received[0][1]


async def test_a_run_that_breaks_off_is_told(scene: WebScene) -> None:
    status, told = await answered(scene, {"text": "x"}, Planned(Plan((TASK,))))

    assert status == 503
    assert "stopped before" in told["error"]


async def test_events_come_as_they_happen_and_to_those_who_come_late(scene: WebScene) -> None:
    message, run = await scene.say("Tell me")
    events = (Planned(Plan((TASK,))), AnswerPart("**A"), AnswerPart("**"))
    await scene.chat.follow(message, run, story(*events, Answered(Answer(run, "**A**"))))

    async with scene.page.get(f"/api/runs/{run}/events?html=1") as response:
        told = [event async for event in events_of(response)]

    assert [name for name, _ in told] == [
        "accepted",
        "planned",
        "answer_part",
        "answered",
        "answer",
    ]
    assert told[2][1]["text"] == "**A**"
    assert told[4][1]["html"] == "<p><strong>A</strong></p>\n"
    assert told[1][1]["tasks"][0]["task"] == "text-to-speech"


async def test_an_option_is_chosen_by_its_value(scene: WebScene) -> None:
    message, run = await scene.say("Tell me")
    option = SelectOption("1 org/one", "org/one", "1 Picture")
    scene.listener.reply = Reply("Fine", select=Select(Action.CHOOSE, run, (option,)))

    _, told = await post(scene, f"/api/runs/{run}/details", {})
    query = urlencode({"value": told["select"]["options"][0]["value"]})
    await post(scene, f"/api/runs/{run}/{told['select']['action']}?{query}", {})
    await scene.chat.follow(message, run, story())

    assert told["select"]["label"] == english("button-choose")
    assert told["select"]["options"][0]["group"] == "1 Picture"
    assert [(each.action, each.value) for each in scene.listener.presses] == [
        (Action.DETAILS, ""),
        (Action.CHOOSE, "1 org/one"),
    ]


async def test_buttons_are_pressed_by_their_owner(scene: WebScene) -> None:
    message, run = await scene.say("Tell me")
    scene.listener.reply = Reply("**Fine**", run=RunId("run-next"))
    scene.listener.received.append((message, RunId("run-next")))

    status, told = await post(scene, f"/api/runs/{run}/retry", {})
    unknown, _ = await post(scene, f"/api/runs/{run}/explode", {})

    assert (status, told["html"], told["run"]) == (
        200,
        "<p><strong>Fine</strong></p>\n",
        "run-next",
    )
    (press,) = scene.listener.presses
    assert (press.action, press.run, press.thread) == (Action.RETRY, run, message.thread)
    assert unknown == 404
    assert (await get(scene, "/api/runs/run-next"))[1]["live"] is True
    await scene.chat.follow(message, run, story())
    await scene.chat.follow(message, RunId("run-next"), story())


async def test_a_plan_is_made_and_nothing_else(scene: WebScene) -> None:
    status, told = await post(scene, "/api/plan", {"text": "Say hello"})

    assert (status, told) == (
        200,
        {"tasks": [], "repairs": [], "reply": "Hello!", "notices": []},
    )
    assert [message.text for message in scene.asked] == ["Say hello"]
    assert scene.listener.received == []


async def test_a_conversation_is_there_again_after_a_restart(scene: WebScene) -> None:
    message, run = await scene.say("Say hello", Blob(b"data", "text/plain", "a.txt"))
    await scene.chat.follow(message, run, story(Answered(Answer(run, "x"))))
    file = NamedFile(
        "file 1",
        Attachment(hash=await scene.keep(b"data"), media_type="text/plain", name="a.txt", size=4),
    )
    me = Person(message.person.id, "you")
    scene.records.turns.append(
        (
            message.thread,
            Turn(key=message.key, person=me, text="Say hello", files=(file,), at=message.at),
        )
    )
    old = RunId("run-before")
    answer = Answer(old, "**Hello.**")
    record = Run(
        id=old,
        thread=message.thread.key,
        person=me.id,
        text="Say hello",
        state=RunState.ANSWERED,
        answer=answer,
    )
    record = replace(record, message=message.key)
    scene.records.kept.append((message.thread, record))
    scene.records.told[old] = [dump(Planned(Plan((TASK,))), Event), dump(Answered(answer), Event)]

    _, told = await get(scene, f"/api/threads/{message.thread.root}?at=run-before")

    (first,) = told["runs"]
    assert (first["run"], first["text"], first["live"]) == ("run-before", "Say hello", False)
    assert (first["answers"], first["again"]) == (["run-before", run], False)
    assert (first["files"][0]["name"], first["files"][0]["called"]) == ("a.txt", "file 1")
    assert first["at"] == message.at.isoformat()
    assert first["answer"]["html"] == "<p><strong>Hello.</strong></p>\n"
    assert first["events"][0]["type"] == "planned"


async def test_a_run_of_the_store_alone_is_told_from_its_record(scene: WebScene) -> None:
    message, run = await scene.say("hello")
    await scene.chat.follow(message, run, story(Answered(Answer(run, "x"))))
    outcomes = {
        TASK.id: Done(Output({"text": Text("Hi")}), took=0.1, model=SPEAKER, place=EMBEDDED)
    }
    old = RunId("run-old")
    record = Run(
        id=old,
        thread=message.thread.key,
        person="p",
        text="hello",
        state=RunState.STOPPED,
        plan=Plan((TASK,)),
        outcomes=outcomes,
    )
    scene.records.kept.append((message.thread, record))

    status, told = await get(scene, "/api/runs/run-old")

    assert status == 200
    assert [event["type"] for event in told["events"]] == ["planned", "finished", "apologised"]
    assert told["answer"]["error"] == "Stopped."


async def test_a_stored_run_is_told_whose_sentences_this_program_no_longer_has(
    scene: WebScene,
) -> None:
    message, run = await scene.say("hello")
    await scene.chat.follow(message, run, story(Answered(Answer(run, "x"))))
    gone = LocalizedText("sentence-of-old")
    attempt = Attempt(model="m", place=EMBEDDED, took=0.1, error=gone)
    record = Run(
        id=RunId("run-old"),
        thread=message.thread.key,
        person="p",
        text="hello",
        state=RunState.ANSWERED,
        plan=Plan((TASK,)),
        repairs=(Repair(LocalizedText("sentence-of-old", {"why": gone})),),
        outcomes={TASK.id: Failed(gone, (attempt,))},
        answer=Answer(RunId("run-old"), "x", notices=(gone,)),
    )
    scene.records.kept.append((message.thread, record))

    status, told = await get(scene, "/api/runs/run-old")
    _, conversation = await get(scene, f"/api/threads/{message.thread.root}?at=run-old")

    assert status == 200
    assert told["answer"]["notices"] == [english("sentence-unknown")]
    (failed,) = [event for event in told["events"] if event["type"] == "finished"]
    assert failed["reason"] == failed["tried"][0]["error"] == english("sentence-unknown")
    assert "run-old" in [each["run"] for each in conversation["runs"]]


async def test_runs_of_other_platforms_are_not_told_here(scene: WebScene) -> None:
    record = Run(
        id=RunId("run-slack"),
        thread="slack:T:C:1.2",
        person="U",
        text="secret",
        state=RunState.ANSWERED,
    )
    message, run = await scene.say("hello")
    await scene.chat.follow(message, run, story())
    scene.records.kept.append((Thread(Channel("slack", "T", "C"), "1.2"), record))

    assert (await get(scene, "/api/runs/run-slack"))[0] == 404


async def test_a_file_that_is_gone_cannot_be_downloaded(scene: WebScene) -> None:
    with pytest.raises(FetchError):
        await scene.chat.download(Link("file:" + "0" * 64, "a"))


async def test_health_readiness_and_figures_are_told(scene: WebScene) -> None:
    assert await get(scene, "/healthz") == (200, {"status": "ok"})
    assert await get(scene, "/readyz") == (200, {"status": "ready"})
    async with scene.page.get("/metrics") as response:
        text = await response.text()
    assert 'troupe_web_requests_total{route="/healthz",status="200"} 1.0' in text
