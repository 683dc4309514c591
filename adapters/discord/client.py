"""The library's client: what it hears is handed on at once, to be taken in the order of each place."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol
from weakref import WeakValueDictionary

import discord
import structlog
from cachetools import TTLCache

from adapters.discord.turns import Turns

log = structlog.get_logger()

_REMEMBERED, _SECONDS = 10_000, 3600.0
_LONGEST_WAIT = 4
"""As a power of two, in seconds."""

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)
Task = Coroutine[Any, Any, None]


_NEEDED = frozenset({"READY", "RESUMED"})


def _forgiving(parsers: dict[str, Callable[[Any], None]]) -> None:
    """An event that the library cannot read, such as a change that tells only what changed, would end its connection."""

    def guarded(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
        def attempt(payload: object) -> None:
            try:
                parse(payload)
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                log.warning("discord told what cannot be read", kind=name, problem=repr(error))

        return attempt

    for name in parsers.keys() - _NEEDED:
        parsers[name] = guarded(name, parsers[name])


class Hearer(Protocol):
    """Whoever is told what is heard."""

    async def heard(self, message: discord.Message) -> None: ...
    async def changed(self, message: discord.Message) -> None: ...
    async def gone(self, place: int, guild: int | None, messages: set[int]) -> None: ...
    async def used(self, interaction: discord.Interaction) -> None: ...
    async def back(self) -> None:
        """Connected anew: what was missed is to be read up."""
        ...


class Client(discord.AutoShardedClient):
    """Hears only what it needs, keeps few members, pings nobody."""

    def __init__(
        self, ears: Hearer, turns: Turns, *, heartbeat: float, settle: float, identify: float
    ) -> None:
        super().__init__(
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            heartbeat_timeout=heartbeat,
            guild_ready_timeout=settle,
            http_trace=turns.trace,
        )
        _forgiving(self._connection.parsers)
        self.ears = ears
        self._between_identifies = identify
        self._was_ready = False
        self._owner: asyncio.TaskGroup | None = None
        self._known: TTLCache[str, bool] = TTLCache(_REMEMBERED, _SECONDS)
        self._order: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def run_until_closed(self) -> None:
        """Stay connected; what was begun meanwhile is stopped at the end. Raises what the library raises."""
        async with asyncio.TaskGroup() as group:
            self._owner = group
            try:
                await self.connect()
            finally:
                self._owner = None

    async def before_identify_hook(
        self,
        shard_id: int | None,  # noqa: ARG002 - the library's
        *,
        initial: bool = False,
    ) -> None:
        """Discord lets a bot identify once in five seconds."""
        if not initial:
            await asyncio.sleep(self._between_identifies)

    async def on_message(self, message: discord.Message) -> None:
        if self._first(f"m{message.id}"):
            self._take(message.channel.id, lambda: self.ears.heard(message))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        message = event.message
        if message.edited_at and self._first(f"e{message.id}:{message.edited_at}"):
            self._take(event.channel_id, lambda: self.ears.changed(message))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        gone = {event.message_id}
        self._take(event.channel_id, lambda: self.ears.gone(event.channel_id, event.guild_id, gone))

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        gone = event.message_ids
        self._take(event.channel_id, lambda: self.ears.gone(event.channel_id, event.guild_id, gone))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        if self._first(f"i{interaction.id}"):
            self.begin(lambda: self.ears.used(interaction))

    async def on_shard_connect(self, shard_id: int) -> None:
        """After an outage the library would wait for up to 17 minutes before it looks again."""
        shard = self.get_shard(shard_id)
        if shard is not None:
            shard._parent._backoff._max = _LONGEST_WAIT  # noqa: SLF001 - it has no setting for this

    async def on_ready(self) -> None:
        if not self._was_ready:
            self._was_ready = True
            self.begin(self.ears.back)

    async def on_shard_ready(self, _: int) -> None:
        """A shard that comes back with a new session has missed what was said meanwhile."""
        if self._was_ready:
            self.begin(self.ears.back)

    def begin(self, what: Callable[[], Awaitable[None]]) -> None:
        """Something that nothing else shall wait for."""
        self._spawn(self._guarded(what))

    def _first(self, key: str) -> bool:
        """Discord may tell the same thing several times."""
        known = key in self._known
        self._known[key] = True
        return not known

    def _take(self, place: int, what: Callable[[], Awaitable[None]]) -> None:
        self._spawn(self._in_order(place, what))

    async def _in_order(self, place: int, what: Callable[[], Awaitable[None]]) -> None:
        """One after the other in each place, as it was said."""
        turn = self._order.setdefault(place, asyncio.Lock())
        async with turn:
            await self._guarded(what)

    async def _guarded(self, what: Callable[[], Awaitable[None]]) -> None:
        """The one boundary of what comes from Discord: a bug with one event harms no other."""
        try:
            await what()
        except Exception:
            log.exception("an event from discord could not be taken")

    def _spawn(self, task: Task) -> None:
        if self._owner is None:
            task.close()
        else:
            self._owner.create_task(task)
