"""Slack's rate limits, kept before they are hit."""

from weakref import WeakValueDictionary

from aiolimiter import AsyncLimiter

_EDITS, _MINUTE = 25, 60.0
_FOR_ANSWERS = 15
_POST_SECONDS = 1.0


class Pace:
    """One post a second in a channel; 50 edits in any minute, of which answers come first."""

    def __init__(self) -> None:
        self._edits = AsyncLimiter(_EDITS, _MINUTE)
        self._posts: WeakValueDictionary[str, AsyncLimiter] = WeakValueDictionary()

    @property
    def spare(self) -> bool:
        """Whether an edit that only shows progress may be made now."""
        return self._edits.has_capacity(_FOR_ANSWERS + 1)

    async def edit(self) -> None:
        await self._edits.acquire()

    async def post(self, channel: str) -> None:
        limiter = self._posts.get(channel)
        if limiter is None:
            limiter = self._posts[channel] = AsyncLimiter(1, _POST_SECONDS)
        await limiter.acquire()
