"""Discord's addresses, the bot's permissions, and calls: limited, retried, errors translated."""

import asyncio
import base64
import hashlib
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
import discord
import stamina
import yarl
from discord import VoiceClient
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.chat.surface import FilesTooLarge, PostUnsure
from pipeline.errors import ChatError, ChatGone, ChatRefused, SettingsError, TroupeError

T = TypeVar("T")

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    add_reactions=True,
    attach_files=True,
)
"""What the bot uses, and nothing more."""
PORTAL = "https://discord.com/developers/applications"
THREAD_EXISTS, ARCHIVED, LOCKED = 160004, 50083, 160005
MISSING_PERMISSIONS, MODERATED, BLOCKED = 50013, 200000, 40333
UNKNOWN_MESSAGE = 10008
UNKNOWN = (10003, UNKNOWN_MESSAGE)
UNAUTHORIZED, SERVER_ERROR = 401, 500
CALL_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Everything that a call of the library raises (TimeoutError is an OSError)."""
_TRANSIENT = (aiohttp.ClientError, OSError, discord.DiscordServerError)
_RETRY_SECONDS, _LONGEST_CALL = 60.0, 10.0
_LONGEST_NONCE, LONGEST_ALT = 25, 1024

_TOO_LARGE = (FilesTooLarge, "files-too-large")
_UNWRITABLE = (ChatGone, "discord-forbidden")
_BY_CODE: dict[int, tuple[type[TroupeError], str]] = {
    4004: (SettingsError, "discord-token-revoked"),
    4012: (SettingsError, "discord-closed"),  # an API version that is no more
    4013: (SettingsError, "discord-closed"),
    4014: (SettingsError, "discord-intent-missing"),
    40005: _TOO_LARGE,
    50008: _UNWRITABLE,  # a channel without text, an archived or locked thread
    50024: _UNWRITABLE,
    ARCHIVED: _UNWRITABLE,
    LOCKED: _UNWRITABLE,
    40094: _UNWRITABLE,  # as many messages as an interaction may have where the bot is no member
    50027: (ChatGone, "discord-gone"),  # the token of an interaction has expired
    UNAUTHORIZED: (ChatError, "discord-refused"),  # the token can be renewed: the answer waits
    MODERATED: (ChatRefused, "discord-moderated"),
    413: _TOO_LARGE,
    429: (ChatError, "discord-unreachable"),  # the network before Discord blocks our address
    BLOCKED: (ChatError, "discord-unreachable"),
}
_BY_KIND: tuple[tuple[type[Exception], type[TroupeError], str], ...] = (
    (discord.LoginFailure, SettingsError, "discord-token-wrong"),
    (discord.PrivilegedIntentsRequired, SettingsError, "discord-intent-missing"),
    (discord.ConnectionClosed, ChatError, "discord-unreachable"),  # also for too few shards
    (discord.DiscordServerError, PostUnsure, "discord-unreachable"),
    (discord.GatewayNotFound, PostUnsure, "discord-unreachable"),
    (discord.RateLimited, PostUnsure, "discord-unreachable"),
    (discord.Forbidden, *_UNWRITABLE),
    (discord.NotFound, ChatGone, "discord-gone"),
    (discord.DiscordException, ChatRefused, "discord-refused"),
    (Exception, PostUnsure, "discord-unreachable"),
)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The API, the gateway and the hosts that files come from."""

    api: str
    gateway: str
    cdn_hosts: tuple[str, ...]


def point_library_at(addresses: Addresses) -> None:
    """Set discord.py's addresses, which are class attributes; call it before a client is built."""
    Route.BASE = add_version(addresses.api)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(addresses.gateway)
    # The bot does not speak in voice channels: no warning about missing voice libraries.
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False


def add_version(api: str) -> str:
    """The API's address with its version, which the setting may leave out."""
    address = api.rstrip("/")
    path = yarl.URL(address).path.rstrip("/")
    return address + {"": "/api/v10", "/api": "/v10"}.get(path, "")


def invite(application: int | str, *, for_oneself: bool = False) -> str:
    """The link that adds the application with this id to a server, or to one's own account."""
    if for_oneself:
        link = discord.utils.oauth_url(application, scopes=("applications.commands",))
        return f"{link}&integration_type=1"
    return discord.utils.oauth_url(application, permissions=PERMISSIONS)


class RateLimit:
    """A limit of calls in any period, however long each is on its way.

    A call is counted from its start until a period after its end. So those that arrive within one
    period are all counted when the last of them starts. What never ends is forgotten after a while.
    """

    def __init__(self, calls: int, period: float) -> None:
        self._room, self._left, self._period = asyncio.Semaphore(calls), calls, period

    def has_room(self, leaving: int) -> bool:
        """Whether a call may begin at once and `leaving` others, too."""
        return self._left > leaving

    async def begin(self) -> asyncio.TimerHandle:
        """Wait until a call may begin, in the order of asking; pass the result to `end`."""
        await self._room.acquire()
        self._left -= 1
        return asyncio.get_running_loop().call_later(_LONGEST_CALL, self._free)

    def end(self, call: asyncio.TimerHandle) -> None:
        loop = asyncio.get_running_loop()
        if call.when() > loop.time():
            call.cancel()
            loop.call_later(self._period, self._free)

    def _free(self) -> None:
        self._left += 1
        self._room.release()


async def call_once(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call. Raises PostUnsure, ChatGone, ChatRefused, ChatError, SettingsError."""
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
    return await call_once(lambda: retrying(_TRANSIENT, call))


def translate_error(error: Exception) -> TroupeError:
    """Translate any error that discord.py can raise into one of the pipeline's."""
    problem = type(error).__name__
    codes: tuple[int | None, ...] = ()
    if isinstance(error, discord.HTTPException):
        problem, codes = f"{error.status}/{error.code} {error.text}", (error.code, error.status)
        if isinstance(error, discord.Forbidden) and not error.code:  # Discord's own have a code
            codes = (BLOCKED,)
    elif isinstance(error, discord.ConnectionClosed):
        codes = (error.code,)
    known = [_BY_CODE[code] for code in codes if code in _BY_CODE]
    known += [(ours, id_) for kind, ours, id_ in _BY_KIND if isinstance(error, kind)]
    ours, id_ = known[0]
    return ours(id_, problem=problem, link=PORTAL)


def find_code(error: ChatError) -> int:
    """Discord's code for an error; 0 if it gave none."""
    reason = error.__cause__
    return reason.code if isinstance(reason, discord.HTTPException) else 0


def make_nonce(key: str) -> str:
    """The nonce for a key; the library asks Discord to post only once for each nonce."""
    digest = hashlib.sha256(key.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_LONGEST_NONCE]


def open_file(data: bytes, name: str, description: str, *, hidden: bool = False) -> discord.File:
    """A new file object for each attempt, as the library closes it."""
    alt = description[:LONGEST_ALT] or None
    return discord.File(io.BytesIO(data), name, description=alt, spoiler=hidden)
