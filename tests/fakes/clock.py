"""An event loop that does not sit out its timers."""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

T = TypeVar("T")
_GRACE = 0.001
"""How long nothing must happen, in seconds: bytes from one end to the other may be late."""


class SkippingLoop(asyncio.SelectorEventLoop):
    """As soon as nothing happens, its clock goes on to the next timer.

    For tests with client and server in one loop: when it is idle, nothing but a timer can come.
    Calls in its executor are waited for; other threads and processes are not.
    """

    def __init__(self) -> None:
        self._waits = _SkippingSelector()
        super().__init__(self._waits)

    def time(self) -> float:
        return super().time() + self._waits.skipped

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        call = super().run_in_executor(executor, func, *args)
        self._waits.calls.add(call)
        call.add_done_callback(self._waits.calls.discard)
        return call


class _SkippingSelector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0
        self.calls: set[asyncio.Future[Any]] = set()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= _GRACE or self.calls:
            return super().select(timeout)
        events = super().select(_GRACE)
        if not events:
            self.skipped += timeout - _GRACE
        return events
