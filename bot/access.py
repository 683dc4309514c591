"""Who may do what, and how often: the gate and the limits, out of the settings."""

from dataclasses import dataclass, field
from math import ceil

from aiolimiter import AsyncLimiter
from cachetools import TTLCache

from pipeline.domain import Person, Thread
from pipeline.errors import NotAllowed, OverLimit

GUARDED = frozenset({"settings", "forget channel", "learned forget all"})
"""What only an admin may do."""
_AT_HOME = frozenset({"web", "console"})
"""Surfaces whose only user is the one who runs the program, or who holds its token."""


@dataclass(frozen=True, slots=True)
class ListGate:
    """Lets in whom the lists allow; what is guarded is for admins: by id, by the platform's role, or at home."""

    allow: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()
    admins: frozenset[str] = frozenset()

    async def check(self, person: Person, thread: Thread, what: str) -> None:
        names = {person.id, thread.channel.id}
        if names & self.deny or (self.allow and not names & self.allow):
            raise NotAllowed("not-allowed")
        if what in GUARDED and not self._rules(person, thread):
            raise NotAllowed("not-allowed-admins", what=what)

    def _rules(self, person: Person, thread: Thread) -> bool:
        return (
            person.id in self.admins
            or "admin" in person.roles
            or thread.channel.platform in _AT_HOME
        )


@dataclass(slots=True)
class RateLimits:
    """So many requests a minute for each person and for each channel."""

    per_person: int
    per_channel: int
    _known: TTLCache[str, AsyncLimiter] = field(
        default_factory=lambda: TTLCache(maxsize=10_000, ttl=120)
    )

    async def check(self, person: Person, thread: Thread) -> None:
        who = f"{thread.channel.platform}:{thread.channel.workspace}:person:{person.id}"
        where = f"{thread.channel.key}:channel"
        mine = self._limiter(who, self.per_person)
        all_of_us = self._limiter(where, self.per_channel)
        if not mine.has_capacity():
            raise _over("over-limit-person", self.per_person)
        if not all_of_us.has_capacity():
            raise _over("over-limit-channel", self.per_channel)
        await mine.acquire()
        await all_of_us.acquire()

    def _limiter(self, key: str, per_minute: int) -> AsyncLimiter:
        limiter = self._known.get(key) or AsyncLimiter(per_minute, 60)
        self._known[key] = limiter
        return limiter


def _over(sentence: str, per_minute: int) -> OverLimit:
    """There is room for another one after so many seconds."""
    return OverLimit(sentence, limit=per_minute, seconds=ceil(60 / per_minute))
