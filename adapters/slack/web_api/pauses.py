"""What Slack has asked to wait with: heard by one replica of the program, kept by all."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256

import structlog
from cachetools import LRUCache
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState

from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Notifications, Topic

_LONGEST = 120.0
"""Seconds that are waited for at most because another replica was told to wait."""
_TELLING_SECONDS = 0.5
"""How long telling the others may wait for the database."""
_MOST_KEPT = 10_000
"""Pauses that are remembered."""

log = structlog.get_logger()


def name_token(token: str) -> str:
    """What stands for a token where others may read it."""
    return sha256(token.encode()).hexdigest()[:16]


@dataclass(slots=True)
class LimitPauses:
    """Until when Slack takes no calls of a method with a token, as other replicas were told.

    What we are told ourselves only makes the call wait that was refused.
    """

    notifications: Notifications | None = None
    """None: nobody else calls Slack."""
    _until: LRUCache[tuple[str, str], float] = field(default_factory=lambda: LRUCache(_MOST_KEPT))
    """By place and method, on the event loop's clock."""

    def find(self, place: str, method: str) -> float:
        """For how many seconds to wait before a call."""
        until = self._until.get((place, method))
        return max(0.0, until - asyncio.get_running_loop().time()) if until else 0.0

    async def tell(self, place: str, method: str, seconds: float) -> None:
        """Tell the other replicas that Slack wants so many seconds to pass."""
        if self.notifications is None:
            return
        facts = {
            "from": self.notifications.program,
            "place": place,
            "method": method,
            "seconds": seconds,
        }
        text = json.dumps(facts)
        with suppress(StoreUnavailable), limit_patience(_TELLING_SECONDS):
            await self.notifications.publish(Topic.PAUSES, text)

    def hear(self, text: str | None) -> None:
        """Note what a replica told."""
        if text is None:
            return
        try:
            facts = json.loads(text)
            seconds = min(float(facts["seconds"]), _LONGEST)
            key, sender = (str(facts["place"]), str(facts["method"])), facts["from"]
        except (LookupError, TypeError, ValueError):
            log.warning("a replica of another version tells of a limit of slack's", text=text)
            return
        if self.notifications is None or sender != self.notifications.program:
            self._until[key] = asyncio.get_running_loop().time() + seconds


class WaitForLimit(AsyncRateLimitErrorRetryHandler):
    """Waits as Slack asks, then calls again; tells of it first."""

    def __init__(self, most: int, tell: Callable[[str, float], Awaitable[None]]) -> None:
        super().__init__(max_retry_count=most)
        self._tell = tell

    async def prepare_for_next_attempt_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> None:
        method = request.url.partition("?")[0].rpartition("/")[2]
        await self._tell(method, _read_wait(response.headers if response else {}))
        await super().prepare_for_next_attempt_async(
            state=state, request=request, response=response, error=error
        )


def find_wait(error: Exception) -> float:
    """For how many seconds Slack asks to wait, in an error of its SDK."""
    return _read_wait(getattr(getattr(error, "response", None), "headers", None) or {})


def _read_wait(headers: object) -> float:
    pairs = {str(name).lower(): value for name, value in dict(headers).items()}  # type: ignore[call-overload]
    value = pairs.get("retry-after", 1)
    try:
        return float(value[0] if isinstance(value, list) else value)
    except (TypeError, ValueError):
        return 1.0
