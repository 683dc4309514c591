"""Calls to Discord: limited, repeated until they are answered, and their errors as ours."""

import base64
import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiohttp
import discord
import stamina
from aiolimiter import AsyncLimiter

from adapters.chat.surface import FilesTooLarge, PostUnsure
from pipeline.errors import ChatError, ChatGone, ChatRefused, SettingsError, TroupeError

T = TypeVar("T")

PORTAL = "https://discord.com/developers/applications"
ACKNOWLEDGED, THREAD_EXISTS, ARCHIVED = 40060, 160004, 50083
_UNWRITABLE = frozenset({ARCHIVED, 50008, 50024, 160005})
"""An archived or locked thread, or a channel without text: told with different statuses."""
UNAUTHORIZED = 401
_TOO_LARGE, _REQUEST_TOO_LARGE = 413, 40005
_CLOSED = {4004: "discord-token-revoked", 4014: "discord-intent-missing"}
CALL_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Everything that a call of the library raises (TimeoutError is an OSError)."""
_TRANSIENT = (aiohttp.ClientError, OSError, discord.DiscordServerError)
_PATIENCE = 60.0
_LONGEST_NONCE = 25


class CallLimits:
    """Fifty calls a second, of which progress and courtesies leave most to threads and answers.

    discord.py keeps the limits of single routes, but learns of the one for all calls only when it
    was exceeded. A burst and what is refilled within a second are forty calls together, as some are
    delayed on their way and arrive with those after them.
    """

    _BURST, _REFILL, _PROGRESS_LEAVES, _COURTESIES_LEAVE = 16, 0.65, 9, 6

    def __init__(self, second: float = 1.0) -> None:
        """`second`: how long Discord's second lasts; shorter in tests."""
        self._calls = AsyncLimiter(self._BURST, self._REFILL * second)
        self._optional = AsyncLimiter(self._BURST - self._COURTESIES_LEAVE, self._REFILL * second)

    async def take(self) -> None:
        """Wait until a call may be made; the client does so before each one."""
        await self._calls.acquire()

    async def take_for_progress(self) -> bool:
        """Whether there is room for a call that only shows progress; such calls are counted."""
        return await self._take_optional(self._PROGRESS_LEAVES)

    async def take_for_courtesy(self) -> bool:
        """Whether there is room for a reaction or typing; such calls are counted."""
        return await self._take_optional(self._COURTESIES_LEAVE)

    async def _take_optional(self, left: int) -> bool:
        room = left - self._COURTESIES_LEAVE + 1
        is_free = self._calls.has_capacity(left + 1) and self._optional.has_capacity(room)
        if is_free:
            await self._optional.acquire()
        return is_free


async def retry_call(call: Callable[[], Awaitable[T]], *, seconds: float = _PATIENCE) -> T:
    """Repeat a call that may take effect twice without harm until it is answered.

    discord.py repeats some failures by itself; this adds lost connections and every 5xx.
    Raises PostUnsure after that many seconds, ChatGone, ChatRefused, ChatError, SettingsError.
    """
    try:
        async for attempt in stamina.retry_context(
            on=_TRANSIENT, attempts=None, timeout=seconds, wait_initial=0.2, wait_max=8.0
        ):
            with attempt:
                return await call()
    except CALL_ERRORS as error:
        raise translate_error(error) from error
    raise AssertionError("the last attempt returns or raises")


def translate_error(error: Exception) -> TroupeError:
    """Every error that a call of the library can raise, as one of ours."""
    if isinstance(error, discord.HTTPException):
        return _translate_answer(error)
    problem = type(error).__name__
    for kind, id_ in _SETTINGS:
        if isinstance(error, kind):
            code = error.code if isinstance(error, discord.ConnectionClosed) else None
            return SettingsError(_CLOSED.get(code or 0, id_), link=PORTAL)
    is_refused = isinstance(error, discord.DiscordException) and not isinstance(error, _UNREACHED)
    if is_refused:
        return ChatRefused("discord-refused", problem=problem)
    return PostUnsure("discord-unreachable", problem=problem)


def find_code(error: ChatError) -> int:
    """Discord's number for what went wrong; 0 where it gave none."""
    reason = error.__cause__
    return reason.code if isinstance(reason, discord.HTTPException) else 0


def _translate_answer(error: discord.HTTPException) -> TroupeError:
    problem = f"{error.status}/{error.code} {error.text}"
    if isinstance(error, discord.DiscordServerError):
        return PostUnsure("discord-unreachable", problem=problem)
    if error.status == _TOO_LARGE or error.code == _REQUEST_TOO_LARGE:
        return FilesTooLarge("files-too-large", problem=problem)
    if isinstance(error, discord.Forbidden) or error.code in _UNWRITABLE:
        return ChatGone("discord-forbidden", problem=problem)
    if isinstance(error, discord.NotFound):
        return ChatGone("discord-gone", problem=problem)
    if error.status == UNAUTHORIZED:  # an operator can renew the token: the answer waits for that
        return ChatError("discord-refused", problem=problem)
    return ChatRefused("discord-refused", problem=problem)


_SETTINGS: tuple[tuple[type[Exception], str], ...] = (
    (discord.LoginFailure, "discord-token-wrong"),
    (discord.PrivilegedIntentsRequired, "discord-intent-missing"),
    (discord.ConnectionClosed, "discord-closed"),
)
_UNREACHED = (discord.GatewayNotFound, discord.RateLimited)


def make_nonce(key: str) -> str:
    """The same short text for the same key; the library has Discord enforce it."""
    digest = hashlib.sha256(key.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_LONGEST_NONCE]
