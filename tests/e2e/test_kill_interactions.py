"""kill -9 between the acknowledgement of an interaction and its answer."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.chat.rendering import Page
from adapters.slack.acting.requests import FORM
from adapters.slack.connecting.manifest import SCOPES
from adapters.slack.showing.pages import render_content
from pipeline.domain import Action, RunId
from tests.e2e.forked import forked
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, APP, BOT_USER, GENERAL, Channel, Message
from tests.words import english

KILLS = 20
WAYS = ("command", "request", "click", "wish", "form")
"""By hand, four runs of 40 and one of 90 lost none."""
NOTE, STOPPED = english("perhaps-repeated", platform="Slack"), english("stop-done", count=0)


@dataclass
class Shown:
    """What people did, and what they were shown."""

    slack: SlackServer
    button: str
    """The id of a message with a button."""
    acknowledged: Counter[str] = field(default_factory=Counter)

    async def act(self, number: int) -> None:
        """Give a command, press a button, or ask for something in one of three ways."""
        people, space, what = self.slack.people, self.slack.space, WAYS[number % len(WAYS)]
        words, channel = f"hello, I am req{number}.", f"C0CHANNEL{number}"
        space.channels[channel] = Channel(channel, channel, members={ANNA, BOT_USER})
        is_acknowledged = True
        match what:
            case "command":
                is_acknowledged = bool(await people.command(f"settings nope{number}."))
            case "click":
                is_acknowledged = bool(await people.press(GENERAL, self.button, "troupe:stop"))
            case "request":
                is_acknowledged = bool(await people.command(f"ask {words}", channel=channel))
            case "wish":
                body = {"type": "message", "user": ANNA, "ts": space.next_ts(), "text": words}
                about = space.put(Message(channel, body))
                wish = await people.shortcut("troupe:menu:translate", channel, about.ts)
                is_acknowledged = bool(wish)
            case _:
                await people.global_shortcut(FORM)
                await people.submit(words, channel=channel)
                is_acknowledged = not self.slack.views.open
        self.acknowledged[what] += is_acknowledged

    def replies(self, what: str) -> list[str]:
        """The private replies to commands or clicks."""
        space, words = self.slack.space, {"command": "nope", "click": STOPPED}[what]
        texts = [str(each["text"]) for each in (*space.responses, *space.ephemerals)]
        return [text for text in texts if words in text]

    def answers(self, number: int) -> list[Message]:
        """The bot's messages in the channel of a request: its quote, and the answers below it."""
        messages = self.slack.space.channels[f"C0CHANNEL{number}"].messages.values()
        return [message for message in messages if message.by_bot]


def _post_button(slack: SlackServer) -> str:
    """A message of the bot's with a button of a run that is over."""
    content = render_content(Page(("Working",), actions=(Action.STOP,)), RunId("over"), "en")
    root = slack.people.say("draw a cat")
    body = {"type": "message", "user": BOT_USER, "app_id": APP, "ts": slack.space.next_ts()}
    return slack.space.put(Message(GENERAL, {**body, "thread_ts": root, **content})).ts


@pytest.mark.limit(170)
async def test_killed_at_twenty_moments_no_interaction_is_lost_or_doubled(
    tmp_path: Path,
) -> None:
    chance = random.Random(20261123)
    async with SlackServer() as slack:
        slack.calls.granted, shown = set(SCOPES), Shown(slack, _post_button(slack))
        settings = {
            "SLACK_API_BASE_URL": slack.api,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "TROUPE_PATIENCE": "1000",
        }
        for kill in range(KILLS):
            async with forked(tmp_path, **settings):
                await slack.until(lambda: slack.socket.lines)
                await shown.act(kill)
                await asyncio.sleep(chance.uniform(0.0, 0.1))
            await slack.until(lambda: not slack.socket.lines)
        requests = [each for each in range(KILLS) if each % len(WAYS) in (1, 3, 4)]
        async with forked(tmp_path, **settings):
            for what in ("command", "click"):
                await slack.until(
                    lambda what=what: len(shown.replies(what)) >= shown.acknowledged[what]  # type: ignore[misc]
                )
            await slack.until(lambda: all(len(shown.answers(each)) > 1 for each in requests))
            await slack.settled()

    assert sum(shown.acknowledged.values()) == KILLS
    for what in ("command", "click"):  # a reply that may be a repetition says so
        sure = [reply for reply in shown.replies(what) if NOTE not in reply]
        assert len(sure) <= shown.acknowledged[what] <= len(shown.replies(what))
    assert [len(shown.answers(each)) for each in requests] == [2] * len(requests)
    assert slack.violations == []
