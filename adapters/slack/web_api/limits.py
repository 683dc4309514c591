"""How often Slack's Web API may be called."""

import asyncio
from collections import deque
from dataclasses import dataclass, field

from aiolimiter import AsyncLimiter
from cachetools import LRUCache

_MOST_KEPT = 10_000
"""Channels whose posts are counted."""
_POSTS_AT_ONCE = 4
"""Posts in a channel that Slack takes in one go."""
_MARGIN = 1.1
"""For how much longer than with Slack a post counts."""
EDITS_FOR_ANSWERS = 20
"""Edits of a minute that showing progress leaves for answers."""


@dataclass(slots=True)
class Burst:
    """A rate limit that lets the first calls through at once: so many in any so many seconds."""

    most: int
    seconds: float
    _times: deque[float] = field(default_factory=deque)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def acquire(self) -> None:
        """Wait for room, in the order of asking."""
        loop = asyncio.get_running_loop()
        async with self._lock:
            if len(self._times) == self.most:
                await asyncio.sleep(self._times.popleft() + self.seconds - loop.time())
            self._times.append(loop.time())


@dataclass(slots=True, kw_only=True)
class SlackLimits:
    """Rate limits: a post a second per channel, and `most_edits` a minute, most for answers.

    A limiter lets through twice its calls in a busy minute, so each has half of Slack's limit. Also
    how often other calls are made. `replace` makes the same limits for another workspace.
    """

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
    edits: AsyncLimiter = field(init=False)
    streams: AsyncLimiter = field(init=False, default_factory=lambda: AsyncLimiter(10, 60.0))
    appends: AsyncLimiter = field(init=False, default_factory=lambda: AsyncLimiter(50, 60.0))
    reads: AsyncLimiter = field(init=False, default_factory=lambda: AsyncLimiter(25, 60.0))
    """Of conversations, after the bot was away."""
    _posts: LRUCache[str, Burst] = field(init=False, default_factory=lambda: LRUCache(_MOST_KEPT))
    """By channel."""

    def __post_init__(self) -> None:
        self.edits = AsyncLimiter(self.most_edits, 60.0)

    async def post(self, channel: str) -> None:
        burst = Burst(_POSTS_AT_ONCE, _POSTS_AT_ONCE * self.post_seconds * _MARGIN)
        await self._posts.setdefault(channel, burst).acquire()


async def take_if_free(limiter: AsyncLimiter, leaving: int = 0) -> bool:
    """Take a call only if `leaving` others remain; return whether it did. Never waits."""
    is_free = limiter.has_capacity(leaving + 1)
    if is_free:
        await limiter.acquire()
    return is_free
