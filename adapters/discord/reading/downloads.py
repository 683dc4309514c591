"""Downloads files from Discord's file hosts."""

import re
import time
from dataclasses import replace

import discord
import yarl

from adapters.chat.downloads import is_unexpected_page
from adapters.discord.reading.files import read_files
from adapters.discord.web_api.calls import retry_call
from pipeline.domain import Blob, Link
from pipeline.errors import ChatError, FetchError
from pipeline.ports import Fetch


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
