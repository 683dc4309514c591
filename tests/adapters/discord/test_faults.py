"""What goes wrong with Discord, and nothing lost, doubled or silent for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from pipeline.domain import Answer, Answered, AnswerFile, Attachment, TaskId, Thread, Turn
from pipeline.errors import ChatError, ChatGone, ChatRefused, SettingsError
from tests.adapters.discord.events import Told, begun, picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.servers.discord.faults import Trouble

LONG = "\n\n".join(f"Paragraph {n}. " + "word " * 150 for n in range(7))


async def _one_answer(at: DiscordScene, *, files: int = 1) -> None:
    """The whole answer stands there once, in its thread, with its file."""
    message, _ = at.listener.received[0]
    said = at.answers(message)
    text = "\n\n".join(m.text for m in said).split("\n-# ")[0]
    assert text.split() == LONG.split()
    assert [u.filename for m in said for u in m.uploads] == ["dot.png"] * files


async def _follow(at: DiscordScene) -> None:
    message, run = at.listener.received[0]
    files = [await picture(at.files)]
    await at.chat.follow(message, run, told(*whole(run, LONG, files)))


CALLS = ("POST message", "PATCH message", "POST thread")


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.UNAVAILABLE])
@pytest.mark.parametrize("call", CALLS)
async def test_a_call_that_fails_or_whose_answer_is_lost_changes_nothing_for_the_person(
    call: str, trouble: Trouble
) -> None:
    async with scene() as at, at.running():
        at.server.faults.next(call, trouble)
        await at.asks("tell a story")
        await _follow(at)

        await _one_answer(at)


async def test_a_502_after_the_effect_is_repeated_by_the_library_under_the_same_nonce() -> None:
    async with scene() as at, at.running():
        at.server.faults.next("POST message", Trouble.LOST_502)
        await at.asks("tell a story")
        await _follow(at)

        await _one_answer(at)


async def test_429_everywhere_once_is_waited_for() -> None:
    async with scene() as at, at.running():
        at.server.faults.limit_everything_once = True
        await at.asks("tell a story")
        await _follow(at)

        await _one_answer(at)


@pytest.mark.parametrize("soon", [True, False])
async def test_killed_after_any_call_it_goes_on_where_it_stopped(*, soon: bool) -> None:
    """The whole way once, in three calls; then killed after each of them, and begun again."""
    async with scene() as at, at.running():
        before = len(at.server.world.calls)
        await at.asks("tell a story")
        await at.server.world.until(lambda: at.place.said[0].thread)
        await _follow(at)
        calls = len(at.server.world.calls) - before
    assert calls == 3

    for number in range(1, calls + 1):
        await _killed_after(number, soon=soon)


async def _killed_after(number: int, *, soon: bool) -> None:
    """Not soon: Discord has forgotten the nonces, so that only looking back helps."""
    async with scene() as at:
        async with at.running():
            at.server.faults.calls_left = number
            await at.asks("tell a story")
            async with asyncio.TaskGroup() as group:
                following = group.create_task(_follow(at))
                await at.server.world.until(lambda: at.server.faults.spent or following.done())
                following.cancel()
        at.server.faults.calls_left = None
        if not soon:
            at.server.world.nonces.clear()
        at.chat = at.new_chat()
        async with at.running():
            await _follow(at)

            await _one_answer(at)


@pytest.mark.parametrize("is_begun", [True, False])
async def test_when_discord_refuses_the_words_the_person_is_told(*, is_begun: bool) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("tell a story")
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            if is_begun:
                events.tell(*begun())
                await at.server.world.until(lambda: at.server.calls("POST message"))
            call = "PATCH message" if is_begun else "POST message"
            at.server.faults.next(call, Trouble.MODERATED)
            events.tell(whole(run)[-1], None)

        (answer,) = at.answers(message)
        assert "AutoMod" in answer.text
        assert answer.button("Retry")


@pytest.mark.parametrize("times", [1, 9])
async def test_an_answer_for_which_discord_takes_no_edit_replaces_the_progress(times: int) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        file, events = await picture(at.files), Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(*begun())
            await at.sees("painters/dot")
            at.server.faults.next("PATCH message", Trouble.TOO_OLD, times=times)
            events.tell(Answered(Answer(run, "A dot.", files=(file,))), None)

        answer, *_ = said = at.answers(message)
        assert answer.text.startswith("A dot.")
        assert [u.filename for m in said for u in m.uploads] == ["dot.png"]
        assert not any("Stop" in button["label"] for m in said for button in m.buttons)


async def test_files_stay_in_the_thread_when_their_message_is_deleted_meanwhile() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        at.server.faults.next("PATCH message", Trouble.UNKNOWN, times=2)
        file = await picture(at.files)
        await at.chat.follow(message, run, told(*whole(run, files=[file])))

        assert [u.filename for m in at.answers(message) for u in m.uploads] == ["dot.png"]
        assert at.server.transcript(at.place) == []


async def test_a_file_that_discord_refuses_leaves_the_words_alone() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("say it")
        key = await at.files.put(b"sound")
        sound = AnswerFile(
            attachment=Attachment(hash=key, media_type="audio/mpeg", name="a.mp3", size=5),
            alt="",
            model="m",
            kind="k",
            task=TaskId(1),
        )
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, run, aiter(events)))
            events.tell(*begun())
            await at.server.world.until(lambda: at.server.calls("POST message"))
            at.server.faults.next("POST message", Trouble.MODERATED)
            events.tell(Answered(Answer(run, "Here it is.", files=(sound,))), None)

        answer, note = at.answers(message)
        assert answer.text.startswith("Here it is.")
        assert "a.mp3" in note.text
        assert note.uploads == []


@pytest.mark.parametrize("how", ["reset", "reconnect", "invalid", "closed"])
async def test_a_lost_socket_loses_no_message(how: str) -> None:
    async with scene() as at, at.running():
        await at.asks("one")
        if how == "reset":
            at.server.gateway.reset()
        elif how == "reconnect":
            at.server.gateway.ask_to_reconnect()
        elif how == "invalid":
            at.server.gateway.invalidate(resumable=True)
        else:
            await at.server.gateway.close(4000)
        await at.asks("two")

        assert [message.text for message, _ in at.listener.received] == ["one", "two"]


async def test_a_silent_socket_is_left_and_nothing_is_lost() -> None:
    async with scene(interval=0.1) as at:
        at.times = replace(at.times, heartbeat=0.4)
        at.chat = at.new_chat()
        async with at.running():
            await at.asks("one")
            at.server.gateway.silence()
            await at.asks("two")

            assert at.server.gateway.resumed == 1


async def test_a_dead_address_for_resuming_is_given_up_for_a_new_session() -> None:
    async with scene() as at:
        at.server.gateway.resume_address = "ws://127.0.0.1:9/gateway"
        async with at.running():
            await at.asks("one")
            at.server.gateway.reset()
            await at.server.world.until(lambda: at.server.gateway.identified == 2)
            await at.asks("two")


async def test_after_downtime_what_was_said_meanwhile_is_read_up() -> None:
    async with scene() as at:
        async with at.running():
            message, _ = await at.asks("draw a dot")
            thread = at.server.people.thread(at.ada, at.place.said[0], "dot")
            await _log(at, message.thread, message.id)
            direct = at.server.people.dm(at.ada)
            first = at.server.people.say(at.ada, direct, "hello")
            heard, _ = await at.listener.next(2)
            await _log(at, heard.thread, str(first.id))
        at.server.people.say(at.ada, thread, "are you there?")
        at.server.people.say(at.ada, at.place, f"{at.mention} and a cat")
        at.server.people.say(at.ada, direct, "still there?")
        at.chat = at.new_chat()
        async with at.running():
            await at.listener.next(5)

        texts = {message.text for message, _ in at.listener.received[2:]}
        assert texts == {"are you there?", "and a cat", "still there?"}


async def test_after_a_new_session_what_was_said_between_is_read_up() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("draw a dot")
        thread = at.server.people.thread(at.ada, at.place.said[0], "dot")
        await _log(at, message.thread, message.id)
        at.server.gateway.refuse = 1
        at.server.gateway.invalidate()
        await at.server.world.until(lambda: not at.server.gateway.sockets)
        at.server.people.say(at.ada, thread, "are you there?")
        heard, _ = await at.listener.next(2)

        assert heard.text == "are you there?"


async def _log(at: DiscordScene, thread: Thread, number: str) -> None:
    message, _ = at.listener.received[-1]
    key = f"{thread.channel.key}:{number}"
    await at.store.log(
        thread, Turn(key=key, person=message.person, text=message.text, files=(), at=message.at)
    )


async def test_a_wrong_token_ends_the_start_with_a_sentence() -> None:
    async with scene() as at:
        at.server.world.token = "another"
        at.chat.token = "wrong"

        with pytest.raises(SettingsError) as caught:
            await at.chat.listen(at.listener)
        assert caught.value.sentence.id == "discord-token-wrong"


@asynccontextmanager
async def _until_refused(at: DiscordScene) -> AsyncIterator[list[SettingsError]]:
    """The bot is there until Discord refuses its token; why it ended."""
    ended: list[SettingsError] = []

    async def listen() -> None:
        try:
            await at.chat.listen(at.listener)
        except SettingsError as error:
            ended.append(error)

    async with asyncio.TaskGroup() as group:
        group.create_task(listen())
        await at.server.world.until(lambda: at.server.gateway.sessions)
        yield ended


async def test_a_revoked_token_ends_listening_with_a_sentence() -> None:
    async with scene() as at:
        async with _until_refused(at) as ended:
            await at.asks("one")
            at.server.faults.token_revoked = True
            await at.server.gateway.close(4004)

        assert ended[0].sentence.id == "discord-token-revoked"


async def test_a_token_revoked_without_an_event_ends_listening_with_a_sentence() -> None:
    async with scene() as at:
        async with _until_refused(at) as ended:
            at.server.faults.token_revoked = True
            at.server.people.say(at.ada, at.place, f"{at.mention} draw a dot")

        assert ended[0].sentence.id == "discord-token-revoked"


async def test_an_answer_waits_in_the_inbox_while_the_token_is_refused() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.server.world.until(lambda: at.place.said[0].thread)
        at.server.faults.token_revoked = True
        with pytest.raises(ChatError) as caught:
            await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.token_revoked = False

        assert not isinstance(caught.value, ChatGone | ChatRefused)


async def test_discord_not_reached_at_the_start_is_tried_again() -> None:
    async with scene() as at:
        at.server.faults.next("GET me", Trouble.LOST, times=2)
        async with at.running():
            await at.asks("one")


async def test_stop_is_taken_while_the_plan_is_edited() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, _, events):
            at.server.people.press(at.ada, at.answers(message)[0], "Stop")
            await at.server.world.until(lambda: at.listener.presses)
            events.tell(None)

        assert at.answers(message)[0].text.endswith("Stopped.")
        assert "Stop" not in [button["label"] for button in at.answers(message)[0].buttons]


async def test_whether_the_gateway_is_connected_is_known() -> None:
    async with scene() as at:
        assert not await at.chat.is_connected()
        async with at.running():
            await at.asks("hello")
            assert await at.chat.is_connected()
            at.server.gateway.refuse = 1000
            at.server.gateway.reset()
            async with asyncio.timeout(5):
                while await at.chat.is_connected():  # noqa: ASYNC110 - nothing tells
                    await asyncio.sleep(0)

        assert not await at.chat.is_connected()
