"""Turns Discord's messages into `Incoming`: people, names for ids, text, files."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import PurePosixPath

import discord
import yarl

from adapters.chat.downloads import is_unexpected_page
from adapters.discord.calls import retry_call
from adapters.discord.rendering import Laid, ShownMedia, list_media, read_texts
from pipeline.domain import (
    Addressing,
    Audience,
    Blob,
    Channel,
    Incoming,
    Link,
    Person,
    Thread,
    Turn,
)
from pipeline.errors import ChatError, FetchError, FetchUnavailable
from pipeline.ports import Fetch

PLATFORM, DIRECT = "discord", "direct"
SPOKEN = (discord.MessageType.default, discord.MessageType.reply)
_CUSTOM_EMOJI = re.compile(r"<a?(:\w+:)\d+>")
_PERSON = re.compile(r"<@!?(\d{1,20})>")
_TEXT_FILE, _LARGEST_TEXT, _TEXT_SECONDS = "message.txt", 100_000, 3.0
"""How Discord's clients call the file that they make of a long text; its bytes, and its time."""
_SPOILER, _SPOILER_FILE = re.compile(r"\|\|.+?\|\|", re.DOTALL), "SPOILER_"


def is_readable(message: discord.Message) -> bool:
    """Whether anything of a message is known; without the intent for it, little is."""
    parts = (message.content, message.attachments, message.embeds, message.message_snapshots)
    return (
        any((*parts, read_texts(message), list_media(message)))
        or bool(message.stickers)
        or message.poll is not None
    )


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


def read_text(message: discord.Message, me: discord.ClientUser | None) -> str:
    """The text, with that of forwarded messages; a sticker by name, a poll as a list.

    With cards that bots post, but without the previews that Discord adds to links. A post in a
    forum begins with its title.
    """
    bot, room = message.guild.me if message.guild else me, message.channel
    texts = [strip_mention(_resolve_names(message), bot.display_name if bot else "")]
    if isinstance(room, discord.Thread) and isinstance(room.parent, discord.ForumChannel):
        texts[:0] = [room.name] if room.id == message.id else []
    texts += read_texts(message)
    texts += [_read_embed(embed) for embed in message.embeds if embed.type == "rich"]
    for snapshot in message.message_snapshots:
        texts += [snapshot.content, *read_texts(snapshot), *map(_read_embed, snapshot.embeds)]
    texts += [f":{sticker.name}:" for sticker in message.stickers]
    if message.poll is not None:
        answers = [f"- {answer.text}" for answer in message.poll.answers]
        texts.append("\n".join([message.poll.question, *answers]))
    return "\n\n".join(_CUSTOM_EMOJI.sub(r"\1", text) for text in texts if text)


def hide_spoilers(text: str) -> str:
    """A text for a place that shows everything, such as the name of a thread."""
    return _SPOILER.sub("▒▒▒", text)


def has_spoilers(message: Incoming) -> bool:
    """Whether the people who wrote a message, or what it replies to, hid anything of it."""
    above = message.replied_to.text if message.replied_to else ""
    names = (link.name for link in (*message.files, *message.earlier))
    has_hidden_file = any(name.startswith(_SPOILER_FILE) for name in names)
    return has_hidden_file or bool(_SPOILER.search(f"{message.text}\n{above}"))


def _resolve_names(message: discord.Message) -> str:
    """The content with names for ids; a channel that its author cannot see goes by its id."""
    text, guild = message.clean_content, message.guild
    for id_ in message.raw_channel_mentions if guild else ():
        room = guild.get_channel_or_thread(id_) if guild else None
        if room is not None and room != message.channel and not _can_see(message.author, room):
            text = text.replace(f"#{room.name}", f"#{id_}")
    return text


def _can_see(
    author: discord.User | discord.Member, room: discord.abc.GuildChannel | discord.Thread
) -> bool:
    """Whether a person can see a channel; of somebody unknown, whether everybody can."""
    known = author if isinstance(author, discord.Member) else room.guild.default_role
    is_closed = isinstance(room, discord.Thread) and room.is_private()
    return room.permissions_for(known).view_channel and not is_closed


def _read_embed(embed: discord.Embed) -> str:
    """The words of a card, from its author to its footer."""
    fields = [f"{field.name}: {field.value}" for field in embed.fields]
    parts = (embed.author.name, embed.title, embed.description, *fields, embed.footer.text)
    return "\n".join(part for part in parts if part)


def strip_mention(text: str, name: str) -> str:
    """Remove mentions of the bot from the start and end of a text."""
    mention = rf"@{re.escape(name)}(?!\w)"
    return re.sub(rf"^(?:{mention}[\s,:]*)+|{mention}$", "", text.strip()).strip()


def read_files(message: discord.Message, *, previews: bool = False) -> tuple[Link, ...]:
    """The files of a message, with those of forwarded messages and the pictures of cards.

    `previews`: also the pictures that Discord shows for links. A new message has none yet.
    """
    parts: list[Laid] = [message, *message.message_snapshots]
    links = [read_file(each, message) for part in parts for each in part.attachments]
    media = [_read_media(each, message) for part in parts for each in list_media(part)]
    kinds = ("rich", "image", "gifv") if previews else ("rich",)
    embeds = [embed for part in parts for embed in part.embeds if embed.type in kinds]
    every = (*(_read_picture(embed, message) for embed in embeds), *links, *media)
    return tuple({link.id: link for link in every if link is not None}.values())


