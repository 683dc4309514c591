"""The text of which Discord's clients make a file, as it is longer than a message."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace

from pipeline.domain import Blob, Incoming, Link
from pipeline.errors import FetchUnavailable

Download = Callable[[Link], Awaitable[Blob]]
"""Fetches a file of a message."""

_PERSON = re.compile(r"<@!?(\d{1,20})>")
"""A mention of a person, by their id."""
_TEXT_FILE = "message.txt"
"""How Discord's clients call the file that they make of a long text."""
_LARGEST_TEXT = 100_000
"""Bytes of such a file. A longer one is no message, but a document."""
_TEXT_SECONDS = 3.0
"""How long its download may hold a message up."""


async def read_long_text(message: Incoming, me: int, download: Download) -> Incoming:
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
