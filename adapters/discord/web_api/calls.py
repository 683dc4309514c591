"""Calls of Discord's API: retried, their errors translated."""

import base64
import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord
import stamina

from adapters.discord.web_api.errors import CALL_ERRORS, translate_error
from pipeline.fencing import check_fence

T = TypeVar("T")

_TRANSIENT = (aiohttp.ClientError, OSError, discord.DiscordServerError)
"""What may succeed when it is tried again."""
_RETRY_SECONDS = 60.0
"""How long an idempotent call is repeated; an answer then stays in the inbox."""
_LONGEST_NONCE = 25
"""Characters that Discord accepts as a nonce."""


async def call_once(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call. Raises PostUnsure, ChatGone, ChatRefused, ChatError, SettingsError."""
    await check_fence()
    try:
        return await call()
    except CALL_ERRORS as error:
        raise translate_error(error) from error


async def retry_call(call: Callable[[], Awaitable[T]], *, seconds: float = _RETRY_SECONDS) -> T:
    """Retry an idempotent call until it succeeds, for at most so many seconds.

    discord.py retries some failures by itself; this adds lost connections and every 5xx.
    Raises what `call_once` raises, PostUnsure when the time is up.
    """
    retrying = stamina.AsyncRetryingCaller(
        attempts=None, timeout=seconds, wait_initial=0.2, wait_max=8.0, wait_jitter=0.2
    )

    async def attempt() -> T:
        await check_fence()
        return await call()

    return await call_once(lambda: retrying(_TRANSIENT, attempt))


def make_nonce(key: str) -> str:
    """The nonce for a key; the library asks Discord to post only once for each nonce."""
    digest = hashlib.sha256(key.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_LONGEST_NONCE]
