"""How often Slack's Web API may be called."""

import asyncio
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import randrange

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import RateLimits

_MOST_KEPT = 10_000
"""Channels whose posts are counted."""
_POSTS_AT_ONCE = 4
"""Posts in a channel that Slack takes in one go."""
_MARGIN = 1.1
"""For how much longer than with Slack a post counts."""
_STORE_SECONDS = 0.5
"""How long the count of all replicas may wait for the database."""
EDITS_FOR_ANSWERS = 20
"""Edits of a minute that showing progress leaves for answers."""


@dataclass(slots=True)
class Burst:
    """A rate limit that lets the first calls through at once: so many in any so many seconds.

    With `shared`, all replicas keep it together: it has as many places as calls are let through at
    once, and each is taken once in so many seconds. While the database is away, each replica keeps
    it by itself.
    """

    most: int
    seconds: float
    shared: RateLimits | None = None
    key: str = ""
    _times: deque[float] = field(init=False)
    """When the last ones were let through, at most as many as at once."""
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self._times = deque(maxlen=self.most)

    async def acquire(self) -> None:
        """Wait for room, in the order of asking."""
        loop = asyncio.get_running_loop()
        async with self._lock:
            if len(self._times) == self.most:
                await asyncio.sleep(self._times[0] + self.seconds - loop.time())
            if self.shared is not None:
                with suppress(StoreUnavailable), limit_patience(_STORE_SECONDS):
                    await asyncio.sleep(await self._reserve(self.shared))
            # Noted last: when the oldest place here is free, so is its place among the replicas.
            # Whoever is cancelled before leaves it as it was.
            self._times.append(loop.time())

    async def _reserve(self, shared: RateLimits) -> float:
        """Take the place that is free first, or one free little later. Returns when, in seconds."""
        first = randrange(self.most)  # noqa: S311 - so that replicas begin at different places
        places = [f"{self.key}:{(first + number) % self.most}" for number in range(self.most)]
        patience = 0.0
        while True:
            for place in places:
                wait = await shared.reserve(place, most=1, seconds=self.seconds, patience=patience)
                if wait is not None:
                    return wait
            patience += self.seconds / self.most


@dataclass(slots=True)
class SharedLimiter:
    """A limit that all replicas keep together: so many calls in so many seconds.

    While the database is away, each replica keeps it by itself.
    """

    limits: RateLimits
    key: str
    most: int
    seconds: float = 60.0
    _local: AsyncLimiter = field(init=False)

    def __post_init__(self) -> None:
        self._local = AsyncLimiter(self.most, self.seconds)

    async def acquire(self) -> None:
        """Wait for room."""
        try:
            with limit_patience(_STORE_SECONDS):
                wait = await self.limits.reserve(self.key, most=self.most, seconds=self.seconds)
        except StoreUnavailable:
            await self._local.acquire()
        else:
            await asyncio.sleep(wait or 0.0)

    async def take_if_free(self, leaving: int) -> bool:
        """Take a call only if `leaving` others remain. Never waits."""
        room = self.most - leaving  # the same pace, but less at once
        if room < 1:
            return False
        seconds = self.seconds * room / self.most
        try:
            with limit_patience(_STORE_SECONDS):
                wait = await self.limits.reserve(self.key, most=room, seconds=seconds, patience=0.0)
        except StoreUnavailable:
            return await take_if_free(self._local, leaving)
        return wait is not None


Limiter = AsyncLimiter | SharedLimiter


@dataclass(slots=True, kw_only=True)
class SlackLimits:
    """Rate limits: a post a second per channel, and `most_edits` a minute, most for answers.

    A limiter lets through twice its calls in a busy minute, so each has half of Slack's limit. Also
    how often other calls are made. `for_token` makes the same limits for another workspace.

    With `shared`, all replicas of the program keep them together.
    """

    shared: RateLimits | None = None
    key: str = ""
    """Stands for the token whose calls are counted together."""

    most_edits: int = 25
    post_seconds: float = 1.0
    retry_seconds: float = 0.4
    """Wait before the first retry of a call."""
    token_seconds: float = 60.0
    """How often the bot's token is checked."""
    acknowledge_seconds: float = 0.2
    """How long the acknowledgement of a command may wait for its reply."""
    stream_seconds: float = 200.0
    """How long a message is streamed; Slack ends streams after some 300 seconds."""
    edits: Limiter = field(init=False)
    streams: Limiter = field(init=False)
    appends: Limiter = field(init=False)
    reads: Limiter = field(init=False)
    """Of conversations, after the bot was away."""
    _posts: LRUCache[str, Burst] = field(init=False, default_factory=lambda: LRUCache(_MOST_KEPT))
    """By channel."""

    def __post_init__(self) -> None:
        self.edits = self._make("edits", self.most_edits)
        self.streams = self._make("streams", 10)
        self.appends = self._make("appends", 50)
        self.reads = self._make("reads", 25)

    def for_token(self, token: str) -> "SlackLimits":
        """The same limits, counted for another token."""
        return replace(self, key=sha256(token.encode()).hexdigest())

    def _make(self, name: str, most: int) -> Limiter:
        if self.shared is None:
            return AsyncLimiter(most, 60.0)
        return SharedLimiter(self.shared, f"slack:{self.key}:{name}", most)

    async def post(self, channel: str) -> None:
        """Wait until a message may be posted in a channel."""
        span = _POSTS_AT_ONCE * self.post_seconds * _MARGIN
        burst = Burst(_POSTS_AT_ONCE, span, self.shared, f"slack:{self.key}:posts:{channel}")
        await self._posts.setdefault(channel, burst).acquire()


async def take_if_free(limiter: Limiter, leaving: int = 0) -> bool:
    """Take a call only if `leaving` others remain; return whether it did. Never waits."""
    if isinstance(limiter, SharedLimiter):
        return await limiter.take_if_free(leaving)
    is_free = limiter.has_capacity(leaving + 1)
    if is_free:
        await limiter.acquire()
    return is_free
