"""What can go wrong with Discord, as the project's own errors."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord
import stamina

from pipeline.errors import ChatError, ChatGone, SettingsError, TroupeError

T = TypeVar("T")

GONE = "discord-gone"
PORTAL = "https://discord.com/developers/applications"
UNKNOWN_INTERACTION = 10062
ACKNOWLEDGED, THREAD_EXISTS = 40060, 160004
ARCHIVED = 50083
_SHUT = frozenset({ARCHIVED, 50008, 50024, 160005})
"""A thread that was put away or locked, a place where nothing can be written: told with different statuses."""
_CLOSED = {4004: "discord-token-revoked", 4014: "discord-intent-missing"}
TRANSIENT = (aiohttp.ClientError, OSError, TimeoutError, discord.DiscordServerError)
_PATIENCE = 900.0
"""Seconds for which a call is tried again: as long as Discord takes a follow-up to an interaction."""


async def persistently(call: Callable[[], Awaitable[T]]) -> T:
    """A call that may be made again without harm, made until it is answered. Raises ChatError, ChatGone."""
    try:
        async for attempt in stamina.retry_context(
            on=TRANSIENT, attempts=None, timeout=_PATIENCE, wait_initial=0.2, wait_max=8.0
        ):
            with attempt:
                return await call()
    except (*TRANSIENT, discord.DiscordException) as error:
        raise told(error) from error
    raise AssertionError("unreachable: the last attempt returns or raises")


def told(error: Exception) -> TroupeError:
    """The error of ours that says what an error of the library means; the first row that fits."""
    if isinstance(error, discord.HTTPException) and error.code in _SHUT:
        return ChatGone("discord-forbidden", problem=_problem(error))
    kind, sentence = next(row[1:] for row in _MEANINGS if isinstance(error, row[0]))
    if kind is SettingsError:
        return SettingsError(_closed(error) or sentence, link=PORTAL)
    return kind(sentence, problem=_problem(error))


def code_of(error: ChatError) -> int:
    """Discord's number for what went wrong; 0 where it said nothing."""
    reason = error.__cause__
    return reason.code if isinstance(reason, discord.HTTPException) else 0


def _closed(error: Exception) -> str:
    return _CLOSED.get(error.code, "") if isinstance(error, discord.ConnectionClosed) else ""


def _problem(error: Exception) -> str:
    if isinstance(error, discord.HTTPException):
        return f"{error.status}/{error.code} {error.text}"
    return type(error).__name__


_MEANINGS: tuple[tuple[type[Exception], type[TroupeError], str], ...] = (
    (discord.Forbidden, ChatGone, "discord-forbidden"),
    (discord.NotFound, ChatGone, GONE),
    (discord.LoginFailure, SettingsError, "discord-token-wrong"),
    (discord.PrivilegedIntentsRequired, SettingsError, "discord-intent-missing"),
    (discord.ConnectionClosed, SettingsError, "discord-closed"),
    (discord.DiscordServerError, ChatError, "discord-unreachable"),
    (discord.GatewayNotFound, ChatError, "discord-unreachable"),
    (discord.RateLimited, ChatError, "discord-unreachable"),
    (discord.DiscordException, ChatError, "discord-refused"),
    (Exception, ChatError, "discord-unreachable"),
)
