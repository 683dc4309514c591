"""The one message of a run: its look, and its files from the first step to the answer."""

import asyncio
from dataclasses import replace

import discord
import pytest

from adapters.discord.showing.markdown import LAYOUT_LIMIT
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    Apologised,
    Attachment,
    Command,
    Done,
    Event,
    Finished,
    LocalizedText,
    Media,
    Option,
    Output,
    Plan,
    Planned,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.adapters.discord.events import MODEL, PNG, TASK, Told, begun, picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.persistence import FakeFiles
from tests.fakes.places import EMBEDDED
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Message

OTHER = Task(TaskId(2), KINDS["text-to-image"], {"text": (Text("a line"),)})
PLANNED = Planned(Plan((TASK, OTHER)))


async def _made(
    files: FakeFiles, task: Task = TASK, name: str = "dot.png"
) -> tuple[AnswerFile, Finished]:
    """A file of the answer, and the event that its step is done."""
    file = replace(await picture(files, name), task=task.id)
    output = Output({"image": Media(file.attachment)})
    return file, Finished(task.id, Done(output, took=0.3, model=MODEL, place=EMBEDDED))


async def _document(files: FakeFiles, name: str, media_type: str) -> AnswerFile:
    data = name.encode()
    kept = await files.put(data)
    return AnswerFile(
        attachment=Attachment(hash=kept, media_type=media_type, name=name, size=len(data)),
        alt=name,
        model="m",
        kind="k",
        task=TASK.id,
    )


def _sent(at: DiscordScene) -> list[str]:
    """The names of all files that were ever sent, in order."""
    calls = [call for call in at.server.world.calls if call.status == 200]
    return [upload.filename for call in calls for upload in call.files.values()]


async def _until_shown(at: DiscordScene, root: str, *names: str) -> Message:
    """The one message in the thread, once it shows these files."""

    def find() -> list[Message]:
        thread = at.server.world.channels.get(int(root))
        said = at.server.transcript(thread) if thread else []
        return [m for m in said if [each.filename for each in m.uploads] == list(names)]

    return (await at.server.world.until(find))[0]


async def test_a_box_has_the_colour_of_the_state_and_small_talk_has_no_box() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            (said,) = at.answers(message)
            colours = [said.colour]
            events.tell(*whole(run)[3:], None)
        colours.append(said.colour)
        failed, run = await at.asks("draw a line")
        sorry = Apologised(LocalizedText("stopped"), "")
        await at.chat.follow(failed, run, told(*begun(), sorry))
        colours.append(at.answers(failed)[0].colour)
        talk, run = await at.asks("thanks!")
        await at.chat.follow(talk, run, told(Answered(Answer(run, "You're welcome."))))

        blurple, green, red = discord.Colour.blurple(), discord.Colour.green(), discord.Colour.red()
        assert colours == [blurple.value, green.value, red.value]
        assert [part["type"] for part in at.answers(talk)[0].parts] == [10]


@pytest.mark.parametrize(
    ("words", "sent", "made"),
    [
        ("draw ||a dot||", (), "dot.png"),
        ("bigger", ("SPOILER_dot.png",), "dot.png"),
        ("and again", (), "spoiler-dot.png"),
    ],
)
async def test_what_answers_something_hidden_is_hidden(
    words: str, sent: tuple[str, ...], made: str
) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks(words, [(name, PNG) for name in sent])
        files = [await picture(at.files, made), await _document(at.files, "a.mp3", "audio/mpeg")]
        await at.chat.follow(message, run, told(*whole(run, "A dot.", files)))
        answer, sound = at.answers(message)

        assert [part["spoiler"] for part in answer.components] == [True]
        assert "a dot" not in at.thread(message).name
        assert sound.uploads[0].filename.startswith("SPOILER_") == (made == "dot.png")


async def test_what_answers_a_file_that_is_hidden_by_its_flag_is_hidden() -> None:
    async with scene() as at, at.running():
        sent = replace(at.server.people.upload(("dot.png", PNG)), hidden=True)
        at.server.people.say(at.ada, at.place, f"{at.mention} bigger", [sent])
        message, run = await at.listener.next()
        files = [await picture(at.files, "dot.png")]
        await at.chat.follow(message, run, told(*whole(run, "A dot.", files)))
        (answer,) = at.answers(message)

        assert [part["spoiler"] for part in answer.components] == [True]


async def test_pictures_stand_in_a_gallery_documents_below_and_buttons_last() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        files = [
            await _document(at.files, "table.csv", "text/csv"),
            await picture(at.files),
            await _document(at.files, "film.mp4", "video/mp4"),
        ]
        await at.chat.follow(message, run, told(*whole(run, "Here.", files)))
        (said,) = at.answers(message)

        assert [part["type"] for part in said.parts if part["type"] != 2] == [
            *(17, 10),
            *(12, 13),
            *(14, 10),
            1,
        ]
        assert said.gallery == ["a single dot", "film.mp4"]
        assert len(said.buttons) == 5


