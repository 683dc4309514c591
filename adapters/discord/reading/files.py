"""The files of Discord's messages, and how they are downloaded."""

import re
import time
from dataclasses import replace
from pathlib import PurePosixPath

import discord
import yarl

from adapters.chat.downloads import is_unexpected_page
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.components import Laid, ShownMedia, list_media
from adapters.discord.web_api.spoilers import mark_hidden
from pipeline.domain import Blob, Link
from pipeline.errors import ChatError, FetchError
from pipeline.ports import Fetch


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
    name, alt = mark_hidden(name, is_hidden=attachment.is_spoiler()), attachment.description or ""
    return Link(
        attachment.url,
        name,
        media_type=media_type,
        size=attachment.size,
        id=f"{place}{attachment.id}",
        alt=alt,
    )


def _read_media(shown: ShownMedia, message: discord.Message) -> Link | None:
    """A link to a file that a component shows, if Discord hosts it."""
    media = shown.media
    if media.attachment_id is None:
        return None
    media_type = (media.content_type or "").partition(";")[0]
    place = f"{message.channel.id}/{message.id}/{media.attachment_id}"
    name = mark_hidden(yarl.URL(media.url).name, is_hidden=shown.hidden)
    return Link(media.url, name, media_type=media_type, size=shown.size, id=place, alt=shown.alt)


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
