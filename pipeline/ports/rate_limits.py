"""The port to rate limits that all programs on one database keep together."""

from math import inf
from typing import Protocol


class RateLimits(Protocol):
    """Counts uses by key, evenly refilled: at most `most` at once, and `most` in `seconds`."""

    async def reserve(
        self, key: str, *, most: int, seconds: float, patience: float = inf
    ) -> float | None:
        """Count one use, and return for how many seconds to wait before it.

        None, and nothing is counted, if that would be longer than `patience`.
        """
