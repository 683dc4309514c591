"""Slack as a place where people talk to the bot."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import structlog
from aiohttp import web

from adapters.slack.access import Self, SlackAccess
from adapters.slack.acknowledging import Acknowledgements
from adapters.slack.asking import Asking
from adapters.slack.blocks import messages, said
from adapters.slack.calls import SlackCalls
from adapters.slack.catching_up import Active, CatchingUp
from adapters.slack.directory import Directory
from adapters.slack.downloading import download
from adapters.slack.hearing import Hearing
from adapters.slack.incoming import PLATFORM, SAID, by_bot, incoming
from adapters.slack.line import APPS, HttpMode, Socket, bolt, still_ours
from adapters.slack.pace import Pace
from adapters.slack.posting import Post, Posts
from adapters.slack.refusals import Gone, Refused
from adapters.slack.replying import Replies
from adapters.slack.showing import Rhythm, Showing
from adapters.slack.uploads import Uploads
from pipeline.domain import (
    Blob,
    Channel,
    Event,
    Incoming,
    Link,
    RunId,
    Sentence,
    Thread,
)
from pipeline.errors import ChatError, SettingsError
from pipeline.links import Sign, unsigned
from pipeline.ports import Fetch, Files, Ledger, Listener, MediaTools, Seen
from pipeline.words import say

_EARLIER = 50

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SlackPorts:
    """What the adapter needs of the rest of the program."""

    ledger: Ledger
    seen: Seen
    files: Files
    fetch: Fetch
    media: MediaTools
    active: Active
    sign: Sign = unsigned


class SlackChat:
    """One workspace."""

    platform = PLATFORM

    def __init__(
        self,
        access: SlackAccess,
        ports: SlackPorts,
        *,
        rhythm: Rhythm | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._access = access
        self._ports = ports
        self._rhythm = rhythm or Rhythm()
        self._calls = SlackCalls(access, pace or Pace())
        self._directory = Directory(self._calls)
        self._posts = Posts(self._calls, ports.ledger)
        self._uploads = Uploads(self._posts, ports.files, ports.media, access.max_upload)
        self._acknowledgements = Acknowledgements(self._calls)
        self._http = HttpMode()
        self._me: Self | None = None

    def routes(self) -> tuple[web.RouteDef, ...]:
        """For HTTP mode: taken along by whoever serves HTTP."""
        return self._http.routes()

    async def listen(self, listener: Listener) -> None:
        me, address = await self._checked()
        try:
            await self._listening(me, listener, address)
        except ExceptionGroup as group:
            settings = group.subgroup(SettingsError)
            if settings is None:
                raise
            raise settings.exceptions[0] from group
        finally:
            self._http.open(None)

    async def _listening(self, me: Self, listener: Listener, address: str) -> None:
        async with asyncio.TaskGroup() as tasks:
            replies = Replies(self._calls, self._posts)
            hearing = Hearing(
                me,
                listener,
                self._directory,
                replies,
                self._acknowledgements,
                self._ports.seen,
                tasks,
            )
            asking = Asking(me, listener, self._directory, replies)
            app = bolt(self._access, me, self._calls, hearing, asking)
            catching_up = CatchingUp(me, self._posts, hearing, self._ports.active)
            await catching_up.look()
            tasks.create_task(self._until_revoked(hearing))
            if self._access.http:
                self._http.open(app)
            else:
                socket = Socket(self._access, self._calls, catching_up.look, address)
                tasks.create_task(socket.hold(app))
            log.info("listening on slack", team=me.team, http=self._access.http)

    async def download(self, link: Link) -> Blob:
        return await download(link, self._calls, self._ports.fetch)

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        me = await self._who()
        found = [
            message
            async for message in self._posts.messages(thread)
            if str(message["ts"]) < before
            and message.get("subtype") in SAID
            and not by_bot(message, me)
        ]
        return [
            await incoming(me, self._directory, thread.channel.id, message)
            for message in found[-_EARLIER:]
        ]

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        showing = Showing(message, run, self._posts, self._uploads, self._rhythm)
        try:
            await showing.keep_up(events)
            await showing.deliver(self._ports.sign)
        except Gone as gone:
            await self._tell_elsewhere(message, run, gone)
            raise
        finally:
            await self._acknowledgements.clear(message)

    async def _tell_elsewhere(self, message: Incoming, run: RunId, gone: Gone) -> None:
        """Where the thread is closed to us, the person is told in a direct message."""
        locale = message.person.locale
        place = f"<#{message.thread.channel.id}>"
        sentence = Sentence("slack-could-not-answer", {"channel": "§", "reason": gone.sentence})
        try:
            opened = await self._calls.ask("conversations.open", users=message.person.id)
            channel = Channel(PLATFORM, message.thread.channel.workspace, opened["channel"]["id"])
            parts = [part.replace("§", place) for part in messages(say(locale, sentence))[0]]
            await self._posts.put(Thread(channel, ""), Post(run, "elsewhere"), said(parts))
        except ChatError as error:
            log.warning("could not tell that there is no answer", run=run, error=str(error))
            await self._acknowledgements.warn(message)

    async def _until_revoked(self, hearing: Hearing) -> None:
        """Also told when a person's token is taken away, which is none of ours."""
        while True:
            await hearing.revoked.wait()
            hearing.revoked.clear()
            await still_ours(self._calls)

    async def _checked(self) -> tuple[Self, str]:
        """Who we are, and an address for the socket. Raises SettingsError for tokens that do not work, before all else."""
        if self._access.http and not self._access.signing_secret:
            raise SettingsError("slack-signing-secret-missing", link=APPS)
        try:
            me = await self._who()
        except Refused as refused:
            raise SettingsError("slack-bot-token-wrong", code=refused.code, link=APPS) from refused
        if self._access.http:
            return me, ""
        try:
            opened = await self._calls.ask(
                "apps.connections.open", app_token=self._access.app_token
            )
        except Refused as refused:
            raise SettingsError("slack-app-token-wrong", code=refused.code, link=APPS) from refused
        return me, str(opened["url"])

    async def _who(self) -> Self:
        if self._me is None:
            card = await self._calls.ask("auth.test")
            self._me = Self(str(card["team_id"]), str(card["user_id"]), str(card.get("bot_id")))
        return self._me