async def test_sounds_play_in_a_message_below_and_then_the_answer_gets_its_buttons() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("say it and draw it")
        sound = await _document(at.files, "voice.mp3", "audio/mpeg")
        await at.chat.follow(message, run, told(*whole(run, "Listen.", [sound])))
        first, below = at.answers(message)
        again, run = await at.asks("once more")
        both = [sound, await picture(at.files)]
        await at.chat.follow(again, run, told(*whole(run, "Look and listen.", both)))

        assert (first.uploads, bool(first.buttons)) == ([], True)
        assert (below.has_layout, below.text, below.buttons) == (False, "", [])
        assert [u.filename for u in below.uploads] == ["voice.mp3"]
        assert [[u.filename for u in said.uploads] for said in at.answers(again)] == [
            ["dot.png"],
            ["voice.mp3"],
        ]


async def test_names_that_discord_would_change_are_changed_and_stay_apart() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw dots")
        names = ["größe 1.png", "grosse-1.png", "猫.png", "犬.png", "_x.png"]
        files = [await picture(at.files, name, alt=name) for name in names]
        await at.chat.follow(message, run, told(*whole(run, "Dots.", files)))
        (said,) = at.answers(message)

        assert [u.filename for u in said.uploads] == [
            "groe-1.png",
            "grosse-1.png",
            "file.png",
            "file-2.png",
            "x.png",
        ]
        assert said.gallery == names


async def test_a_picture_is_shown_while_other_steps_run_and_is_sent_once() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot and a line")
        (dot, first), (line, second) = (
            await _made(at.files),
            await _made(at.files, OTHER, "line.png"),
        )
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED, Started(TASK.id, MODEL.id, EMBEDDED))
            await at.sees("painters/dot")
            events.tell(first, Started(OTHER.id, MODEL.id, EMBEDDED))
            said = await _until_shown(at, message.thread.root, "dot.png")
            early, number = (said.button("Stop"), said.gallery), said.uploads[0].id
            events.tell(second)
            await _until_shown(at, message.thread.root, "dot.png", "line.png")
            answer = Answer(run, "A dot and a line.", files=(dot, replace(line, alt="a line")))
            events.tell(Answered(answer), None)

        assert early[1] == ["Picture made from the words: a dot"]
        assert at.answers(message) == [said]
        assert said.text.startswith("A dot and a line.")
        assert said.uploads[0].id == number
        assert said.gallery == ["a single dot", "a line"]
        assert _sent(at) == ["dot.png", "line.png"]
        assert said.button("Retry")


@pytest.mark.parametrize("fault", ["loses_kept_files", "refuses_shown_files"])
async def test_files_that_discord_refuses_in_the_message_come_again_or_below(fault: str) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        dot, first = await _made(at.files)
        setattr(at.server.faults, fault, True)
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED)
            await at.sees("◽")
            events.tell(first)
            await at.server.world.until(lambda: at.server.calls("PATCH message"))
            events.tell(Answered(Answer(run, "A dot.", files=(dot,))), None)
        answer, *below = at.answers(message)
        assert at.server.violations
        at.server.violations.clear()

        assert answer.text.startswith("A dot.")
        assert answer.button("Retry")
        assert [u.filename for m in (answer, *below) for u in m.uploads] == ["dot.png"]
        assert bool(below) == (fault == "refuses_shown_files")


async def test_what_was_made_stays_when_the_run_fails() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot and a line")
        _, first = await _made(at.files)
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED, first)
            said = await _until_shown(at, message.thread.root, "dot.png")
            events.tell(Apologised(LocalizedText("stopped"), ""), None)

        assert "Stopped." in said.text
        assert [u.filename for u in said.uploads] == ["dot.png"]


async def test_in_a_long_answer_the_picture_moves_to_the_last_message() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot and tell of it")
        dot, first = await _made(at.files)
        text = "word " * (LAYOUT_LIMIT // 4)
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED, first)
            await _until_shown(at, message.thread.root, "dot.png")
            events.tell(Answered(Answer(run, text, files=(dot,))), None)

        assert [[u.filename for u in said.uploads] for said in at.answers(message)] == [
            [],
            ["dot.png"],
        ]


@pytest.mark.parametrize("how", ["permission", "size"])
async def test_files_that_are_refused_meanwhile_do_not_end_the_progress(how: str) -> None:
    async with scene() as at, at.running():
        if how == "permission":
            at.server.people.deny(at.place, "attach_files", announced=False)
        else:
            at.server.faults.request_bytes = 10
        message, run = await at.asks("draw a dot and a line")
        _, first = await _made(at.files)
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED, first)
            await at.sees("✅")
            events.tell(Started(OTHER.id, "painters/line", EMBEDDED))
            await at.sees("painters/line")
            events.tell(Answered(Answer(run, "No line.")), None)

        assert at.answers(message)[0].text == "No line."


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.LOST_502, Trouble.UNAVAILABLE])
async def test_an_edit_with_files_whose_response_is_lost_leaves_each_file_once(
    trouble: Trouble,
) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        dot, first = await _made(at.files)
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(PLANNED)
            await at.sees("◽")
            at.server.faults.next("PATCH message", trouble)
            events.tell(first)
            await _until_shown(at, message.thread.root, "dot.png")
            events.tell(Answered(Answer(run, "A dot.", files=(dot,))), None)

        assert [u.filename for u in at.answers(message)[0].uploads] == ["dot.png"]


