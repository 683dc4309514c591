"""Discord's API through discord.py: calls, limits, errors, and the rooms of a server."""
