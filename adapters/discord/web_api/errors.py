"""Translates every error of discord.py into one of the pipeline's."""

import aiohttp
import discord

from adapters.chat.surface import FilesTooLarge, PostUnsure
from pipeline.errors import ChatError, ChatGone, ChatRefused, SettingsError, TroupeError

PORTAL = "https://discord.com/developers/applications"
"""Where an application's token and intents are set."""
ARCHIVED = 50083
"""Discord's code for a thread that is archived."""
BLOCKED = 40333
"""Discord's code for an address that its network blocks for a while."""
LOCKED = 160005
"""Discord's code for a thread that is locked."""
MISSING_PERMISSIONS = 50013
"""Discord's code for a permission that the bot lacks."""
MODERATED = 200000
"""Discord's code for words that a server's moderation blocks."""
THREAD_EXISTS = 160004
"""Discord's code for a message that has a thread already."""
UNKNOWN = (10003, 10008)
"""Discord's codes for a channel and a message that are gone."""
CALL_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError)
"""Everything that a call of the library raises (TimeoutError is an OSError)."""
_TOO_LARGE = (FilesTooLarge, "files-too-large")
"""Our error and its sentence for files that Discord refuses for their size."""
_UNWRITABLE = (ChatGone, "discord-forbidden")
"""... for a place where the bot may not write."""
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
    401: (ChatError, "discord-refused"),  # the token can be renewed: the answer waits
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