async def test_killed_after_any_call_each_file_is_there_once() -> None:
    number, ended = 0, False
    while not ended:
        number += 1
        ended = await _killed_after(number)
    assert number > 2


async def _killed_after(number: int) -> bool:
    """Whether the run came to its end before that call."""
    async with scene() as at:
        async with at.running():
            message, run = await at.asks("draw a dot and a line")
            await at.server.world.until(lambda: at.place.said[0].thread)
            at.server.faults.calls_left = number
            async with asyncio.TaskGroup() as group:
                following = group.create_task(_follow(at, run))
                await at.server.world.until(lambda: at.server.faults.spent or following.done())
                ended = following.done()
                following.cancel()
        at.server.faults.calls_left = None
        at.chat = at.new_chat()
        async with at.running():
            await _follow(at, run)
            (said,) = at.answers(message)
            assert [u.filename for u in said.uploads] == ["dot.png", "line.png"]
            assert said.text.startswith("Both.")
            assert len(said.buttons) == 5
        return ended


async def _follow(at: DiscordScene, run: RunId) -> None:
    """A run whose steps end one after the other, each shown before the next one."""
    message, _ = at.listener.received[0]
    (dot, first), (line, second) = (
        await _made(at.files),
        await _made(at.files, OTHER, "line.png"),
    )
    events = Told()

    async def tell() -> None:
        parts: tuple[tuple[Event, ...], ...] = ((PLANNED,), (first,), (second,))
        for part in parts:
            events.tell(*part)
            await asyncio.sleep(0.1)
        events.tell(Answered(Answer(run, "Both.", files=(dot, line))), None)

    async with asyncio.TaskGroup() as group:
        group.create_task(tell())
        await at.chat.follow(message, run, aiter(events))


async def test_what_an_earlier_version_posted_as_text_is_finished_as_components() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        thread = at.server.people.thread(at.ada, at.place.said[0], "dot")
        old = Message(at.server.world.ids.next(), thread, at.server.bot, "Plan", flags=1 << 2)
        stop = {"type": 2, "label": "Stop", "style": 4, "custom_id": f"troupe:stop:{run}"}
        old.components = [{"type": 1, "components": [stop]}]
        at.server.world.add_message(old)
        at.server.people.press(at.ada, old, "Stop")
        await at.server.world.until(lambda: at.listener.presses)
        await at.ledger.done(f"{run}:page:0", f"{thread.id}/{old.id}")
        await at.chat.follow(message, run, told(*whole(run, files=[await picture(at.files)])))

        assert at.answers(message) == [old]
        assert old.has_layout
        assert old.text.startswith("A dot.")
        assert [u.filename for u in old.uploads] == ["dot.png"]


async def test_the_files_of_an_answer_are_found_in_replies_to_it_and_when_it_is_forwarded() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "create_public_threads")
        message, run = await at.asks("draw a dot")
        files = [await picture(at.files), await _document(at.files, "table.csv", "text/csv")]
        await at.chat.follow(message, run, told(*whole(run, "A dot.", files)))
        (answer,) = at.server.transcript(at.place)
        at.server.people.say(at.ada, at.place, "bigger", reply_to=answer)
        again, _ = await at.listener.next(2)
        links = again.earlier
        direct = at.server.people.dm(at.ada)
        at.server.people.forward(at.ada, answer, direct)
        forwarded, _ = await at.listener.next(3)
        expired = replace(links[0], url=links[0].url.replace("ex=ffffffff", "ex=1"))

        assert [(link.name, link.media_type) for link in links] == [
            ("dot.png", "image/png"),
            ("table.csv", "text/csv"),
        ]
        assert (await at.chat.download(expired)).data == PNG + b"dot.png"
        assert [link.name for link in forwarded.files] == ["dot.png", "table.csv"]
        assert forwarded.text.startswith("A dot.")


async def test_the_menu_of_an_answer_reads_its_words_and_files() -> None:
    async with scene() as at:
        at.listener.commands = (Command("ask", options=(Option("text"),)),)
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run, files=[await picture(at.files)])))
            (answer,) = at.answers(message)
            at.server.people.use_menu(at.ada, answer, "Describe")
            at.server.people.use_menu(at.ada, answer, "Read aloud")
            await at.server.world.until(lambda: len(at.listener.invocations) > 1)
            described, read = at.listener.invocations

            assert [link.name for link in described.files] == ["dot.png"]
            assert "A dot." in read.args["text"]
