"""Discord."""

from adapters.discord.calls import Addresses, invite
from adapters.discord.chat import DiscordChat

__all__ = ["Addresses", "DiscordChat", "invite"]
