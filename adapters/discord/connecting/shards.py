"""Which of Discord's shards this replica connects: those of which it has the lease."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from math import ceil
from time import monotonic

import discord
import structlog

from adapters.chat.ports import ChatPorts
from adapters.discord.connecting.members import Members
from adapters.discord.connecting.times import DiscordTimes
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import (
    close_shard,
    count_shards,
    has_session,
    open_shard,
)
from adapters.discord.web_api.limits import RateLimit
from pipeline.errors import StoreUnavailable
from pipeline.ports import Topic

_SILENCE = 1.5
"""After how many renewals without a word a replica may be dead."""
_PATIENT_ROUNDS = 2
"""Renewals for which a free shard is left to replicas with fewer shards than their share."""
_LEAVING_SECONDS = 2.0
"""How long the end of the program waits for leases to be given back; they run out anyway."""
_LONGEST_PAUSE = 60.0
"""Seconds between two looks whether Discord takes new sessions again."""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class ShardHolder:
    """Connects the shards of which this replica has the lease, and shares them with the others.

    Each shard has a lease, renewed as long as the shard is connected here. When a replica dies, its
    leases run out, and the others take its shards. One that has at least two shards more than
    another gives one up, one at a time and only while all shards are held; so shares become even
    and stay so. A replica without any shard answers what others have heard.

    A frozen replica learns at its next renewal that it has lost a shard, and closes it. Until then
    some events come to two replicas; the inbox takes each message once. While the database is away,
    nobody can take a shard, and all are kept.

    An example with shards 0 to 3 and two replicas:

        A starts alone              # A: 0 1 2 3
        B starts                    # A gives up 3, then 2; B takes them. A: 0 1, B: 3 2
        A is killed                 # its leases run out: B: 3 2 0 1
    """

    client: discord.AutoShardedClient
    ports: ChatPorts
    times: DiscordTimes
    calls: RateLimit
    online: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once answers can be posted: a shard is ready, or none is to be had."""
    _counted: asyncio.Event = field(default_factory=asyncio.Event)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _members: Members = field(init=False)
    _gateway: str = ""
    _held: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    """By shard: what connects it, done once it is connected."""
    _well: dict[int, float] = field(default_factory=dict)
    """When each shard that we hold was last seen connected, or was taken."""
    _turns: set[int] = field(default_factory=set)
    """Shards that may begin a session now."""
    _resting_until: float = 0.0
    _rounds_of_want: int = 0
    """Renewals in a row at which a shard was free."""

    async def begin(self) -> None:
        """Ask Discord how many shards there are."""
        count, self._gateway = await count_shards(self.client)
        self._members = Members(
            notifications=self.ports.notifications, count=count, patience=self.times.lease
        )
        self._counted.set()

    async def wait_for_turn(self, shard: int) -> None:
        """Wait until the shard may begin a session: Discord limits that for all replicas.

        One that is connected for the first time has waited already, without a connection.
        """
        if shard in self._turns:
            self._turns.remove(shard)
            return
        while (limits := await retry_call(self.client.fetch_session_start_limits)).remaining <= 0:
            log.warning("discord takes no new session", seconds=limits.reset_after / 1000)
            await asyncio.sleep(min(limits.reset_after / 1000, _LONGEST_PAUSE))
        group = shard % max(1, limits.max_concurrency)
        key = f"discord:{self.client.application_id}:identify:{group}"
        wait = await self.ports.rate_limits.reserve(key, most=1, seconds=self.times.identify)
        await asyncio.sleep(wait or 0.0)

    def is_heard(self, guild: int) -> bool:
        """Whether the gateway tells us of a server, by its id."""
        shard = (guild >> 22) % (self.client.shard_count or 1)
        return shard in self._held and has_session(self.client, shard)

    @property
    def is_connected(self) -> bool:
        """Whether all shards that we hold are connected, and we know which those are."""
        shards = [self.client.get_shard(shard) for shard in self._held]
        return self.online.is_set() and all(each and not each.is_closed() for each in shards)

    async def hold(self) -> None:
        """Take, renew, share and give up shards until cancelled; then give all of them back."""
        await self._counted.wait()
        with self.ports.notifications.subscribe(Topic.SHARDS, self._hear):
            async with self._giving_back(), asyncio.TaskGroup() as tasks:
                due = monotonic()
                while True:
                    is_due = monotonic() >= due
                    due = monotonic() + self.times.renewal if is_due else due
                    await self._look(tasks, is_due=is_due)
                    await self._wait(due)

    async def _look(self, tasks: asyncio.TaskGroup, *, is_due: bool) -> None:
        """Take free shards; if it is due, first renew ours, and give one up if others lack some."""
        if is_due:
            await self._renew()
        is_told = is_due or self._woken.is_set()
        self._woken.clear()
        await self._take_free(tasks, is_due=is_due)
        if is_due and await self._give_up_one():
            await self._members.announce(len(self._held), frees=True)
        elif is_told:
            await self._members.announce(len(self._held), leaves=self._is_resting)
        self.calls.share(1 + len(self._members.list_loads()))
        if not self._held:
            self.online.set()

    async def _wait(self, due: float) -> None:
        """Wait until the next renewal is due, or there is something to take."""
        is_silent = self._members.is_one_silent(_SILENCE * self.times.renewal)
        pause = max(0.0, due - monotonic())
        with suppress(TimeoutError):
            async with asyncio.timeout(min(pause, self.times.look) if is_silent else pause):
                await self._woken.wait()

    def _hear(self, text: str | None) -> None:
        try:
            if self._members.hear(text):
                self._woken.set()
        except (LookupError, TypeError, ValueError):
            log.warning("a replica of another version tells of its shards", text=text)

    @property
    def _is_resting(self) -> bool:
        return monotonic() < self._resting_until

    def _name(self, shard: int) -> str:
        return f"discord:shard:{shard}/{self._members.count}"

    async def _renew(self) -> None:
        """Renew what we hold, and close what was lost or has had no connection for too long.

        Not by `hold_lease`, as silence loses no shard: while the database is away, all are kept.
        """
        for shard in tuple(self._held):
            if not await self.ports.leases.acquire(self._name(shard), self.times.lease):
                log.warning("discord shard was taken over", shard=shard)
                await self._close(shard)
                continue
            info = self.client.get_shard(shard)
            if info and not info.is_closed():
                self._well[shard] = monotonic()
            elif self._well[shard] < monotonic() - self.times.unwell and self._members.list_loads():
                log.warning("discord shard has no connection here", shard=shard)
                self._resting_until = monotonic() + self.times.unwell
                await self._give_up(shard)

    async def _take_free(self, tasks: asyncio.TaskGroup, *, is_due: bool) -> None:
        """Take free shards, up to our share; more only if nobody else takes them."""
        others, count = self._members.list_loads(), self._members.count
        is_wanting = len(self._held) + sum(others.values()) < count
        self._rounds_of_want = (self._rounds_of_want + is_due) if is_wanting else 0
        may_look = is_wanting or self._members.is_one_silent(_SILENCE * self.times.renewal)
        if self._is_resting or not may_look:
            return
        share = ceil(count / (1 + len(others)))
        share += self._rounds_of_want > _PATIENT_ROUNDS
        for shard in range(count):
            if len(self._held) >= share or not all(each.done() for each in self._held.values()):
                return  # one after the other: meanwhile other replicas may start
            if shard in self._held:
                continue
            if await self.ports.leases.acquire(self._name(shard), self.times.lease):
                log.info("discord shard taken", shard=shard, of=count)
                self._well[shard] = monotonic()
                self._held[shard] = tasks.create_task(self._connect(shard))

    async def _connect(self, shard: int) -> None:
        """Connect a shard, however long that takes. Raises ChatError."""
        await self.wait_for_turn(shard)
        self._turns.add(shard)
        await open_shard(self.client, self._gateway, shard)
        self._woken.set()  # there may be more to take

    async def _give_up_one(self) -> bool:
        """Give up a shard if another replica has at least two fewer, and all are held."""
        others, mine = self._members.list_loads(), len(self._held)
        is_settled = mine + sum(others.values()) == self._members.count
        is_ours = (mine, self._members.id) == max(
            [(mine, self._members.id), *((held, id_) for id_, held in others.items())]
        )
        if not (others and is_settled and is_ours and mine >= min(others.values()) + 2):
            return False
        shard = max(self._held)
        log.info("discord shard given up", shard=shard)
        await self._give_up(shard)
        return True

    async def _give_up(self, shard: int) -> None:
        await self._close(shard)
        await self.ports.leases.release(self._name(shard))

    async def _close(self, shard: int) -> None:
        self._held.pop(shard).cancel()
        del self._well[shard]
        self._turns.discard(shard)
        guilds = await close_shard(self.client, shard)
        self.client.dispatch("shard_given_up", shard, guilds)

    @asynccontextmanager
    async def _giving_back(self) -> AsyncIterator[None]:
        """At the end, give back all shards, so that others have them at once."""
        try:
            yield
        finally:
            with suppress(TimeoutError, StoreUnavailable):
                async with asyncio.timeout(_LEAVING_SECONDS):
                    for shard in tuple(self._held):
                        await self._give_up(shard)
                    await self._members.announce(0, leaves=True)
