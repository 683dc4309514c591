"""Slack's rate limits, kept before they are hit."""

import asyncio

from aiolimiter import AsyncLimiter
from cachetools import LRUCache, TTLCache

_EDITS, _MINUTE = 25, 60.0
_FOR_ANSWERS = 20
_MOST_CHANNELS = 10_000
_MOST_HELD, _LONGEST_HOLD = 10_000, 3600
_POST_SECONDS = 1.0
_AGAIN_SECONDS = 0.4


class Pace:
    """One post a second in a channel; so many edits at once and again within a minute, of which answers come first."""

    def __init__(
        self,
        *,
        edits: int = _EDITS,
        post_seconds: float = _POST_SECONDS,
        again_seconds: float = _AGAIN_SECONDS,
    ) -> None:
        self.again_seconds = again_seconds
        """How long to wait before a call is tried again."""
        self._edits = AsyncLimiter(edits, _MINUTE)
        self._promised = 0
        self._post_seconds = post_seconds
        self._held: TTLCache[str, float] = TTLCache(_MOST_HELD, _LONGEST_HOLD)
        self._posts: LRUCache[str, AsyncLimiter] = LRUCache(_MOST_CHANNELS)

    def hold(self, what: str, seconds: float) -> None:
        """Slack said how long it wants nothing of this."""
        self._held[what] = asyncio.get_running_loop().time() + seconds

    def held(self, what: str) -> float:
        """For how many seconds it still must not be asked."""
        return max(0.0, self._held.get(what, 0.0) - asyncio.get_running_loop().time())

    @property
    def spare(self) -> bool:
        """Whether an edit that only shows progress may be made now."""
        return self._edits.has_capacity(_FOR_ANSWERS + 1 + self._promised)

    def promise(self) -> bool:
        """Whether an edit of progress is kept for later, until it is redeemed."""
        given = self.spare
        self._promised += int(given)
        return given

    def redeem(self) -> None:
        """The edit that was promised is made now, or not any more."""
        self._promised -= 1

    async def edit(self) -> None:
        await self._edits.acquire()

    async def post(self, channel: str) -> None:
        limiter = self._posts.get(channel)
        if limiter is None:
            limiter = self._posts[channel] = AsyncLimiter(1, self._post_seconds)
        await limiter.acquire()
