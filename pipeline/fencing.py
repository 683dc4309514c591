"""The fence: nothing is posted for a run that another program has taken over.

A program that was frozen goes on where it stood. What it would still write is refused by the
database; what it would post or edit is checked here, last before the call.

No fence reaches what was sent. So a post may be sent only while its lease lasts for a while yet,
and ends on its way before that time is over: whoever takes the run over finds it, or may post.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SHARE_UNPOSTED = 1 / 3
"""Nothing is posted in this last part of a lease. It is renewed after a third of it and after two,
so that one renewal may fail before a post has to wait."""
SHARE_ON_ITS_WAY = 1 / 4
"""What was sent gets so much of a lease to arrive. That is less than the part above by what it may
take to write it, and until a kernel first sends it again and begins to count."""

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
