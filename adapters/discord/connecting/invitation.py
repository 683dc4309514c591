"""The bot's permissions, and the link that adds it to a server."""

import discord

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


def invite(application: int | str, *, for_oneself: bool = False) -> str:
    """The link that adds the application with this id to a server, or to one's own account."""
    if for_oneself:
        link = discord.utils.oauth_url(application, scopes=("applications.commands",))
        return f"{link}&integration_type=1"
    return discord.utils.oauth_url(application, permissions=PERMISSIONS)
