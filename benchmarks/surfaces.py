"""One person's way through Slack and Discord, and what the simulated platforms were sent.

Each state is a title and its items, as draw_blocks.html takes them: a person's words, a sign that
the request was taken, messages, views.
"""

import asyncio
import base64
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from tests.servers.discord import DiscordServer, payloads
from tests.servers.discord.values import Account, Channel
from tests.servers.discord.values import Message as Said
from tests.servers.discord.world import Interaction
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import BOT_USER, GENERAL

Json = dict[str, Any]
SETTLED = 2.0
"""Seconds until the last edit of a message has come."""
RUNNING, STOPPED, ANSWERED = "The plan at work", "Stopped", "The answer, with a failed step"
DETAILS, SETTINGS, THREADS = "Details", "Settings", "Which thread is meant"
ERASING, FORM = "Asked to forget somebody", "The form of a request"


async def _settle(until: Callable[..., Any], true: Callable[[], object]) -> None:
    await until(true)
    await asyncio.sleep(SETTLED)


def _person(text: str) -> Json:
    return {"item": "person", "text": f"@troupe {text}"}


def _address(data: bytes, media_type: str) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _find_id(parts: object, action: str) -> str:
    """The id of a button or select, wherever it is."""
    found = json.dumps(parts).split(f'"troupe:{action}', 1)[1]
    return f"troupe:{action}{found.split(chr(34), 1)[0]}"


# --- Slack ---


class SlackWalk:
    """A person in a channel."""

    def __init__(self, slack: SlackServer) -> None:
        self.slack = slack
        self.states: list[Json] = []
        self.root = ""

    async def take(self, working: str, finished: str) -> Sequence[Json]:
        """Ask for two things, stop the first, and use everything there is."""
        slack, people = self.slack, self.slack.people
        self.root = people.say(f"<@{BOT_USER}> {working}")
        await _settle(slack.until, lambda: self._shows("Wan-AI"))
        signs = [each["status"] for each in slack.space.statuses if each["status"]]
        taken = [{"item": "status", "text": f"Troupe {sign}"} for sign in signs[:1]]
        self._add(RUNNING, _person(working), *taken, *self._said(), *self._own_stop())
        await self._stop()
        await _settle(slack.until, lambda: self._shows("Stopped."))
        self._add(STOPPED, *self._said())
        self.root = people.say(f"<@{BOT_USER}> {finished}")
        await _settle(slack.until, lambda: self._shows("troupe:details"))
        self._add(ANSWERED, _person(finished), *self._said())
        await self._use(DETAILS, lambda: self._press("details"))
        for title, words in {SETTINGS: "settings", THREADS: "plan", ERASING: "forget me"}.items():
            await self._use(title, lambda words=words: people.command(words))  # type: ignore[misc]
        await self._use(FORM, lambda: people.global_shortcut("troupe:ask"))
        for tab in ("home", "messages"):
            await self._use(f"The app's tab: {tab}", partial(self._open_tab, tab))
        return self.states

    def _add(self, title: str, *items: Json) -> None:
        self.states.append({"title": title, "items": [self._complete(item) for item in items]})

    def _said(self) -> list[Json]:
        said = self.slack.said(GENERAL, self.root)
        return [{"item": "message", **m.body} for m in said]

    def _shows(self, words: str) -> bool:
        return words in repr(self._said())

    def _own_stop(self) -> list[Json]:
        """Slack's own button for the thread, where there is one."""
        state = self.slack.streams.sessions.get((GENERAL, self.root))
        return [{"item": "button", "text": "Stop"}] if state == "processing" else []

    async def _stop(self) -> None:
        if self._own_stop():
            self.slack.people.stop(GENERAL, self.root)
        else:
            await self._press("stop")

    async def _press(self, action: str) -> None:
        said = self.slack.said(GENERAL, self.root)
        message = next(m for m in said if f"troupe:{action}" in repr(m.body.get("blocks")))
        await self.slack.people.press(GENERAL, message.ts, f"troupe:{action}")

    async def _use(self, title: str, act: Callable[[], Any]) -> None:
        """Do something; what only this person is shown then, if anything."""
        space, made = self.slack.space, self.slack.calls.made
        sent: tuple[list[Any], ...] = (space.ephemerals, space.responses, made)
        before = [len(each) for each in sent]
        await act()
        await asyncio.sleep(SETTLED)
        notes, replies, calls = (each[start:] for each, start in zip(sent, before, strict=True))
        private = [{"item": "message", "private": True, **body} for body in (*notes, *replies)]
        opened = [{"item": "view", **args["view"]} for _, args in calls if "view" in args]
        prompts = [{"item": "prompts", **args} for _, args in calls if "prompts" in args]
        if shown := (*private, *opened[-1:], *prompts[-1:]):
            self._add(title, *shown)

    async def _open_tab(self, tab: str) -> None:
        self.slack.people.open_app(tab)

    def _complete(self, part: Any) -> Any:  # noqa: ANN401 - JSON
        """The same with the content of each file that it names."""
        if isinstance(part, list):
            return [self._complete(each) for each in part]
        if not isinstance(part, dict):
            return part
        whole = {name: self._complete(each) for name, each in part.items()}
        named = part.get("slack_file", part)
        if file := self.slack.space.files.get(str(named.get("id"))):
            kind = str(part.get("mimetype", "image/png"))
            address = _address(file.content or b"", kind)
            card = {"filename": file.name, "content_type": kind, "description": file.alt}
            whole |= {**card, "url": address, "image_url": address}
        return whole


