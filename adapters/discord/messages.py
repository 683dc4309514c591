"""Turns Discord's messages into `Incoming`: people, names for ids, text, files."""

import re
import time
from dataclasses import replace

import discord
import yarl
from discord.http import Route

from adapters.chat.events import is_unexpected_page
from adapters.discord.calls import retry_call
from pipeline.domain import Addressing, Audience, Blob, Channel, Incoming, Link, Person, Thread
from pipeline.errors import ChatError, FetchError
from pipeline.ports import Fetch

PLATFORM, DIRECT = "discord", "direct"
SPOKEN = (discord.MessageType.default, discord.MessageType.reply)
_CUSTOM_EMOJI = re.compile(r"<a?(:\w+:)\d+>")


def is_by_person(message: discord.Message) -> bool:
    """Whether a person wrote the message, not Discord, a webhook or a bot."""
    return message.type in SPOKEN and not message.author.bot and message.webhook_id is None


def read_message(
    message: discord.Message, thread: Thread, me: discord.ClientUser, locale: str
) -> Incoming:
    """Read a message of a thread. Messages carry no locale, so it is passed in."""
    replied_to = find_replied_to(message)
    return Incoming(
        id=str(message.id),
        thread=thread,
        person=read_person(message.author, locale),
        text=_read_text(message, me),
        files=_find_files(message),
        at=message.created_at,
        addressing=_find_addressing(message, me),
        earlier=_find_files(replied_to) if replied_to is not None else (),
    )


def read_person(author: discord.User | discord.Member, locale: str) -> Person:
    """The author; roles by id, and "admin" if the author may manage the server."""
    roles: set[str] = set()
    if isinstance(author, discord.Member):
        roles = {str(role.id) for role in author.roles}
        if author.guild_permissions.manage_guild:
            roles.add("admin")
    return Person(str(author.id), author.display_name, locale, author.bot, frozenset(roles))


def find_thread(room: object, root: int | str) -> Thread:
    """The conversation in a Discord thread, in a direct channel, or below a channel's message."""
    if isinstance(room, discord.Thread):
        channel = Channel(PLATFORM, str(room.guild.id), str(room.parent_id))
        return Thread(channel, str(room.id), closed=room.is_private())
    guild, id_ = getattr(room, "guild", None), str(getattr(room, "id", root))
    if guild is None:
        return Thread(Channel(PLATFORM, DIRECT, id_), id_)
    return Thread(Channel(PLATFORM, str(guild.id), id_), str(root))


def find_replied_to(message: discord.Message) -> discord.Message | None:
    """The message that this one replies to, if Discord sent it along or it is cached."""
    reference = message.reference
    if reference is None or message.type is not discord.MessageType.reply:
        return None
    original = reference.resolved or reference.cached_message
    return original if isinstance(original, discord.Message) else None


def _read_text(message: discord.Message, me: discord.ClientUser) -> str:
    """The text, with that of forwarded messages; a sticker by name, a poll as a list."""
    name = (message.guild.me if message.guild else me).display_name
    texts = [strip_mention(message.clean_content, name)]
    texts += [snapshot.content for snapshot in message.message_snapshots]
    texts += [f":{sticker.name}:" for sticker in message.stickers]
    if message.poll is not None:
        answers = [f"- {answer.text}" for answer in message.poll.answers]
        texts.append("\n".join([message.poll.question, *answers]))
    return "\n\n".join(_CUSTOM_EMOJI.sub(r"\1", text) for text in texts if text)


def strip_mention(text: str, name: str) -> str:
    """Remove mentions of the bot from the start and end of a text."""
    mention = rf"@{re.escape(name)}(?!\w)"
    return re.sub(rf"^(?:{mention}[\s,:]*)+|{mention}$", "", text.strip()).strip()


def _find_files(message: discord.Message) -> tuple[Link, ...]:
    """The files of a message, with those of forwarded messages."""
    forwarded = [each for shot in message.message_snapshots for each in shot.attachments]
    return tuple(read_file(attachment) for attachment in (*message.attachments, *forwarded))


def read_file(attachment: discord.Attachment) -> Link:
    """A link to an attachment."""
    media_type = (attachment.content_type or "").partition(";")[0]
    name, size = attachment.filename, attachment.size
    return Link(attachment.url, name, media_type, size, str(attachment.id))


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


# --- files ---


async def download_file(
    link: Link, fetch: Fetch, hosts: frozenset[str], max_bytes: int, client: discord.Client | None
) -> Blob:
    """Download a file, from Discord's file hosts only. Raises FetchError."""
    address = yarl.URL(link.url)
    if not {address.host, address.authority} & hosts:
        raise FetchError("discord-file-elsewhere", name=link.name, host=address.host or "")
    url = await _sign_again(link.url, client) if client and _is_expired(link.url) else link.url
    blob = await fetch.get(url, trusted=hosts, max_bytes=max_bytes)
    if is_unexpected_page(blob, link):
        raise FetchError("discord-file-page", name=link.name)
    return replace(blob, name=link.name)


def _is_expired(url: str) -> bool:
    """Attachment URLs are signed, and name the time when they expire."""
    until = re.search(r"[?&]ex=([0-9a-f]{1,16})(?:&|$)", url)
    return until is not None and int(until[1], 16) < time.time()


async def _sign_again(url: str, client: discord.Client) -> str:
    route, body = Route("POST", "/attachments/refresh-urls"), {"attachment_urls": [url]}
    try:
        response = await retry_call(lambda: client.http.request(route, json=body))
    except ChatError:
        return url
    return next((str(row["refreshed"]) for row in response.get("refreshed_urls", [])), url)
