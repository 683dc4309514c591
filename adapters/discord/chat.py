"""Discord as a place where people talk to the bot."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import aiohttp
import discord
import structlog

from adapters.discord import commands
from adapters.discord.addresses import Addresses, point_library_at
from adapters.discord.client import Client
from adapters.discord.delivery import EDIT_EVERY, Delivery, delivered, stands_already
from adapters.discord.downloads import download
from adapters.discord.ears import DiscordPorts, Ears
from adapters.discord.enclosures import Enclosing
from adapters.discord.errors import persistently, told
from adapters.discord.hearing import PLATFORM, TALK
from adapters.discord.markup import escaped
from adapters.discord.posting import Poster, Spot
from adapters.discord.threads import Threads, aside, spots
from adapters.discord.turns import Turns
from pipeline.domain import Blob, Event, Incoming, Link, RunId, Sentence, Thread
from pipeline.errors import ChatError, ChatGone
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()

_HISTORY = 50


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient the adapter is; times in seconds."""

    heartbeat: float = 60.0
    settle: float = 2.0
    identify: float = 5.0
    edit: float = EDIT_EVERY
    absence: timedelta = timedelta(days=3)
    max_file: int = 100 << 20
    second: float = 1.0
    """In which Discord counts its fifty calls."""


@dataclass(slots=True)
class DiscordChat:
    """The `Chat` port on Discord."""

    token: str = field(repr=False)
    ports: DiscordPorts
    addresses: Addresses = field(default_factory=Addresses)
    pace: Pace = field(default_factory=Pace)
    _client: Client | None = None
    _ears: Ears | None = None
    _online: asyncio.Event = field(default_factory=asyncio.Event)
    _turns: Turns = field(init=False)
    _threads: Threads = field(init=False)

    def __post_init__(self) -> None:
        self._turns = Turns(self.pace.second)
        self._threads = Threads(self._turns)

    @property
    def platform(self) -> str:
        return PLATFORM

    # --- the port ---

    async def listen(self, listener: Listener) -> None:
        point_library_at(self.addresses)
        failure: BaseException | None = None
        try:
            await self._connect(listener)
        except* (discord.DiscordException, aiohttp.ClientError, OSError) as group:
            failure = group.exceptions[0]
        if isinstance(failure, Exception):
            raise told(failure) from failure

    async def download(self, link: Link) -> Blob:
        return await download(
            link,
            self.ports.fetch,
            hosts=frozenset(self.addresses.cdn_hosts),
            max_bytes=self.pace.max_file,
            client=self._client,
        )

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        client, ears = await self._connected()
        room = client.get_channel(int(thread.root)) if thread.root.isdigit() else None
        if not isinstance(room, discord.Thread | discord.DMChannel):
            return ()
        until = discord.Object(int(before)) if before.isdigit() else None

        async def read() -> list[discord.Message]:
            return [said async for said in room.history(limit=_HISTORY, before=until)]

        try:
            said = await persistently(read)
        except ChatGone:
            return ()
        roots = [_root_of(message) for message in reversed(said)]
        return [await ears.incoming(message, thread) for message in roots if message is not None]

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        client, _ = await self._connected()
        if await stands_already(self.ports.ledger, run):
            return
        ports = self.ports
        delivery = Delivery(
            run=run,
            locale=message.person.locale,
            spots=lambda: _spots(client, message, self._threads),
            poster=Poster(ports.ledger, client, self._turns),
            enclosing=Enclosing(ports.files, ports.media, ports.sign),
            pause=self.pace.edit,
        )
        failure: BaseException | None = None
        try:
            await delivery.show(events)
        except* ChatError as group:
            failure = group.exceptions[0]
        if failure is not None:
            raise failure
        await delivered(ports.ledger, run)

    # --- connecting ---

    async def _connect(self, listener: Listener) -> None:
        """Until cancelled, or until Discord has enough of us."""
        client = await self._logged_in(listener)
        self._client = client
        try:
            await self._register(client, listener)
            await client.run_until_closed()
        finally:
            self._online.clear()
            await _closed(client)

    async def _logged_in(self, listener: Listener) -> Client:
        """A client that Discord knows. Tried until Discord answers; a wrong token is no reason to try again."""
        while True:
            turns, threads = self._turns, self._threads
            ears = Ears(listener, self.ports, self._online, self.pace.absence, turns, threads)
            pace = self.pace
            client = Client(
                ears, turns, heartbeat=pace.heartbeat, settle=pace.settle, identify=pace.identify
            )
            self._ears, ears.client = ears, client
            try:
                await client.login(self.token)
            except (aiohttp.ClientError, OSError, discord.DiscordServerError):
                log.warning("discord is not reached, trying again")
                await _closed(client)
                await asyncio.sleep(self.pace.settle)
            except BaseException:
                await _closed(client)
                raise
            else:
                return client

    async def _register(self, client: Client, listener: Listener) -> None:
        """Tell Discord the commands, when they have changed."""
        application = client.application_id or 0
        wanted = commands.payloads(listener.commands)
        known = await persistently(lambda: commands.registered(client, application))
        if commands.differ(known, wanted):
            await persistently(
                lambda: client.http.bulk_upsert_global_commands(application, payload=wanted)
            )

    async def _connected(self) -> tuple[Client, Ears]:
        """Once the library is ready; whoever comes before waits."""
        await self._online.wait()
        if self._client is None or self._ears is None:
            raise ChatError("discord-unreachable")
        return self._client, self._ears


async def _spots(
    client: Client, message: Incoming, threads: Threads
) -> AsyncIterator[tuple[Spot, str]]:
    """The thread, a reply, and at last a direct message that says why it is one."""
    for spot in await spots(client, message, threads):
        yield spot, ""
    beside = await aside(client, message)
    if beside is not None:
        room = client.get_channel(int(message.thread.channel.id))
        where = Sentence("discord-aside", {"channel": f"#{room}"})
        yield beside, escaped(say(message.person.locale, where))


async def _closed(client: Client) -> None:
    await client.close()
    if client.http.connector is not discord.utils.MISSING:
        await client.http.connector.close()


def _root_of(message: discord.Message) -> discord.Message | None:
    """What somebody said; for the notice that begins a thread, the message on which it hangs."""
    if message.type is discord.MessageType.thread_starter_message and message.reference:
        found = message.reference.resolved
        return found if isinstance(found, discord.Message) else None
    return message if message.type in TALK and (message.content or message.attachments) else None
