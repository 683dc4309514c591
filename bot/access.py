"""Which messages are for the bot, who may do what, and how often."""

from dataclasses import dataclass, field
from math import ceil

from aiolimiter import AsyncLimiter
from cachetools import TTLCache

from pipeline.domain import Incoming, Person, Thread
from pipeline.errors import NotAllowed, OverLimit

_LOCAL_SURFACES = frozenset({"web", "console"})
"""Surfaces used only by whoever runs the program or holds its token."""


@dataclass(frozen=True, slots=True)
class ListGate:
    """Says who may use the program where, and who is an admin there.

    `allow` and `deny` hold ids of people and of channels; an empty `allow` lets everybody in.
    Admins are listed by id, have the platform's admin role, or use a local surface.
    """

    allow: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()
    admins: frozenset[str] = frozenset()

    def check(self, person: Person, thread: Thread, guarded: str = "") -> None:
        """Raises NotAllowed for a person or a channel that the lists keep out.

        `guarded` names an action that only admins may take, such as "forget channel"; for anybody
        else that raises NotAllowed, too.
        """
        names = {person.id, thread.channel.id}
        if names & self.deny or (self.allow and not names & self.allow):
            raise NotAllowed("not-allowed")
        if guarded and not self.is_admin(person, thread):
            raise NotAllowed("not-allowed-admins", what=guarded)

    def is_admin(self, person: Person, thread: Thread) -> bool:
        """Whether a person may take guarded actions in a thread."""
        return (
            person.id in self.admins
            or "admin" in person.roles
            or thread.channel.platform in _LOCAL_SURFACES
        )


@dataclass(slots=True)
class MessageLimits:
    """Limits the requests per minute of each person and of each channel."""

    per_person: int
    per_channel: int
    _limiters: TTLCache[str, AsyncLimiter] = field(
        default_factory=lambda: TTLCache(maxsize=10_000, ttl=120)
    )

    async def check(self, person: Person, thread: Thread) -> None:
        """Count a request. Raises OverLimit if this person or this channel had too many."""
        channel = thread.channel
        person_key = f"{channel.platform}:{channel.workspace}:person:{person.id}"
        limiters = {
            "over-limit-person": self._find_limiter(person_key, self.per_person),
            "over-limit-channel": self._find_limiter(f"{channel.key}:channel", self.per_channel),
        }
        for sentence, limiter in limiters.items():
            if not limiter.has_capacity():
                rate = int(limiter.max_rate)
                raise OverLimit(sentence, limit=rate, seconds=ceil(60 / rate))
        for limiter in limiters.values():
            await limiter.acquire()

    def _find_limiter(self, key: str, per_minute: int) -> AsyncLimiter:
        limiter = self._limiters.get(key) or AsyncLimiter(per_minute, 60)
        self._limiters[key] = limiter
        return limiter


def is_addressed(message: Incoming, mention: str) -> bool | None:
    """Whether a message is for the bot. None: only if the bot takes part in its thread.

    Mentions and direct messages are; messages by bots never are. Follow-ups without a mention are,
    unless they mention somebody else or the channel requires mentions (`mention` is "always").
    """
    addressing = message.addressing
    if message.person.is_bot:
        return False
    if addressing.direct or addressing.mentioned:
        return True
    if mention == "always" or addressing.others_mentioned:
        return False
    return True if addressing.replied_to_bot else None
