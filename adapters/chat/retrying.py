"""Repeats a call for as long as it takes, while what it needs is down."""

from collections.abc import Callable

import stamina
import structlog
from stamina.instrumentation import RetryDetails

from pipeline.errors import SettingsError, TroupeError
from pipeline.words import say

log = structlog.get_logger()

_LONGEST_WAIT = 60.0
"""Seconds between two tries, at most: a platform that is back is noticed within a minute."""


def make_retrying(
    first_wait: float, on: Callable[[Exception], bool]
) -> stamina.BoundAsyncRetryingCaller:
    """A caller that repeats a call as long as it raises errors that `on` accepts.

    It waits `first_wait` seconds, then twice as long each time, at most a minute.
    """
    return stamina.AsyncRetryingCaller(
        attempts=None,
        timeout=None,
        wait_initial=first_wait,
        wait_max=_LONGEST_WAIT,
        wait_jitter=first_wait,
    ).on(on)


def log_retry(details: RetryDetails) -> None:
    """Log a retry without its arguments: the library's own line would quote what people typed.

    What operators may have to set right, as a database's address, is told in full.
    """
    error = details.caused_by
    told = str(error) if isinstance(error, TroupeError) else type(error).__name__
    told = say("en", error.sentence) if isinstance(error, SettingsError) else told
    facts = {"retry_num": details.retry_num, "wait_for": round(details.wait_for, 2)}
    log.warning("trying again", callable=details.name, caused_by=told, **facts)
