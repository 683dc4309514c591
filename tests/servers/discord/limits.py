"""Rate limits as Discord has them: buckets by route and place, and one for everything."""

import time
import zlib
from collections import deque
from dataclasses import dataclass, field

RATES = {
    "POST message": (5, 5.0),
    "PATCH message": (5, 5.0),
    "DELETE message": (5, 1.0),
    "PUT reaction": (4, 1.0),
    "DELETE reaction": (4, 1.0),
    "POST typing": (5, 5.0),
    "GET messages": (10, 5.0),
    "POST thread": (10, 10.0),
}
GLOBAL = (50, 1.0)
UNBOUND = frozenset({"callback", "webhook"})
"""Answers to interactions do not count into the limit for everything."""


@dataclass
class Limits:
    """Counts calls; the windows can be shortened so that tests wait less."""

    window: float = 1.0
    enforced: bool = True
    hits: int = 0
    _calls: dict[str, deque[float]] = field(default_factory=dict)

    def check(self, bucket: str, place: str, now: float) -> tuple[dict[str, str], float | None]:
        """The headers of the answer, and how long to wait if the call came too early."""
        if not self.enforced:
            return {}, None
        wait = None
        if bucket.partition(" ")[2] not in UNBOUND:
            wait = self._take("", GLOBAL[0], GLOBAL[1] * self.window, now)[1]
        if bucket not in RATES:
            return {}, wait
        most, seconds = RATES[bucket]
        span = seconds * self.window
        left, late = self._take(f"{bucket}:{place}", most, span, now)
        oldest = self._calls[f"{bucket}:{place}"]
        after = max(0.0, oldest[0] + span - now) if oldest else span
        headers = {
            "X-RateLimit-Limit": str(most),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": f"{zlib.crc32(bucket.encode()):08x}",
        }
        return headers, wait or late

    def _take(self, key: str, most: int, span: float, now: float) -> tuple[int, float | None]:
        calls = self._calls.setdefault(key, deque())
        while calls and calls[0] <= now - span:
            calls.popleft()
        if len(calls) >= most:
            self.hits += 1
            return 0, calls[0] + span - now
        calls.append(now)
        return most - len(calls), None
