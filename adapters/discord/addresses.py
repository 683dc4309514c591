"""Where Discord is: the library keeps its addresses in class attributes."""

from dataclasses import dataclass

import yarl
from discord import VoiceClient
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route


@dataclass(frozen=True, slots=True)
class Addresses:
    """The API, the gateway and the hosts that files come from."""

    api: str = "https://discord.com/api/v10"
    gateway: str = "wss://gateway.discord.gg/"
    cdn_hosts: tuple[str, ...] = ("cdn.discordapp.com", "media.discordapp.net")


def point_library_at(addresses: Addresses) -> None:
    """Set before a client is built; the library reads these at every call."""
    Route.BASE = versioned(addresses.api)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(addresses.gateway)
    Asset.BASE = f"https://{addresses.cdn_hosts[0]}"
    # Nobody shall be told at every start that we do not speak in voice channels.
    VoiceClient.warn_nacl = VoiceClient.warn_dave = False


def versioned(api: str) -> str:
    """The API's address with its version, which may be left out in the settings."""
    address = api.rstrip("/")
    path = yarl.URL(address).path.rstrip("/")
    return address + {"": "/api/v10", "/api": "/v10"}.get(path, "")
