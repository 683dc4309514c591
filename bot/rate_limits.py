"""How many requests each person and each channel may make in a minute."""

from dataclasses import dataclass, field
from math import ceil

from aiolimiter import AsyncLimiter
from cachetools import TTLCache

from pipeline.domain import Person, Thread
from pipeline.errors import OverLimit


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
