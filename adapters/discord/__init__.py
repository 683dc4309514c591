"""Discord."""

from adapters.discord.access import Addresses, invite
from adapters.discord.chat import DiscordChat, DiscordPorts

__all__ = ["Addresses", "DiscordChat", "DiscordPorts", "invite"]
