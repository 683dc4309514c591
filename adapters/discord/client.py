"""discord.py's client: passes its events to the conversation, each once and in order."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import structlog
from cachetools import LRUCache
from yarl import URL

from adapters.chat.backfill import Backfill
from adapters.chat.dispatcher import Args, Dispatcher
from adapters.chat.erasure import find_erasing
from adapters.chat.failures import contain
from adapters.chat.manners import is_expected
from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.chat.retrying import make_retrying
from adapters.discord.commands import DiscordCommands
from adapters.discord.reading.long_text import read_long_text
from adapters.discord.reading.messages import SPOKEN, is_readable, read_message
from adapters.discord.reading.missed import find_time, make_id, name_place, read_rooms
from adapters.discord.reading.threads import find_files_above, find_thread, find_thread_of
from adapters.discord.showing.markdown import escape
from adapters.discord.showing.places import Threads, has_threads
from adapters.discord.web_api.addresses import PORTAL
from adapters.discord.web_api.calls import call_once, make_nonce, retry_call
from adapters.discord.web_api.errors import CALL_ERRORS, SERVER_ERROR, UNAUTHORIZED
from adapters.discord.web_api.limits import RateLimit
from adapters.discord.web_api.rooms import PLATFORM, find_room
from adapters.network.connections import Connector
from adapters.network.rule import Network
from pipeline.bounds import bound_json
from pipeline.domain import Blob, Incoming, Link, LocalizedText, Thread
from pipeline.errors import ChatError, ChatGone, FetchError, SettingsError, is_passing
from pipeline.outage import Tell
from pipeline.ports import Listener
from pipeline.words import say

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)
FEWEST_INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
"""Mentions, direct messages and commands are heard with these, too."""
MOST_CALLS = 48
"""Calls in any second. Discord allows fifty: the library keeps the limits of single routes, but
learns of the global limit only by exceeding it.
"""
PROGRESS_RESERVE = 20
"""Calls that progress leaves for threads and answers."""
_MOST_KEPT = 10_000
"""People whose language is remembered."""
_LONGEST_BACKOFF = 4
"""The longest wait between attempts to reconnect, as a power of two in seconds."""
_ESSENTIAL = frozenset({"READY", "RESUMED"})
_BY_PEOPLE = ("MESSAGE_CREATE", "MESSAGE_UPDATE", "INTERACTION_CREATE")
_EYES = "👀"
_FIRST_WAIT = 1.0
"""Seconds before an event is handled again that Discord's being down interrupted."""

Download = Callable[[Link], Awaitable[Blob]]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DiscordTimes:
    """The adapter's timeouts and intervals, in seconds."""

    heartbeat: float = 60.0
    settle: float = 2.0
    """How long the library waits for servers to be announced."""
    backfill: float = 15.0
    """The pause before catching up is tried again; later ones are longer."""
    opening: float = 20.0
    """How long an answer waits for its thread: Discord limits how many threads are opened."""
    registering: float = 90.0
    """How long the commands are waited for: longer than Discord is tried while it is down."""
    rate_period: float = 1.0
    """The period of Discord's limit of fifty calls."""
    rhythm: Rhythm = field(default_factory=lambda: Rhythm(between=1.2))
    """Discord allows five edits in five seconds for a whole channel."""


