"""What every place does where people talk to the bot."""

import asyncio
import base64
from collections.abc import AsyncIterator

import pytest

from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Attachment,
    Attempt,
    Blob,
    Choice,
    Chose,
    Done,
    Event,
    FellBack,
    Finished,
    Link,
    LocalizedText,
    Media,
    Model,
    Output,
    Plan,
    Planned,
    Progressed,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.errors import FetchError
from pipeline.task_kinds import KINDS
from tests.contracts.chats import SCENES, Scene, open_scene
from tests.fakes.events import Told, one_by_one
from tests.fakes.places import LOCAL

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = (
    b"RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00"
    b"\x01\x00\x08\x00data\x08\x00\x00\x00\x80\x80\x80\x80\x80\x80\x80\x80"
)
SPEAKER = Model("voices/plain-speaker", "text-to-speech", (LOCAL,))
TASK = Task(TaskId(1), KINDS["text-to-speech"], {"text": (Text("Hello there"),)})


@pytest.fixture(params=sorted(SCENES))
async def scene(request: pytest.FixtureRequest) -> AsyncIterator[Scene]:
    async with open_scene(request.param) as opened:
        yield opened


async def test_a_chat_that_listens_says_that_it_is_connected(scene: Scene) -> None:
    assert await scene.chat.is_connected()


async def picture_and_sound(scene: Scene) -> tuple[AnswerFile, ...]:
    picture = Attachment(
        hash=await scene.keep(PNG), media_type="image/png", name="dot.png", size=len(PNG)
    )
    sound = Attachment(
        hash=await scene.keep(WAV), media_type="audio/wav", name="hello.wav", size=len(WAV)
    )
    return (
        AnswerFile(
            attachment=picture,
            alt="a single dot",
            model="painters/dot",
            kind="text-to-image",
            task=TaskId(2),
        ),
        AnswerFile(
            attachment=sound,
            alt="a voice says hello",
            model=SPEAKER.id,
            kind="text-to-speech",
            task=TaskId(1),
        ),
    )


async def test_what_a_person_says_and_sends_is_heard(scene: Scene) -> None:
    message, _ = await scene.say("What is this?", Blob(PNG, "image/png", "dot.png"))

    assert message.text == "What is this?"
    assert message.thread.channel.platform == scene.chat.platform
    (link,) = message.files
    assert link.name == "dot.png"
    assert (await scene.chat.download(link)).data == PNG


async def test_who_has_to_wait_is_told_before_anything_else(scene: Scene) -> None:
    message, run = await scene.say("Say hello")

    await scene.chat.notify(message, run, LocalizedText("store-waiting", {"problem": "store-full"}))

    await scene.sees("My disk is full")
    await scene.chat.follow(message, run, one_by_one(Answered(Answer(run, "Hello."))))
    await scene.sees("Hello.")


async def test_a_file_that_is_not_there_is_an_error_of_fetching(scene: Scene) -> None:
    message, _ = await scene.say("What is this?", Blob(PNG, "image/png", "dot.png"))
    (link,) = message.files

    with pytest.raises(FetchError):
        await scene.chat.download(Link(link.url + "0", "gone.png"))


async def test_two_messages_have_two_keys_in_their_order(scene: Scene) -> None:
    first, _ = await scene.say("one")
    second, _ = await scene.say("two")

    assert first.key != second.key
    assert first.id < second.id


async def test_the_plan_is_shown_while_it_runs(scene: Scene) -> None:
    message, run = await scene.say("Say hello there")
    told = Told()

    async with asyncio.TaskGroup() as group:
        group.create_task(scene.chat.follow(message, run, aiter(told)))
        told.tell(
            Planned(Plan((TASK,))),
            Chose(TASK.id, Choice(SPEAKER, LocalizedText("chosen-only"))),
            Started(TASK.id, SPEAKER.id, LOCAL),
        )
        await scene.sees("plain-speaker")
        told.tell(Answered(Answer(run, "Here it is.")), None)

    assert [post.text.strip() for post in await scene.posts()] == ["Here it is."]


async def test_the_answer_is_delivered_once_with_every_file_and_its_description(
    scene: Scene,
) -> None:
    message, run = await scene.say("Draw a dot and say hello")
    files = await picture_and_sound(scene)
    answer = Answer(run, "A dot, and hello.", files=files)

    await scene.chat.follow(message, run, one_by_one(*_a_whole_run(answer)))

    (post,) = await scene.posts()
    assert post.text.strip() == "A dot, and hello."
    assert {name: alt for name, alt, _ in post.files} == {
        "dot.png": "a single dot",
        "hello.wav": "a voice says hello",
    }
    assert {data for _, _, data in post.files} == {PNG, WAV}


async def test_following_a_run_again_does_not_deliver_twice(scene: Scene) -> None:
    message, run = await scene.say("Draw a dot and say hello")
    answer = Answer(run, "A dot, and hello.", files=await picture_and_sound(scene))
    await scene.chat.follow(message, run, one_by_one(*_a_whole_run(answer)))

    await scene.chat.follow(message, run, one_by_one(*_a_whole_run(answer)))

    (post,) = await scene.posts()
    assert len(post.files) == 2


async def test_an_apology_is_told_with_its_reference(scene: Scene) -> None:
    message, run = await scene.say("Do the impossible")

    await scene.chat.follow(
        message,
        run,
        one_by_one(Apologised(LocalizedText("apology-bug", {"reference": "R-77"}), "R-77")),
    )

    await scene.sees("R-77")


async def test_events_are_never_kept_waiting(scene: Scene) -> None:
    message, run = await scene.say("Tell me a long story")
    words = [f"word{number} " for number in range(500)]
    answer = Answer(run, "".join(words).strip())

    async with asyncio.timeout(30):
        await scene.chat.follow(
            message,
            run,
            one_by_one(
                Planned(Plan((TASK,))),
                *(Progressed(TASK.id, number / 500) for number in range(500)),
                *(AnswerPart(word) for word in words),
                Answered(answer),
            ),
        )

    (post,) = await scene.posts()
    assert post.text.split() == answer.text.split()


async def test_a_run_that_ends_without_a_word_leaves_nothing_waiting(scene: Scene) -> None:
    message, run = await scene.say("Stop at once")

    async with asyncio.timeout(30):
        await scene.chat.follow(message, run, one_by_one(Planned(Plan((TASK,)))))


async def test_earlier_messages_are_told_oldest_first(scene: Scene) -> None:
    await scene.say("one")
    message, _ = await scene.say("two")

    earlier = await scene.chat.history(message.thread, before=message.id, most=50)

    assert list(earlier) == sorted(earlier, key=lambda each: each.id)
    assert all(each.id < message.id for each in earlier)


def _a_whole_run(answer: Answer) -> tuple[Event, ...]:
    speech = next(each.attachment for each in answer.files if each.model == SPEAKER.id)
    attempt = Attempt(
        model="voices/other",
        place=LOCAL,
        took=0.1,
        error=LocalizedText("task-too-long", {"seconds": 1}),
    )
    return (
        Planned(Plan((TASK,))),
        Chose(TASK.id, Choice(SPEAKER, LocalizedText("chosen-only"))),
        Started(TASK.id, "voices/other", LOCAL),
        FellBack(TASK.id, attempt),
        Started(TASK.id, SPEAKER.id, LOCAL),
        Finished(
            TASK.id,
            Done(
                Output({"audio": Media(speech)}),
                took=0.3,
                model=SPEAKER,
                place=LOCAL,
                tried=(attempt,),
            ),
        ),
        AnswerPart("A dot, "),
        AnswerPart("and hello."),
        Answered(answer),
    )
