"""Discord's messages and people as the project's own values."""

import discord

from adapters.discord.entities import names_in, resolved
from pipeline.domain import Audience, Channel, Heard, Link, Person, Thread

PLATFORM, DIRECT = "discord", "direct"
TALK = (discord.MessageType.default, discord.MessageType.reply)


def is_talk(message: discord.Message) -> bool:
    """Whether a person said something, rather than Discord or a bot."""
    return message.type in TALK and not message.author.bot and message.webhook_id is None


def text_of(message: discord.Message, me: int) -> str:
    """The words of a message, those that it forwards included; a sticker by its name, a poll by what it asks."""
    names = names_in(message)
    texts = [message.content, *(shot.content for shot in message.message_snapshots)]
    texts += [f":{sticker.name}:" for sticker in message.stickers]
    if message.poll is not None:
        answers = [f"- {answer.text}" for answer in message.poll.answers]
        texts.append("\n".join([message.poll.question, *answers]))
    return "\n\n".join(text for text in (resolved(t, names, me) for t in texts) if text)


def links_of(message: discord.Message) -> tuple[Link, ...]:
    """The files of a message, those that it forwards included."""
    forwarded = [a for shot in message.message_snapshots for a in shot.attachments]
    return tuple(link_of(attachment) for attachment in (*message.attachments, *forwarded))


def link_of(attachment: discord.Attachment) -> Link:
    return Link(
        url=attachment.url,
        name=attachment.filename,
        media_type=(attachment.content_type or "").partition(";")[0],
        size=attachment.size,
        id=str(attachment.id),
    )


def heard_of(message: discord.Message, me: discord.ClientUser) -> Heard:
    """How a message concerns the bot."""
    answered = answered_message(message)
    calls = any(person.id == me.id for person in message.mentions) or _own_role(message)
    to_bot = answered is not None and answered.author.id == me.id
    others = any(person.id != me.id and not person.bot for person in message.mentions)
    roles = any(not role.is_bot_managed() for role in message.role_mentions)
    return Heard(
        mentioned=calls and (not to_bot or f"{me.id}>" in message.content),
        direct=message.guild is None,
        replied_to_bot=to_bot,
        others_mentioned=others or roles or message.mention_everyone,
        audience=_audience(message),
    )


def _audience(message: discord.Message) -> Audience:
    """Who can read the channel: everybody on the server, where the role of everybody may see it."""
    place, guild = message.channel, message.guild
    if guild is None:
        return Audience.CHANNEL
    room = place.parent if isinstance(place, discord.Thread) else place
    if not isinstance(room, discord.abc.GuildChannel):
        return Audience.UNKNOWN
    seen = room.permissions_for(guild.default_role).view_channel
    return Audience.WORKSPACE if seen else Audience.CHANNEL


def _own_role(message: discord.Message) -> bool:
    """The role that Discord makes for a bot is often mentioned in its place."""
    mine = message.guild.self_role if message.guild else None
    return mine is not None and mine in message.role_mentions


def answered_message(message: discord.Message) -> discord.Message | None:
    """The message that this one replies to, where it is still there."""
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    found = reference.resolved or reference.cached_message
    return found if isinstance(found, discord.Message) else None


def person_of(author: discord.User | discord.Member, locale: str) -> Person:
    """Who speaks; roles by id, and "admin" for who may manage the server."""
    roles: set[str] = set()
    if isinstance(author, discord.Member):
        roles = {str(role.id) for role in author.roles}
        if author.guild_permissions.manage_guild:
            roles.add("admin")
    return Person(str(author.id), author.display_name, locale, author.bot, frozenset(roles))


def thread_in(place: object, root: int | str) -> Thread:
    """The conversation at a place: a thread, a direct conversation, or what hangs on a message of a channel."""
    if isinstance(place, discord.Thread):
        channel = Channel(PLATFORM, str(place.guild.id), str(place.parent_id))
        return Thread(channel, str(place.id), closed=place.is_private())
    guild = getattr(place, "guild", None)
    number = str(getattr(place, "id", root))
    if guild is None:
        return Thread(Channel(PLATFORM, DIRECT, number), number)
    return Thread(Channel(PLATFORM, str(guild.id), number), str(root))
