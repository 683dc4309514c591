"""While nothing can be stored: people are told, and everything is taken once afterwards."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from pipeline.domain import Command, InputField, InputForm, LocalizedText, Option, Reply
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import LockedListener
from tests.fakes.persistence import LockedInteractions, LockedStore
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import LOADING
from tests.words import english

pytestmark = pytest.mark.program

WAITING = english("store-waiting", problem="store-gone")
COMMANDS = (
    Command("ask", (Option("text", required=True),), private=False, form=True),
    Command("help"),
)
FORM = InputForm(
    LocalizedText("command-ask"), (InputField(name="text", label=LocalizedText("option-text")),)
)


@asynccontextmanager
async def locked() -> AsyncIterator[tuple[DiscordScene, LockedStore]]:
    """A scene in which nothing can be stored."""
    async with scene() as at:
        store = LockedStore()
        at.listener = LockedListener(commands=COMMANDS, store=store, forms={"ask": FORM})
        at.interactions, at.outage = LockedInteractions(store=store), store.outage
        at.chat = at.new_chat()
        async with at.running():
            yield at, store


def notices(at: DiscordScene) -> list[str]:
    return [m.text for m in at.place.by(at.server.bot) if m.text == WAITING]


async def test_mentions_are_held_told_once_and_taken_once() -> None:
    async with locked() as (at, store):
        for text in ("one", "two"):
            at.server.people.say(at.ada, at.place, f"{at.mention} {text}")
        at.server.people.say(at.ada, at.place, "people talk")
        await at.server.world.until(lambda: len(notices(at)) == 2)
        assert at.listener.received == []
        store.is_open.set()
        await at.listener.next(3)

        texts = [message.text for message, _ in at.listener.received]
        assert texts == ["one", "two", "people talk"]
        assert len(notices(at)) == 2


@pytest.mark.parametrize("name", ["help", "ask"])
async def test_a_command_is_acknowledged_told_and_carried_out_once(name: str) -> None:
    async with locked() as (at, store):
        at.listener.reply = Reply("done")
        await at.server.world.until(lambda: at.server.world.commands)
        options = {"text": "draw a dot"} if name == "ask" else {}
        use = at.server.people.command(at.ada, at.place, name, options)
        await at.server.world.until(lambda: any(m.text == WAITING for m in use.answers))
        assert at.listener.invocations == []
        store.is_open.set()
        await at.server.world.until(lambda: any(m.text == "done" for m in use.answers))

        assert use.acknowledged_after is not None
        assert len(at.listener.invocations) == 1
        assert [m.text for m in use.answers if not m.flags & LOADING] == ["done"]


async def test_a_form_opens_while_nothing_can_be_stored() -> None:
    async with locked() as (at, store):
        await at.server.world.until(lambda: at.server.world.commands)
        use = at.server.people.command(at.ada, at.place, "ask")
        await at.server.world.until(lambda: use.callback is not None)
        sent = at.server.people.submit(at.ada, use, {"text": "draw a dot"})
        await at.server.world.until(lambda: any(m.text == WAITING for m in sent.answers))
        store.is_open.set()
        kept = at.interactions.kept
        await at.server.world.until(lambda: len(kept) == 2 and not any(kept.values()))

        (invocation,) = at.listener.invocations
        assert invocation.args == {"text": "draw a dot"}
        assert use.answers == []


async def test_who_was_told_to_wait_hears_of_it_when_the_program_ends() -> None:
    async with locked() as (at, _):
        await at.server.world.until(lambda: at.server.world.commands)
        use = at.server.people.command(at.ada, at.place, "help")
        await at.server.world.until(lambda: any(m.text == WAITING for m in use.answers))

    assert [m.text for m in use.answers] == [english("store-stopped")]


async def test_a_message_that_discord_interrupts_is_taken_when_discord_is_back() -> None:
    async with scene() as at, at.running():
        at.listener.commands = (Command("forget", (Option("what"),), erasing=("me",)),)
        at.server.faults.next("POST message", Trouble.BLOCKED)
        at.server.people.say(at.ada, at.place, f"{at.mention} forget me")

        question = english("erase", what="forget me", scope="me")
        await at.server.world.until(
            lambda: any(question in m.text for m in at.place.by(at.server.bot))
        )
