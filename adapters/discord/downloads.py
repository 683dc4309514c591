"""Files that people sent, from Discord's file hosts and from nowhere else."""

import time
from dataclasses import replace
from urllib.parse import parse_qs

import discord
import yarl
from discord.http import Route

from adapters.discord.errors import persistently
from pipeline.domain import Blob, Link
from pipeline.errors import ChatError, FetchError
from pipeline.ports import Fetch

_SLACK = 1 << 10
_PAGE = (b"<!doctype html", b"<html")


async def download(
    link: Link,
    fetch: Fetch,
    *,
    hosts: frozenset[str],
    max_bytes: int,
    client: discord.Client | None,
) -> Blob:
    """The file behind a link. Raises FetchError."""
    address = yarl.URL(link.url)
    if not {address.host, address.authority} & hosts:
        raise FetchError("discord-file-elsewhere", name=link.name, host=address.host or "")
    url = await _refreshed(link.url, client) if client and _expired(link.url) else link.url
    limit = min(max_bytes, link.size + _SLACK) if link.size >= 0 else max_bytes
    blob = await fetch.get(url, trusted=hosts, max_bytes=limit)
    if _is_page(blob) and "html" not in link.media_type and not link.name.endswith("html"):
        raise FetchError("discord-file-page", name=link.name)
    return replace(blob, name=link.name)


def _expired(url: str) -> bool:
    """Addresses of attachments are signed until a moment that they name."""
    until = parse_qs(yarl.URL(url).query_string).get("ex", [""])[0]
    try:
        return int(until, 16) < time.time()
    except ValueError:
        return False


async def _refreshed(url: str, client: discord.Client) -> str:
    route = Route("POST", "/attachments/refresh-urls")
    try:
        answer = await persistently(
            lambda: client.http.request(route, json={"attachment_urls": [url]})
        )
    except ChatError:
        return url
    return next((str(row["refreshed"]) for row in answer.get("refreshed_urls", [])), url)


def _is_page(blob: Blob) -> bool:
    return blob.media_type == "text/html" or blob.data[:32].lstrip().lower().startswith(_PAGE)
