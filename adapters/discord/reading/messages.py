"""Turns Discord's messages into `Incoming`: who wrote what, to whom, and who reads along."""

from dataclasses import replace

import discord

from adapters.discord.reading.contents import read_text
from adapters.discord.reading.files import read_files
from adapters.discord.reading.threads import find_replied_to
from adapters.discord.web_api.components import list_media, read_texts
from pipeline.domain import Addressing, Audience, Incoming, Person, Thread, Turn

SPOKEN = (discord.MessageType.default, discord.MessageType.reply)
"""Types of messages that somebody wrote; others are notices of Discord's."""


def is_readable(message: discord.Message) -> bool:
    """Whether anything of a message is known; without the intent for it, little is."""
    parts = (message.content, message.attachments, message.embeds, message.message_snapshots)
    others = (message.stickers, message.poll, read_texts(message), list_media(message))
    return any((*parts, *others))


def read_message(
    message: discord.Message, thread: Thread, me: discord.ClientUser, locale: str
) -> Incoming:
    """Read a message of a thread. Messages carry no locale, so it is passed in."""
    replied_to, person = find_replied_to(message), read_person(message.author, locale)
    return Incoming(
        id=str(message.id),
        thread=thread,
        person=replace(person, is_bot=person.is_bot or message.webhook_id is not None),
        text=read_text(message, me),
        files=read_files(message),
        at=message.created_at,
        addressing=_find_addressing(message, me),
        earlier=read_files(replied_to, previews=True) if replied_to is not None else (),
        replied_to=_read_turn(replied_to, thread, me) if replied_to is not None else None,
    )


def _read_turn(message: discord.Message, thread: Thread, me: discord.ClientUser) -> Turn | None:
    """What somebody else wrote in the channel of a thread; None for the bot's own words."""
    if message.author.id == me.id:
        return None
    person = replace(read_person(message.author, ""), is_bot=False)
    key = f"{thread.channel.key}:{message.id}"
    return Turn(
        key=key, person=person, text=read_text(message, me), files=(), at=message.created_at
    )


def read_person(author: discord.User | discord.Member, locale: str) -> Person:
    """The author; roles by id, and "admin" if the author may manage the server."""
    roles: set[str] = set()
    if isinstance(author, discord.Member):
        roles = {str(role.id) for role in author.roles}
        if author.guild_permissions.manage_guild:
            roles.add("admin")
    return Person(
        str(author.id),
        author.display_name,
        locale=locale,
        is_bot=author.bot,
        roles=frozenset(roles),
    )


def _find_addressing(message: discord.Message, me: discord.ClientUser) -> Addressing:
    """Whom a message is for. A mention of the bot's own role counts as a mention of the bot."""
    replied_to, guild = find_replied_to(message), message.guild
    own_role = guild.self_role if guild else None
    is_mentioned = me in message.mentions or own_role in message.role_mentions
    is_reply = replied_to is not None and replied_to.author.id == me.id
    people = any(person != me and not person.bot for person in message.mentions)
    roles = any(not role.is_bot_managed() for role in message.role_mentions)
    return Addressing(
        mentioned=is_mentioned and (not is_reply or f"{me.id}>" in message.content),
        direct=guild is None,
        replied_to_bot=is_reply,
        others_mentioned=people or roles or message.mention_everyone,
        audience=_find_audience(message),
    )


def _find_audience(message: discord.Message) -> Audience:
    """Who can read the channel: the whole server, if @everyone may view it."""
    room, guild = message.channel, message.guild
    if guild is None:
        return Audience.CHANNEL
    channel = room.parent if isinstance(room, discord.Thread) else room
    if not isinstance(channel, discord.abc.GuildChannel):
        return Audience.UNKNOWN
    is_open = channel.permissions_for(guild.default_role).view_channel
    return Audience.WORKSPACE if is_open else Audience.CHANNEL
