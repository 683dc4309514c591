"""A local server that plays Discord: REST v10, gateway, files and interactions."""

from tests.servers.discord.server import DiscordServer, play_discord

__all__ = ["DiscordServer", "play_discord"]
