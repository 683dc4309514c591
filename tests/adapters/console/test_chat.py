import asyncio
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.console.chat import ConsoleChat
from adapters.console.screen import clean
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Attachment,
    Attempt,
    Choice,
    Chose,
    Event,
    Failed,
    FellBack,
    Finished,
    Incoming,
    LocalizedText,
    Model,
    Plan,
    Planned,
    Progressed,
    RunId,
    Skipped,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.errors import NotAllowed
from pipeline.task_kinds import KINDS
from tests.adapters.console.scene import ConsoleScene, console_scene
from tests.fakes.persistence import FakeLedger
from tests.fakes.places import EMBEDDED, HOSTED
from tests.words import english

SPEAKER = Model("plain-speaker", "text-to-speech", (EMBEDDED,))
ONE = Task(TaskId(1), KINDS["text-to-speech"], {"text": (Text("Hello"),)})
TWO = Task(TaskId(2), KINDS["text-to-speech"], {"text": (Text("Bye"),)})


@pytest.fixture(params=[False, True], ids=["pipe", "terminal"])
async def scene(request: pytest.FixtureRequest) -> AsyncIterator[ConsoleScene]:
    async with console_scene(terminal=request.param) as opened:
        yield opened


async def story(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def test_a_run_is_told_to_its_end_good_or_bad(scene: ConsoleScene) -> None:
    message, run = await scene.say("Say hello and bye")
    failure = LocalizedText("task-too-long", {"seconds": 60})
    attempt = Attempt(model="other", place=HOSTED, took=0.1, error=failure)

    await scene.chat.follow(
        message,
        run,
        story(
            Planned(Plan((ONE, TWO))),
            Chose(ONE.id, Choice(SPEAKER, LocalizedText("chosen-only"))),
            Started(ONE.id, SPEAKER.id, EMBEDDED),
            Progressed(ONE.id, 0.5),
            FellBack(ONE.id, attempt),
            Finished(ONE.id, Failed(failure, (attempt,))),
            Finished(TWO.id, Skipped(ONE.id)),
            AnswerPart("That "),
            Answered(Answer(run, "That *failed*.", files=(), notices=(failure,))),
        ),
    )

    told = scene.paper.getvalue()
    assert "other" in told  # the model that the error is about
    assert "longer than 60" in told
    assert "failed" in told
    assert "Note: It took longer" in told
    drawn = told.rpartition("\x1b[2K")[2]  # what stands in the end, on a terminal
    assert "\x1b" not in told or drawn.count("longer than 60") == 1


async def test_files_of_an_answer_are_written_and_never_over_others(scene: ConsoleScene) -> None:
    for content in (b"one", b"two", b"two"):
        message, run = await scene.say("Draw")
        key = await scene.keep(content)
        shown = AnswerFile(
            attachment=Attachment(hash=key, media_type="image/png", name="../a.png", size=3),
            alt="a dot",
            model="m",
            kind="text-to-image",
            task=TaskId(1),
        )
        await scene.chat.follow(message, run, story(Answered(Answer(run, "Done", files=(shown,)))))

    written = {path.name: path.read_bytes() for path in (scene.folder / "answers").iterdir()}
    assert written == {"a.png": b"one", "a-2.png": b"two"}
    assert str(scene.folder / "answers" / "a-2.png") in scene.paper.getvalue().replace("\n", "")


async def test_what_steers_a_terminal_is_taken_out(scene: ConsoleScene) -> None:
    message, run = await scene.say("Draw")

    answer = Answer(run, "\x1b[2Jgone\x07 [bold]x[/bold]\r\x9b31m")
    await scene.chat.follow(message, run, story(Answered(answer)))

    told = scene.paper.getvalue().partition("gone")
    assert told[1] == "gone"
    assert "\x1b[2J" not in told[0]
    assert "[bold]x[/bold]" in told[2]
    assert "\x07" not in told[2]
    assert clean("a\x1b[31mb\nc\td\u202e") == "a[31mb\nc\td"


async def test_stopping_is_told_and_a_failure_says_what_to_do(scene: ConsoleScene) -> None:
    message, run = await scene.say("Draw")
    await scene.chat.follow(message, run, story(Apologised(LocalizedText("stopped"), "R-1")))
    assert english("stopped") in scene.paper.getvalue()

    message, run = await scene.say("Draw")
    await scene.chat.follow(message, run, story(Apologised(LocalizedText("nothing-to-do"), "R-2")))
    assert english("nothing-to-do") in scene.paper.getvalue()
    assert "R-2" not in scene.paper.getvalue()


async def test_a_path_alone_waits_for_what_to_do_with_it(scene: ConsoleScene) -> None:
    path = scene.folder / "my cat.png"
    path.write_bytes(b"png")
    await scene.keys.put(f"'{path}'")
    await scene.sees("Now say what to do")

    message, run = await scene.say("Describe it")

    assert [file.name for file in message.files] == ["my cat.png"]
    assert (await scene.chat.download(message.files[0])).data == b"png"
    await scene.chat.follow(message, run, story())


async def test_a_path_that_leads_nowhere_is_told_and_nothing_is_sent(scene: ConsoleScene) -> None:
    await scene.keys.put("describe /nowhere/cat.png")
    await scene.sees("There is no file")
    await scene.keys.put("/file /nowhere/dog.png")
    await scene.sees("dog.png")

    assert scene.listener.received == []


async def test_a_new_conversation_is_another_thread(scene: ConsoleScene) -> None:
    first, run = await scene.say("one")
    await scene.chat.follow(first, run, story())
    await scene.keys.put("/new")
    second, run = await scene.say("two")
    await scene.chat.follow(second, run, story())

    assert first.thread != second.thread


async def test_what_the_conversation_refuses_is_told(scene: ConsoleScene) -> None:
    scene.listener.refuses = NotAllowed("web-other-origin")
    await scene.keys.put("hello")

    await scene.sees("refused")


async def test_the_end_of_the_input_is_the_end(tmp_path: Path) -> None:
    scene = ConsoleScene(tmp_path)
    await scene.keys.put(None)

    async with asyncio.timeout(5):
        await scene.chat.listen(scene.listener)


async def test_ctrl_c_stops_the_run_and_twice_leaves(tmp_path: Path) -> None:
    scene = ConsoleScene(tmp_path)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        listening = group.create_task(scene.chat.listen(scene.listener))
        message, run = await scene.say("Draw")
        signal.raise_signal(signal.SIGINT)
        await scene.sees("Stopping")
        await scene.chat.follow(message, run, story(Apologised(LocalizedText("stopped"), "R")))
        signal.raise_signal(signal.SIGINT)
        await listening

    (press,) = scene.listener.presses
    assert (press.action, press.run) == (Action.STOP, run)


async def test_an_answer_printed_before_a_restart_is_not_printed_again(tmp_path: Path) -> None:
    receipts = FakeLedger()
    scene = ConsoleScene(tmp_path)
    message, run = await _said_before(scene)
    for _ in range(2):
        chat = ConsoleChat(
            files=scene.cupboard.files,
            folder=tmp_path,
            ledger=receipts,
            console=scene.chat.console,
        )
        await chat.follow(message, run, story(Answered(Answer(run, "Hello there."))))

    assert scene.paper.getvalue().count("Hello there.") == 1
    assert english("console-going-on", text="Draw") in scene.paper.getvalue()


async def _said_before(scene: ConsoleScene) -> tuple[Incoming, RunId]:
    async with asyncio.TaskGroup() as group:
        listening = group.create_task(scene.chat.listen(scene.listener))
        message, run = await scene.say("Draw")
        listening.cancel()
    return message, run
