"""Turns what fails while a person waits for it into the sentence that tells them so."""

from collections.abc import Awaitable
from typing import TypeVar
from uuid import uuid4

import structlog

from pipeline.domain import LocalizedText, Reply
from pipeline.errors import TroupeError, is_passing
from pipeline.words import say

T = TypeVar("T")

log = structlog.get_logger()


async def contain(work: Awaitable[T]) -> T | LocalizedText:
    """Await what a person asked for: its result, or the sentence that says what went wrong.

    Raises an error that passes: then it can be tried again.
    """
    try:
        return await work
    except TroupeError as error:
        if is_passing(error):
            raise
        return error.sentence
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("request failed", reference=reference)
        return LocalizedText("apology-bug", {"reference": reference})


async def contain_reply(work: Awaitable[Reply], locale: str) -> Reply:
    """The reply to a command or click; an error becomes a reply, too."""
    result = await contain(work)
    return Reply(say(locale, result)) if isinstance(result, LocalizedText) else result
