"""Says why an answer comes in another place than where the person asked."""

import discord

from adapters.discord.web_api.errors import ARCHIVED, LOCKED, find_code
from adapters.discord.web_api.rooms import Room, find_room
from pipeline.domain import Incoming, LocalizedText
from pipeline.errors import ChatGone
from pipeline.words import say


def explain_aside(
    client: discord.Client,
    message: Incoming,
    refused: ChatGone | None,
    needed: discord.Permissions,
    *,
    is_response: bool,
) -> LocalizedText:
    """Why nothing is posted where the person asked.

    `refused`: Discord's first refusal, if it has refused anything. `needed`: the permissions for
    what was to be posted. `is_response`: there, the bot could only respond to an interaction.
    """
    room, code = find_asked_room(client, message), find_code(refused) if refused else 0
    if isinstance(room, discord.Thread) and code in (LOCKED, ARCHIVED):
        return LocalizedText("discord-aside-locked", {"channel": room.name})
    if room is not None and refused and isinstance(refused.__cause__, discord.Forbidden):
        channel = room.parent if isinstance(room, discord.Thread) else room
        names = name_permissions(client, message, needed)
        args = {"channel": f"#{channel}", "permission": names}
        return LocalizedText("discord-aside-permission", args)
    return LocalizedText("discord-aside-late" if is_response else "discord-aside-gone")


def find_asked_room(client: discord.Client, message: Incoming) -> Room | None:
    """The place where the person asked; None if it is gone."""
    thread = message.thread
    return find_room(client, thread.root) or find_room(client, thread.channel.id)


def name_permissions(client: discord.Client, message: Incoming, needed: discord.Permissions) -> str:
    """The permissions that are missing there, as Discord names them in the person's language.

    If none is known to be missing, all that are needed.
    """
    room, locale = find_asked_room(client, message), message.person.locale
    guild = room.guild if room else None
    known = room.permissions_for(guild.me) if room and guild else discord.Permissions.none()
    missing = needed & ~known or needed
    words = [LocalizedText(f"discord-permission-{name}") for name, on in missing if on]
    return ", ".join(say(locale, each) for each in words)
