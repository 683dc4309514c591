"""While nothing can be stored: people are told, and everything is taken once afterwards."""

import asyncio
from dataclasses import dataclass

import pytest

from adapters.chat.rendering import Page
from adapters.slack.acting.requests import FORM
from adapters.slack.showing.pages import render_content
from pipeline.domain import Action, Incoming, Reply, RunId
from pipeline.errors import StoreUnavailable
from tests.adapters.slack.stage import BOT, COMMANDS, Stage, listening
from tests.fakes.chat import FakeListener, LockedListener
from tests.fakes.persistence import LockedInteractions, LockedStore
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, APP, BEN, BOT_USER, GENERAL, Json, Message
from tests.words import english

WAITING = english("store-waiting", problem="store-gone")


def locked(slack: SlackServer) -> tuple[Stage, LockedStore]:
    """A stage on which nothing can be stored."""
    store = LockedStore()
    stage = Stage(
        slack,
        LockedListener(commands=COMMANDS, store=store),
        interactions=LockedInteractions(store=store),
        outage=store.outage,
    )
    return stage, store


def told(slack: SlackServer) -> list[Json]:
    """What people were told privately about waiting."""
    private = (*slack.space.ephemerals, *slack.space.responses)
    return [each for each in private if WAITING in str(each.get("text"))]


def forget_late_events(slack: SlackServer) -> None:
    """What is held is not acknowledged, so that Slack sends it again."""
    late = "events_api: not acknowledged"
    slack.violations[:] = [each for each in slack.violations if not each.startswith(late)]


async def test_mentions_are_held_told_once_and_taken_once(slack: SlackServer) -> None:
    stage, store = locked(slack)
    async with listening(stage):
        for text, by in (("one", ANNA), ("two", BEN)):
            slack.people.say(f"{BOT} {text}", by=by)
        slack.people.say("people talk", by=BEN)
        await slack.until(lambda: len(told(slack)) == 2)
        assert slack.socket.ack_times == []
        store.is_open.set()
        await stage.listener.next(3)
        await slack.settled()

        assert sorted(each["user"] for each in told(slack)) == sorted([ANNA, BEN])
        assert [message.text for message, _ in stage.listener.received] == [
            "one",
            "two",
            "people talk",
        ]
    forget_late_events(slack)


@dataclass
class RefusingListener(FakeListener):
    """Cannot store the first message in time."""

    refusals: int = 1

    async def on_message(self, message: Incoming) -> RunId | None:
        self.refusals -= 1
        if self.refusals >= 0:
            raise StoreUnavailable("store-gone")
        return await FakeListener.on_message(self, message)


async def test_an_event_that_was_not_stored_is_not_known_when_it_comes_again(
    slack: SlackServer,
) -> None:
    slack.socket.ack_seconds = 0.05
    async with listening(Stage(slack, RefusingListener(commands=COMMANDS))) as stage:
        slack.people.say(f"{BOT} hello")

        message, _ = await stage.listener.next()
        await slack.settled()

    assert message.text == "hello"
    assert len(stage.listener.received) == 1
    forget_late_events(slack)


@pytest.mark.program
async def test_in_a_long_outage_events_are_acknowledged_and_read_afterwards(
    slack: SlackServer,
) -> None:
    stage, store = locked(slack)
    async with listening(stage):
        stage.listener.received.clear()
        slack.people.say(f"{BOT} first")
        await slack.until(lambda: told(slack))
        await asyncio.sleep(400)  # skipped
        before = len(slack.socket.ack_times)

        slack.people.say(f"{BOT} second", by=BEN)
        await slack.until(lambda: len(told(slack)) == 2)
        assert len(slack.socket.ack_times) > before
        await stage.cache.put("slack:T0TROUPE1:read", "1.000000")
        store.is_open.set()
        await stage.listener.next(2)

    texts = sorted(message.text for message, _ in stage.listener.received)
    assert texts == ["first", "second"]
    forget_late_events(slack)
    slack.violations[:] = [each for each in slack.violations if "never acknowledged" not in each]


WAYS = ("command", "click", "shortcut", "form")


def post_buttons(slack: SlackServer) -> str:
    """A message of the bot's with a button, in a thread."""
    root = next(iter(slack.space.channels[GENERAL].messages))
    content = render_content(Page(("Old",), actions=(Action.RETRY,)), RunId("old"), "en")
    body = {"type": "message", "user": BOT_USER, "app_id": APP, "ts": slack.space.next_ts()}
    return slack.space.put(Message(GENERAL, {**body, "thread_ts": root, **content})).ts


async def act(stage: Stage, way: str) -> None:
    people = stage.slack.people
    match way:
        case "command":
            await people.command("models image-to-text")
        case "click":
            await people.press(GENERAL, post_buttons(stage.slack), "troupe:retry")
        case "shortcut":
            about = next(iter(stage.slack.space.channels[GENERAL].messages))
            await people.shortcut("troupe:menu:summarize", GENERAL, about)
        case _:
            await people.global_shortcut(FORM)
            await people.submit("draw a cat", channel=GENERAL)


def heard(stage: Stage) -> int:
    return len(stage.listener.invocations) + len(stage.listener.presses)


@pytest.mark.parametrize("way", WAYS)
async def test_what_slack_sends_only_once_is_acknowledged_told_and_carried_out_once(
    slack: SlackServer, way: str
) -> None:
    stage, store = locked(slack)
    stage.listener.reply = Reply("done", private=True)
    slack.people.say("something to be about", by=BEN)
    async with listening(stage):
        await act(stage, way)
        await slack.until(lambda: told(slack))
        assert heard(stage) == 0
        store.is_open.set()
        await slack.until(lambda: heard(stage))
        await slack.settled()

        assert len(told(slack)) == 1
        assert heard(stage) == 1
        assert not slack.views.open
    forget_late_events(slack)


async def test_who_was_told_to_wait_hears_of_it_when_the_program_ends(slack: SlackServer) -> None:
    stage, _ = locked(slack)
    async with listening(stage):
        await slack.people.command("models image-to-text")
        await slack.until(lambda: told(slack))

    last = slack.space.responses[-1]
    assert last["text"] == english("store-stopped")
    assert heard(stage) == 0
