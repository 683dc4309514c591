"""The fence: nothing is posted for a run that another program has taken over.

A program that was frozen goes on where it stood. What it would still write is refused by the
database; what it would post or edit is checked here, last before the call.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_CHECK: ContextVar[Callable[[], Awaitable[None]] | None] = ContextVar("fence", default=None)


@contextmanager
def fence_in(check: Callable[[], Awaitable[None]]) -> Iterator[None]:
    """Within the block, `check_fence` calls `check`, which raises LeaseLost."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


async def check_fence() -> None:
    """Before something is changed outside. Raises LeaseLost if another program has the run."""
    if (check := _CHECK.get()) is not None:
        await check()
