"""What the bot may do in a place, as far as Discord has told."""

import discord

_OLD_ALL = (1 << 31) - 1


def allowed(room: object) -> discord.Permissions:
    """The bot's permissions; all of them where they are not told or cannot be right, so that the call itself tells.

    Whoever hears what is said in a place may view it: permissions that deny this are not worth believing, nor are those from
    before there were threads.
    """
    guild = getattr(room, "guild", None)
    if guild is None or guild.me is None or guild.default_role is None:
        return discord.Permissions.all()
    may: discord.Permissions = room.permissions_for(guild.me)  # type: ignore[attr-defined]
    if not may.view_channel or guild.default_role.permissions.value == _OLD_ALL:
        return discord.Permissions.all()
    return may
