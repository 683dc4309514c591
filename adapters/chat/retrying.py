"""Repeats a call for as long as it takes, while what it needs is down."""

from collections.abc import Callable

import stamina

_LONGEST_WAIT = 60.0
"""Seconds between two tries, at most: a platform that is back is noticed within a minute."""


def make_retrying(
    first_wait: float, on: Callable[[Exception], bool]
) -> stamina.BoundAsyncRetryingCaller:
    """A caller that repeats a call as long as it raises such errors."""
    return stamina.AsyncRetryingCaller(
        attempts=None,
        timeout=None,
        wait_initial=first_wait,
        wait_max=_LONGEST_WAIT,
        wait_jitter=first_wait,
    ).on(on)
