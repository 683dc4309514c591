"""The link with which a server takes the bot in: exactly what it uses, and nothing more."""

from urllib.parse import urlencode

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
SCOPES = ("bot", "applications.commands")


def invite(application: int | str) -> str:
    """Where an administrator of a server adds the application with this id."""
    query = {
        "client_id": str(application),
        "permissions": str(PERMISSIONS.value),
        "scope": " ".join(SCOPES),
    }
    return f"https://discord.com/oauth2/authorize?{urlencode(query)}"
