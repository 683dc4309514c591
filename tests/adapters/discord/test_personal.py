"""The bot is used where it may only respond: as no member, or as one that may not write."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.domain import (
    Addressing,
    Attachment,
    Command,
    Incoming,
    Option,
    Reply,
    RunId,
)
from tests.adapters.discord.events import Told, begun, picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import DM, Channel
from tests.servers.discord.world import Interaction
from tests.words import english

TABLE = (
    Command("ask", (Option("text", required=True),), private=False),
    Command("help"),
)
RUN = RunId("run")
Find = Callable[[DiscordScene], Channel]


def in_group(at: DiscordScene) -> Channel:
    return at.server.people.group(at.ada, at.server.people.person("bob"))


def elsewhere(at: DiscordScene) -> Channel:
    return at.server.people.foreign_channel(at.server.people.person("bob"), "lounge")


def between_two(at: DiscordScene) -> Channel:
    people = [at.ada, at.server.people.person("bob")]
    return at.server.world.add_channel(
        Channel(at.server.world.ids.next(), DM, "bob", people=people)
    )


def where_silenced(at: DiscordScene) -> Channel:
    for permission in ("send_messages", "create_public_threads"):
        at.server.people.deny(at.place, permission)
    return at.place


everywhere = pytest.mark.parametrize("find", [in_group, between_two, elsewhere, where_silenced])


@asynccontextmanager
async def installed() -> AsyncIterator[DiscordScene]:
    """Ada installed the bot for herself."""
    async with scene() as at:
        at.server.world.installs = (0, 1)
        at.server.people.install(at.ada)
        at.listener.commands = TABLE
        at.listener.reply = Reply("", run=RUN)
        yield at


def _find_direct(at: DiscordScene) -> list[Channel]:
    places = at.server.world.channels.values()
    return [place for place in places if place.type == DM and place.has(at.server.bot)]


async def _ask(at: DiscordScene, place: Channel) -> tuple[Interaction, Incoming]:
    """Use /ask; the message that its run answers."""
    use = at.server.people.command(at.ada, place, "ask", {"text": "draw a dot"})
    await at.server.world.until(lambda: at.listener.invocations)
    given = at.listener.invocations[-1]
    return use, Incoming(
        id=f"ask-{given.id}",
        thread=given.thread,
        person=given.person,
        text=given.args["text"],
        files=(),
        at=datetime.now(UTC),
        addressing=Addressing(mentioned=True),
    )


def _texts(use: Interaction) -> list[str]:
    return [message.text for message in use.answers]


@pytest.mark.parametrize(
    ("installs", "contexts"), [((0,), [0, 1]), ((0, 1), [0, 1, 2])], ids=["servers", "people"]
)
async def test_commands_are_for_people_if_they_may_install_the_bot(
    installs: tuple[int, ...], contexts: list[int]
) -> None:
    async with scene() as at:
        at.server.world.installs = installs
        at.listener.commands = TABLE
        async with at.running():
            registered = at.server.world.commands

        assert {len(registered), len({each["name"] for each in registered})} == {7}
        for each in registered:
            assert (each["contexts"], each["integration_types"]) == (contexts, [*installs])


@everywhere
async def test_a_private_command_is_answered_to_the_asker_alone(find: Find) -> None:
    async with installed() as at:
        kept = await at.keep(b"id,kind\n")
        file = Attachment(hash=kept, media_type="text/csv", name="models.csv", size=8)
        at.listener.reply = Reply("Many models.", files=(file,))
        async with at.running():
            use = at.server.people.command(at.ada, find(at), "help")
            await at.server.world.until(lambda: use.answers and use.answers[-1].uploads)

            (answer,) = use.answers
            assert (answer.text, answer.seen_only_by) == ("Many models.", at.ada.id)


@everywhere
async def test_progress_answer_and_files_come_through_the_interaction(find: Find) -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, find(at))
        events = Told()
        files = [await picture(at.files, f"{number}.png") for number in range(12)]
        async with asyncio.TaskGroup() as group:
            group.create_task(at.chat.follow(message, RUN, aiter(events)))
            events.tell(*begun())
            await at.server.world.until(lambda: "painters/dot" in "".join(_texts(use)))
            (progress,) = use.answers
            assert progress.button("Stop")
            events.tell(*whole(RUN, "A dot. " * 700, files)[3:], None)

        assert use.answers[0] is progress
        assert progress.text.startswith("A dot.")
        assert [len(answer.uploads) for answer in use.answers] == [0, 10, 2]
        assert all(answer.seen_only_by is None for answer in use.answers)
        assert at.server.calls("POST message") == 0


async def test_the_menu_of_a_message_works_there() -> None:
    async with installed() as at, at.running():
        place = in_group(at)
        said = at.server.people.say(at.ada, place, "the report", [("a.png", b"png")])
        at.server.people.use_menu(at.ada, said, "Describe")
        await at.server.world.until(lambda: at.listener.invocations)
        (invocation,) = at.listener.invocations

        assert invocation.args == {"text": "Describe this."}
        assert (await at.chat.download(invocation.files[0])).data == b"png"


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.UNAVAILABLE])
async def test_a_first_message_whose_response_is_lost_comes_once(trouble: Trouble) -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, in_group(at))
        at.server.faults.next("PATCH webhook", trouble)
        await at.chat.follow(message, RUN, told(*whole(RUN)))

        assert _texts(use) == ["A dot."]


@everywhere
async def test_after_a_restart_the_answer_still_comes_there(find: Find) -> None:
    async with installed() as at:
        async with at.running():
            use, message = await _ask(at, find(at))
            events = Told()
            async with asyncio.TaskGroup() as group:
                following = group.create_task(at.chat.follow(message, RUN, aiter(events)))
                events.tell(*begun())
                await at.server.world.until(lambda: "painters/dot" in "".join(_texts(use)))
                following.cancel()
        at.chat = at.new_chat()
        async with at.running():
            await at.chat.follow(message, RUN, told(*whole(RUN)))

        assert _texts(use) == ["A dot."]


@everywhere
async def test_what_discord_takes_no_more_there_comes_directly_and_says_why(find: Find) -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, find(at))
        at.server.faults.tokens_expired = True
        files = [await picture(at.files)]
        await at.chat.follow(message, RUN, told(*whole(RUN, files=files)))
        (direct,) = _find_direct(at)
        why, answer = at.server.transcript(direct)

        assert why.text == english("discord-aside-late")
        assert answer.text.startswith("A dot.")
        assert [upload.filename for upload in answer.uploads] == ["dot.png"]
        assert _texts(use) == [""]


async def test_messages_beyond_the_fifth_come_directly() -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, elsewhere(at))
        files = [await picture(at.files, f"{number}.png") for number in range(61)]
        await at.chat.follow(message, RUN, told(*whole(RUN, files=files)))
        (direct,) = _find_direct(at)
        shown = [*use.answers, *at.server.transcript(direct)]

        assert len(use.answers) == 6
        assert sum(len(each.uploads) for each in shown) == 61
        assert english("discord-aside-late") in [each.text for each in shown]


async def test_a_button_there_starts_a_run_with_a_message_of_its_own() -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, in_group(at))
        await at.chat.follow(message, RUN, told(*whole(RUN)))
        again = RunId("again")
        at.listener.reply = Reply("", run=again)
        press = at.server.people.press(at.ada, use.answers[0], "Retry")
        await at.server.world.until(lambda: at.listener.presses)
        (click,) = at.listener.presses
        await at.chat.follow(
            replace(message, click=click.id), again, told(*whole(again, "Another dot."))
        )

        assert _texts(use) == ["A dot."]
        assert _texts(press) == ["Another dot."]
        assert press.answers[0].seen_only_by is None


async def test_a_second_click_there_leaves_no_trace() -> None:
    async with installed() as at, at.running():
        use, message = await _ask(at, in_group(at))
        await at.chat.follow(message, RUN, told(*whole(RUN)))
        at.listener.reply = Reply("")
        press = at.server.people.press(at.ada, use.answers[0], "Retry")
        await at.server.world.until(lambda: press.original is not None and not press.answers)