def _read_picture(embed: discord.Embed, message: discord.Message) -> Link | None:
    """A link to the picture of a card or a preview, if Discord hosts it or hands it on."""
    shown = embed.image if embed.type == "rich" else embed.thumbnail
    url = yarl.URL(shown.proxy_url or shown.url or "")
    match url.parts:
        case (_, "attachments", _, id_, name):
            return Link(str(url), name, id=f"{message.channel.id}/{message.id}/{id_}")
        case (_, "external", *_, name):
            return Link(str(url), name, id=str(url))
        case _:
            return None


def read_file(attachment: discord.Attachment, message: discord.Message | None = None) -> Link:
    """A link to an attachment. Its id says in which message it is found again.

    Discord cuts a name down to plain letters; the title is the name that the sender gave it.
    """
    media_type = (attachment.content_type or "").partition(";")[0]
    place = f"{message.channel.id}/{message.id}/" if message else ""
    ending = PurePosixPath(attachment.filename).suffix
    name = f"{attachment.title}{ending}" if attachment.title else attachment.filename
    name, alt = _mark_hidden(name, attachment.is_spoiler()), attachment.description or ""
    return Link(
        attachment.url,
        name,
        media_type=media_type,
        size=attachment.size,
        id=f"{place}{attachment.id}",
        workspace="",
        alt=alt,
    )


def _read_media(shown: ShownMedia, message: discord.Message) -> Link | None:
    """A link to a file that a component shows, if Discord hosts it."""
    media = shown.media
    if media.attachment_id is None:
        return None
    media_type = (media.content_type or "").partition(";")[0]
    place = f"{message.channel.id}/{message.id}/{media.attachment_id}"
    name = _mark_hidden(yarl.URL(media.url).name, shown.hidden)
    return Link(
        media.url,
        name,
        media_type=media_type,
        size=shown.size,
        id=place,
        workspace="",
        alt=shown.alt,
    )


def _mark_hidden(name: str, is_hidden: bool) -> str:  # noqa: FBT001 - as Discord says
    """The name of a file that is hidden begins so; results are named after it, and hidden, too."""
    return f"{_SPOILER_FILE}{name}" if is_hidden and not name.startswith(_SPOILER_FILE) else name


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


async def read_long_text(
    message: Incoming, me: int, download: Callable[[Link], Awaitable[Blob]]
) -> Incoming:
    """The message with the text of which Discord made a file, as it is longer than a message.

    A mention of the bot in it counts. With other words beside it, the file is what they are about.
    Raises FetchError if it cannot be fetched.
    """
    link = next(filter(_is_long_text, message.files), None)
    if message.text or link is None:
        return message
    try:
        async with asyncio.timeout(_TEXT_SECONDS):
            text = (await download(link)).data.decode("utf-8-sig", "replace")
    except TimeoutError as error:
        raise FetchUnavailable("discord-unreachable") from error
    people = {int(id_) for id_ in _PERSON.findall(text)}
    text = re.sub(rf"<@!?{me}>[\s,:]*", "", text).strip("\r\n").rstrip()
    said = message.addressing
    addressing = replace(
        said,
        mentioned=said.mentioned or me in people,
        others_mentioned=said.others_mentioned or bool(people - {me}),
    )
    files = tuple(file for file in message.files if file != link)
    return replace(message, text=text, files=files, addressing=addressing)


def _is_long_text(link: Link) -> bool:
    is_text = link.name == _TEXT_FILE and link.media_type in ("", "text/plain")
    return is_text and link.size <= _LARGEST_TEXT


async def download_file(
    link: Link, fetch: Fetch, hosts: frozenset[str], max_bytes: int, client: discord.Client | None
) -> Blob:
    """Download a file, from Discord's file hosts only. Raises FetchError."""
    address = yarl.URL(link.url)
    if not {address.host, address.authority} & hosts:
        raise FetchError("discord-file-elsewhere", name=link.name, host=address.host or "")
    url = await _find_url(link, client) if client and _is_expired(link.url) else link.url
    blob = await fetch.get(url, trusted=hosts, max_bytes=max_bytes)
    if is_unexpected_page(blob, link):
        raise FetchError("discord-file-page", name=link.name)
    return replace(blob, name=link.name)


def _is_expired(url: str) -> bool:
    """Attachment URLs are signed, and name the time when they expire."""
    until = re.search(r"[?&]ex=([0-9a-f]{1,16})(?:&|$)", url)
    return until is not None and int(until[1], 16) < time.time()


async def _find_url(link: Link, client: discord.Client) -> str:
    """The address of a file in its message, fetched again; the old one if that is gone."""
    channel, _, rest = link.id.partition("/")
    message = rest.partition("/")[0]
    if not message:
        return link.url
    room = client.get_partial_messageable(int(channel))
    try:
        fetched = await retry_call(lambda: room.fetch_message(int(message)))
    except ChatError:
        return link.url
    every = read_files(fetched, previews=True)
    return next((each.url for each in every if each.id == link.id), link.url)
