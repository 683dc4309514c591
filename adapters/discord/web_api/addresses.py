"""Discord's addresses, and where discord.py is told of them."""

from dataclasses import dataclass

import yarl
from discord import VoiceClient
from discord.gateway import DiscordWebSocket
from discord.http import Route

PORTAL = "https://discord.com/developers/applications"


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
