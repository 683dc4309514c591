"""Servers whose events another replica of the program hears: asked for where one is needed."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from weakref import WeakValueDictionary

import discord

from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import add_guild, add_room, remove_guild
from adapters.discord.web_api.rooms import DIRECT, find_room, parse_id
from pipeline.domain import Thread
from pipeline.errors import ChatGone

_FRESH_SECONDS = 300.0
"""How long a server counts as known: its channels and our rights may change."""
_MOST_KEPT = 200
"""Servers that are kept so; each has some 50 kB."""
_USED_SECONDS = 900.0
"""For how long one is kept in any case: an answer may need it."""


@dataclass(frozen=True, slots=True)
class _Borrowed:
    """A server that was asked for; without `guild`, one that we are not in."""

    guild: discord.Guild | None
    asked: float
    used: float


@dataclass(slots=True)
class Servers:
    """Makes the library know a place, so that all else here works as if its events came to us.

    The gateway tells only of the servers of our own shards, but any replica may answer a message.
    """

    client: discord.Client
    is_heard: Callable[[int], bool]
    """Whether the gateway tells us of all that happens in the server with this id."""
    _borrowed: dict[int, _Borrowed] = field(default_factory=dict)
    """By id, the one that was used last at the end."""
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def meet(self, thread: Thread, message: str = "") -> None:
        """Get to know the place of a thread. Raises ChatError while Discord is down.

        `message`: one on which the thread may not be opened yet.
        """
        if thread.channel.workspace == DIRECT:
            await self._meet_room(thread.channel.id)
        elif server := parse_id(thread.channel.workspace):
            is_lent = await self.meet_server(server)
            if is_lent and thread.root not in ("", message, thread.channel.id):
                await self._meet_room(thread.root)

    async def meet_server(self, id_: int) -> bool:
        """Get to know a server. Whether it is one that only other replicas hear of.

        Raises ChatError while Discord is down.
        """
        async with self._locks.setdefault(id_, asyncio.Lock()):
            known, lent = self.client.get_guild(id_), self._borrowed.pop(id_, None)
            is_lent = lent is not None and known is lent.guild
            if known is None and self.is_heard(id_):
                return False  # we are not in it
            if known is not None and not known.unavailable and not is_lent:
                return False
            now = monotonic()
            if lent is None or not is_lent or lent.asked < now - _FRESH_SECONDS:
                lent = _Borrowed(await self._ask(id_, known), now, now)
            self._borrowed[id_] = replace(lent, used=now)
            self._forget_unused(now)
            return lent.guild is not None

    async def _ask(self, id_: int, known: discord.Guild | None) -> discord.Guild | None:
        try:
            guild = await retry_call(lambda: add_guild(self.client, id_))
        except ChatGone:
            return None
        for thread in known.threads if known else ():
            thread.guild = guild
            add_room(self.client, thread)
        return guild

    def _forget_unused(self, now: float) -> None:
        for id_, lent in [*self._borrowed.items()][:-_MOST_KEPT]:
            if lent.used < now - _USED_SECONDS:
                del self._borrowed[id_]
                if lent.guild is not None:
                    remove_guild(self.client, lent.guild)

    async def _meet_room(self, id_: str) -> None:
        number = parse_id(id_)
        if number is not None and find_room(self.client, id_) is None:
            with suppress(ChatGone):
                room = await retry_call(lambda: self.client.fetch_channel(number))
                add_room(self.client, room)