class DiscordClient(discord.AutoShardedClient):
    """Receives only the events it needs, caches few members, pings nobody."""

    def __init__(
        self,
        times: DiscordTimes,
        online: asyncio.Event,
        network: Network,
        intents: discord.Intents = INTENTS,
    ) -> None:
        """`online` is set once the servers are known, or a message shows that they are."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._begin_call)
        trace.on_request_end.append(self._end_call)
        trace.on_request_end.append(self._check_response)
        trace.on_request_exception.append(self._end_call)
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            heartbeat_timeout=times.heartbeat,
            guild_ready_timeout=times.settle,
            http_trace=trace,
            connector=Connector(network, limit=0),
        )
        parsers = self._connection.parsers
        for name in parsers.keys() - _ESSENTIAL:
            parsers[name] = partial(_try_parse, parsers[name])
        parsers["INTERACTION_CREATE"] = partial(_try_parse, self._on_interaction)
        for name in _BY_PEOPLE:
            parsers[name] = partial(_bound_event, parsers[name])
        self.calls = RateLimit(MOST_CALLS, times.rate_period)
        self.threads = Threads(times.opening)
        self._times, self._online, self._has_resumed = times, online, False
        self._dispatcher, self._token_refused = Dispatcher(), asyncio.Event()
        self._locales: LRUCache[int, str] = LRUCache(_MOST_KEPT)

    async def listen(self, listener: Listener, ports: ChatPorts, download: Download) -> None:
        """Stay connected until cancelled. `download` fetches a file of a message.

        Raises exception groups of SettingsError (a rejected token) and ChatError.
        """
        self._listener, self._ledger, self._download = listener, ports.ledger, download
        self._chat_log = ports.chat_log
        self._dispatcher.outage = ports.outage
        self._backfill = Backfill(
            platform=PLATFORM,
            ports=ports,
            find_time=find_time,
            make_id=make_id,
            read_rooms=partial(read_rooms, self, self._take_missed),
            skip=lambda _, message: self._dispatcher.known.update({f"m{message}": True}),
            delete=listener.on_delete,
            pause=self._times.backfill,
        )
        self._commands = DiscordCommands(self, listener, ports, self._dispatcher)
        async with asyncio.TaskGroup() as tasks:
            self._dispatcher.tasks = tasks
            watching = tasks.create_task(self._watch_token())
            try:
                await call_once(self.connect)
            finally:
                self._dispatcher.tasks = None
                watching.cancel()

    def read(self, message: discord.Message, thread: Thread) -> Incoming:
        """Messages carry no locale: take that of the person's last command, else the server's."""
        me, guild = self.user, message.guild
        if me is None:
            raise ChatError("discord-unreachable")
        default = str(guild.preferred_locale) if guild else "en"
        return read_message(message, thread, me, self._locales.get(message.author.id, default))

    async def read_whole(self, message: discord.Message, thread: Thread) -> Incoming:
        """Read a message, with the text that Discord made a file of. Raises FetchError."""
        incoming = self.read(message, thread)
        return await read_long_text(incoming, self.user.id if self.user else 0, self._download)

    async def try_to_read_whole(self, message: discord.Message, thread: Thread) -> Incoming:
        """Read a message; a long text that cannot be fetched remains a file."""
        try:
            return await self.read_whole(message, thread)
        except FetchError as error:
            log.info("long text not read", message=message.id, why=str(error))
            return self.read(message, thread)

    # --- events ---

    async def on_message(self, message: discord.Message) -> None:
        if not self._is_heard(message):
            return
        self._online.set()
        tell = partial(self._tell, message)
        if self._dispatcher.is_full:
            self._backfill.read_later(name_place(message.guild), self._dispatcher)
            self._dispatcher.start(tell, self._dispatcher.outage.notice)
        else:
            self._start(self._take_new, message, channel=message.channel.id, tell=tell)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self._start(self._change_new, event.message, channel=event.channel_id)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self._start(self._delete, event, {event.message_id}, channel=event.channel_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        self._start(self._delete, event, event.message_ids, channel=event.channel_id)

    def _on_interaction(self, payload: dict[str, Any]) -> None:
        """The library's own event would lack the JSON, which is stored."""
        user = (payload.get("member") or payload)["user"]
        self._locales[int(user["id"])] = str(payload.get("locale") or "en-US")
        self._dispatcher.start(self._commands.on_interaction, payload)

    def _start(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int,
        tell: Tell | None = None,
    ) -> None:
        """Handle an event, which Discord sends only once; while Discord is down, try again."""

        async def persist() -> None:
            await make_retrying(_FIRST_WAIT, is_passing)(handle, *args)

        self._dispatcher.start(persist, channel=channel, tell=tell)

    async def on_ready(self) -> None:
        self._online.set()
        if not self._has_resumed:
            self._has_resumed = True
            self._dispatcher.start(self._commands.resume)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A new session knows a server, or its outage is over: messages were missed there."""
        self._backfill.suspend(name_place(guild))
        self._dispatcher.start(self._backfill.read, name_place(guild))

    on_guild_join = on_guild_available

    async def on_shard_ready(self, shard_id: int) -> None:
        if shard_id == 0:  # it gets the direct messages
            self._dispatcher.start(self._backfill.read, name_place(None))

    async def on_shard_connect(self, shard_id: int) -> None:
        """Limit how long the library waits to reconnect: it would be up to 17 minutes."""
        for guild in self.guilds:
            if guild.shard_id == shard_id:
                self._backfill.suspend(name_place(guild))
        if shard_id == 0:  # it gets the direct messages
            self._backfill.suspend(name_place(None))
        shard = self.get_shard(shard_id)
        if shard is not None:
            shard._parent._backoff._max = _LONGEST_BACKOFF  # noqa: SLF001 - it has no setting for this

    # --- messages ---

    async def _take_new(self, message: discord.Message) -> None:
        """Take a message once, whether Discord sends it or it is read."""
        key = f"m{message.id}"
        if key not in self._dispatcher.known:
            await self._take(message)
            self._dispatcher.known[key] = True

    async def _change_new(self, message: discord.Message) -> None:
        key = f"e{message.id}:{message.edited_at}"
        is_edit = message.edited_at is not None and self._is_heard(message)
        if is_edit and key not in self._dispatcher.known:
            await self._change(message)
            self._dispatcher.known[key] = True

    async def _take(self, message: discord.Message) -> None:
        incoming = await self._read(message)
        if words := find_erasing(incoming, self._listener.commands):
            await self._commands.ask_to_erase(message, incoming, words)
            return
        run = await contain(self._listener.on_message(incoming))
        if isinstance(run, LocalizedText):
            await _tell_author(message, incoming, run, "no")
        elif run is not None:
            self._dispatcher.start(self._show_taken, message, incoming)
        await self._backfill.advance(name_place(message.guild), str(message.id))

    async def _find_rights(self, message: discord.Message) -> None:
        """Look up who wrote a message that was read: Discord tells no roles with it.

        Only where they count: for what is said to the bot, and for commands.
        """
        guild, author = message.guild, message.author
        if guild is None or isinstance(author, discord.Member) or message.webhook_id:
            return
        incoming = self.read(message, find_thread(message.channel, message.id))
        words = incoming.bare_text.lower().partition(" ")[0]
        is_command = any(command.name == words for command in self._listener.commands)
        if is_command or not incoming.addressing.is_overheard:
            with suppress(ChatGone):
                message.author = await retry_call(partial(guild.fetch_member, author.id))

    async def _read(self, message: discord.Message) -> Incoming:
        incoming = await self.try_to_read_whole(message, await find_thread_of(message))
        if not incoming.addressing.mentioned or incoming.earlier:
            return incoming
        return replace(incoming, earlier=await find_files_above(message))

    async def _take_missed(self, message: discord.Message) -> None:
        """Take a message, and its edit if it was taken before that."""
        if not self._is_heard(message):
            return
        async with self._dispatcher.lock(message.channel.id):
            if f"m{message.id}" not in self._dispatcher.known:
                await self._find_rights(message)
            await contain(self._take_new(message))
            await contain(self._change_new(message))

    async def _tell(self, message: discord.Message, sentence: LocalizedText) -> None:
        """Tell the author of a message something that concerns it, if it is meant for the bot."""
        incoming = self.read(message, find_thread(message.channel, message.id))
        with suppress(ChatError):
            await _tell_author(message, incoming, sentence, "wait")

    def _is_heard(self, message: discord.Message) -> bool:
        """Whether somebody else wrote a message; what bots write is context and never answered.

        One of a server that is not announced yet would count as a direct message; it is read when
        the server is.
        """
        is_by_other = message.author != self.user and message.type in SPOKEN
        is_placed = message.guild is not None or isinstance(message.channel, discord.DMChannel)
        return is_by_other and is_placed and is_readable(message)

    async def _change(self, message: discord.Message) -> None:
        edited = await self._read(message)
        if edited.addressing.mentioned:  # perhaps only now; a message is accepted once
            await self._take(message)
        await self._listener.on_edit(edited)

    async def _delete(
        self,
        event: discord.RawMessageDeleteEvent | discord.RawBulkMessageDeleteEvent,
        messages: set[int],
    ) -> None:
        channel, guild = event.channel_id, event.guild_id
        known = self.get_channel(channel)
        room = known or self.get_partial_messageable(channel, guild_id=guild)
        for id_ in sorted(messages):
            if run := await self._ledger.find_run(f"{channel}/{id_}"):
                await self._listener.on_retract(run)
            else:
                await self._listener.on_delete(find_thread(room, id_), str(id_))

    # --- feedback ---

    async def _show_taken(self, message: discord.Message, incoming: Incoming) -> None:
        """Show at once that a message was taken, where its answer will stand.

        A thread that is opened on it is sign enough; inside of one, and in a direct message, the
        bot types; where it can only reply, it reacts.
        """
        if not await is_expected(incoming, self._chat_log):
            return
        channel = find_room(self, incoming.thread.channel.id)
        is_inside = find_room(self, incoming.thread.root) is not None
        thread = None
        if not is_inside and has_threads(channel):
            with suppress(ChatError):
                thread = await self.threads.open(channel, incoming)
        if is_inside:
            await _try_call(message.channel.typing)
        elif thread is None:
            await _try_call(message.add_reaction, _EYES)

    # --- calls ---

    async def _begin_call(
        self, _: object, context: SimpleNamespace, start: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait for the rate limit before a call is sent; interaction responses do not count."""
        if not _is_interaction(start.url):
            context.call = await self.calls.begin()

    async def _end_call(self, _: object, context: SimpleNamespace, __: object) -> None:
        if call := getattr(context, "call", None):
            self.calls.end(call)

    async def _check_response(
        self, _: object, __: object, end: aiohttp.TraceRequestEndParams
    ) -> None:
        if not _is_interaction(end.url):
            if end.response.status == UNAUTHORIZED:
                self._token_refused.set()
        elif end.response.status >= SERVER_ERROR:  # else the library repeats it without a look
            raise aiohttp.ClientConnectionError(f"answered {end.response.status}")  # names no token

    async def _watch_token(self) -> None:
        """Check the token when a call is rejected: the gateway may not report a revoked one."""
        while True:
            await self._token_refused.wait()
            self._token_refused.clear()
            try:
                await self.application_info()
            except CALL_ERRORS as error:
                if getattr(error, "status", 0) == UNAUTHORIZED:
                    raise SettingsError("discord-token-revoked", link=PORTAL) from error