# --- Discord ---


class DiscordWalk:
    """A person in a server. Make it before the bot connects."""

    def __init__(self, discord: DiscordServer) -> None:
        self.discord = discord
        self.ada: Account = discord.people.person("ada")
        guild = discord.people.guild("team", self.ada)
        self.room: Channel = discord.people.channel(guild, "general")
        self.states: list[Json] = []
        self.asked: Said | None = None

    async def take(self, working: str, finished: str) -> Sequence[Json]:
        """Ask for two things, stop the first, and use everything there is."""
        ada, people, until = self.ada, self.discord.people, self.discord.world.until
        self.asked = people.say(ada, self.room, f"<@{self.discord.bot.id}> {working}")
        await _settle(until, lambda: self._shows("Wan-AI"))
        taken = [{"item": "reaction", "text": sign} for sign in self.asked.reactions]
        self._add(RUNNING, _person(working), *taken, *self._posts(self._said()))
        self._press("stop")
        await _settle(until, lambda: not self._shows("troupe:stop"))
        self._add(STOPPED, *self._posts(self._said()))
        self.asked = people.say(ada, self.room, f"<@{self.discord.bot.id}> {finished}")
        await _settle(until, lambda: self._shows("troupe:details"))
        self._add(ANSWERED, _person(finished), *self._posts(self._said()))
        await self._use(DETAILS, self._press("details"))
        uses = {FORM: ("ask", {}), SETTINGS: ("settings", {}), ERASING: ("forget", {"what": "me"})}
        for title, (words, options) in uses.items():
            await self._use(title, people.command(ada, self.room, words, options))
        return self.states

    def _add(self, title: str, *items: Json) -> None:
        self.states.append({"title": title, "items": items})

    def _said(self) -> list[Said]:
        thread = self.asked.thread if self.asked else None
        return self.discord.transcript(thread) if thread else []

    def _shows(self, words: str) -> bool:
        return words in repr([(m.content, m.components) for m in self._said()])

    def _press(self, action: str) -> Interaction:
        said = next(m for m in self._said() if f"troupe:{action}" in repr(m.components))
        return self.discord.people.press_id(self.ada, said, _find_id(said.components, action))

    async def _use(self, title: str, use: Interaction) -> None:
        """What a click or command brought: messages, or a form."""
        await _settle(self.discord.world.until, lambda: use.callback is not None)
        form = use.callback or {}
        opened = [{"item": "view", **form}] if "title" in form else self._posts(use.answers)
        self._add(title, *opened)

    def _posts(self, said: Iterable[Said]) -> list[Json]:
        """Messages as people see them, with their files' content."""
        posts: list[Json] = []
        for message in said:
            cards = [
                payloads.upload(upload, "", message.channel)
                | {"url": _address(upload.body, upload.media_type)}
                for upload in message.uploads
            ]
            shown = {**payloads.message(message, ""), "attachments": cards}
            posts.append({"item": "message", **shown})
        return posts
