"""How many requests each person and each channel may make in a minute."""

from dataclasses import dataclass
from math import ceil

from pipeline.domain import Person, Thread
from pipeline.errors import OverLimit
from pipeline.ports import RateLimits

_SECONDS = 60


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Limits the requests per minute of each person and of each channel, at all programs together.

    A request that the channel has no room for counts for its person, but not the other way round:
    one person must not use up what others may say.
    """

    rate_limits: RateLimits
    per_person: int
    per_channel: int

    async def check(self, person: Person, thread: Thread) -> None:
        """Count a request. Raises OverLimit if this person or this channel had too many."""
        channel = thread.channel
        person_key = f"{channel.platform}:{channel.workspace}:person:{person.id}"
        await self._count("over-limit-person", person_key, self.per_person)
        await self._count("over-limit-channel", f"{channel.key}:channel", self.per_channel)

    async def _count(self, sentence: str, key: str, most: int) -> None:
        is_over = most < 1 or (
            await self.rate_limits.reserve(key, most=most, seconds=_SECONDS, patience=0) is None
        )
        if is_over:
            raise OverLimit(sentence, limit=most, seconds=ceil(_SECONDS / max(1, most)))
