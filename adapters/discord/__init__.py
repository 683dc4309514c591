"""Discord."""

from adapters.discord.chat import DiscordChat
from adapters.discord.connecting.invitation import invite
from adapters.discord.web_api.addresses import Addresses

__all__ = ["Addresses", "DiscordChat", "invite"]