def has_message_content(client: discord.Client) -> bool:
    """Whether the application may read messages that do not mention it."""
    flags = client.application_flags
    return flags.gateway_message_content or flags.gateway_message_content_limited


def _is_interaction(url: URL) -> bool:
    """Responses to interactions carry a token of their own."""
    return any(part in url.path for part in ("/webhooks/", "/interactions/"))


async def _try_call(call: Callable[[*Args], Awaitable[object]], *args: *Args) -> None:
    """Make an optional call; a failure is only logged."""
    try:
        await call(*args)
    except (*CALL_ERRORS, ChatError) as error:
        log.info("optional discord call failed", problem=type(error).__name__)


async def _tell_author(
    message: discord.Message, incoming: Incoming, sentence: LocalizedText, part: str
) -> None:
    """Say something about a message that is meant for the bot; the nonce prevents repeats.

    Raises ChatError.
    """
    if not incoming.addressing.is_overheard and not incoming.person.is_bot:
        words = escape(say(incoming.person.locale, sentence))
        nonce, about = make_nonce(f"{message.id}:{part}"), message.to_reference()
        await retry_call(lambda: message.channel.send(words, nonce=nonce, reference=about))


def _bound_event(parse: Callable[[Any], None], payload: object) -> None:
    """Parse what people wrote or pressed, without lists that no person makes."""
    parse(bound_json(payload))


def _try_parse(parse: Callable[[Any], None], payload: object) -> None:
    """Log an event that the library cannot parse, instead of losing the connection."""
    try:
        parse(payload)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        quotes = isinstance(error, ValueError)  # what it could not read
        problem = type(error).__name__ if quotes else repr(error)
        log.warning("discord: unreadable event", problem=problem)
