"""Where Discord is, what the bot may do there, and the link that invites it to a server."""

from dataclasses import dataclass
from urllib.parse import urlencode

import discord
import yarl
from discord import VoiceClient
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route

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
_SCOPES = ("bot", "applications.commands")
_ALL_BEFORE_THREADS = (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Addresses:
    """The API, the gateway and the hosts that files come from."""

    api: str = "https://discord.com/api/v10"
    gateway: str = "wss://gateway.discord.gg/"
    cdn_hosts: tuple[str, ...] = ("cdn.discordapp.com", "media.discordapp.net")


def point_library_at(addresses: Addresses) -> None:
    """Set discord.py's addresses, which are class attributes; call it before a client is built."""
    Route.BASE = add_version(addresses.api)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(addresses.gateway)
    Asset.BASE = f"https://{addresses.cdn_hosts[0]}"
    # The bot does not speak in voice channels: no warning about missing voice libraries.
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False


def add_version(api: str) -> str:
    """The API's address with its version, which the setting may leave out."""
    address = api.rstrip("/")
    path = yarl.URL(address).path.rstrip("/")
    return address + {"": "/api/v10", "/api": "/v10"}.get(path, "")


def invite(application: int | str) -> str:
    """The link with which an administrator adds the application with this id to a server."""
    query = {
        "client_id": str(application),
        "permissions": str(PERMISSIONS.value),
        "scope": " ".join(_SCOPES),
    }
    return f"https://discord.com/oauth2/authorize?{urlencode(query)}"


def find_permissions(room: object) -> discord.Permissions:
    """The bot's permissions in a channel or thread; all of them where they are not known.

    A bot that receives messages from a channel can view it. Cached permissions that say otherwise,
    or that date from before there were threads, are wrong: then the call itself has to tell.
    """
    guild = getattr(room, "guild", None)
    if guild is None or guild.me is None or guild.default_role is None:
        return discord.Permissions.all()
    permissions: discord.Permissions = room.permissions_for(guild.me)  # type: ignore[attr-defined]
    is_outdated = guild.default_role.permissions.value == _ALL_BEFORE_THREADS
    return discord.Permissions.all() if is_outdated or not permissions.view_channel else permissions


def may_write(room: object) -> bool:
    """Whether the bot may post in a channel or thread."""
    permissions = find_permissions(room)
    is_thread = isinstance(room, discord.Thread)
    return permissions.send_messages_in_threads if is_thread else permissions.send_messages
