"""Slack's rate limits: so many calls of a method a minute, one post a second in a channel."""

import math
from collections import deque
from dataclasses import dataclass, field

from tests.servers.slack.rules import RULES
from tests.servers.slack.workspace import Json, read_clock

POST_BURST, POST_SECONDS, MINUTE = 4, 1.0, 60.0


@dataclass
class RateLimits:
    """Counts calls and says how long to wait, when switched on."""

    on: bool = False
    calls: dict[str, deque[float]] = field(default_factory=dict)
    banned_until: dict[str, float] = field(default_factory=dict)
    exceeded: list[str] = field(default_factory=list)
    called_too_soon: list[str] = field(default_factory=list)

    def wait_for(self, method: str, args: Json) -> int:
        """Seconds the caller must wait; 0 lets the call through."""
        if not self.on:
            return 0
        now = read_clock()
        if now < self.banned_until.get(method, 0):
            self.called_too_soon.append(method)
            return math.ceil(self.banned_until[method] - now)
        seconds = self._method(method, now) or self._channel(method, args, now)
        if seconds:
            self.exceeded.append(method)
            self.banned_until[method] = now + seconds
        return seconds

    def _method(self, method: str, now: float) -> int:
        return self._window(method, now, RULES[method].per_minute, MINUTE)

    def _channel(self, method: str, args: Json, now: float) -> int:
        if method != "chat.postMessage":
            return 0
        return self._window(
            f"{method} {args.get('channel')}", now, POST_BURST, POST_SECONDS * POST_BURST
        )

    def _window(self, key: str, now: float, count: int, seconds: float) -> int:
        calls = self.calls.setdefault(key, deque())
        while calls and calls[0] <= now - seconds:
            calls.popleft()
        if len(calls) >= count:
            return max(1, math.ceil(calls[0] + seconds - now))
        calls.append(now)
        return 0
