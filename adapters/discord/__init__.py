"""Discord as a place to talk."""

from adapters.discord.addresses import Addresses
from adapters.discord.chat import DiscordChat, Pace
from adapters.discord.ears import DiscordPorts
from adapters.discord.invite import invite

__all__ = ["Addresses", "DiscordChat", "DiscordPorts", "Pace", "invite"]
