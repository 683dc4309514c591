"""Event loops whose time is that of the test, not that of a busy machine."""

import asyncio
import os
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar

T = TypeVar("T")
_GRACE = 0.001
"""How long nothing must happen, in seconds: bytes from one end to the other may be late."""


class Starvation:
    """How long this thread has waited for a processor, while it could have gone on.

    Linux counts that. Elsewhere it is never known to wait.
    """

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def seconds(self) -> float:
        return int(os.pread(self._file, 64, 0).split()[1]) / 1e9 if self._file >= 0 else 0.0

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class PatientLoop(asyncio.SelectorEventLoop):
    """Its clock stands still while other programs have the processor.

    So no timeout strikes, of a test or of what is tested, only because the machine is busy.
    """

    def __init__(
        self,
        selector: selectors.BaseSelector | None = None,
        starvation: Starvation | None = None,
    ) -> None:
        self._starvation = starvation or Starvation()
        super().__init__(selector)

    def time(self) -> float:
        return super().time() - self._starvation.seconds()

    def close(self) -> None:
        super().close()
        self._starvation.close()


class SkippingLoop(PatientLoop):
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
