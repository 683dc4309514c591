"""The files of an answer: checked for size first, made smaller, or given as a link."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord

from adapters.discord.allowed import allowed
from adapters.discord.markup import escaped
from adapters.discord.pages import Enclosure
from adapters.discord.posting import Spot
from pipeline.domain import Attachment, Blob, Sentence, Shown
from pipeline.errors import MediaError
from pipeline.ports import Files, MediaTools
from pipeline.showing import stays
from pipeline.words import say

Sign = Callable[[Attachment], str]
"""A link to a file that works for a while; "" where there is no public address."""


def unsigned(_: Attachment) -> str:
    """Without a public address there are no links."""
    return ""


@dataclass(frozen=True, slots=True)
class Enclosing:
    """Turns the files of a run into what can be sent to a place."""

    files_kept: Files
    media: MediaTools
    sign: Sign = unsigned
    allowed: bool = True

    async def files(
        self, shown: Sequence[Shown], spot: Spot, locale: str
    ) -> tuple[list[Enclosure], list[str]]:
        """What can be attached, in order, and a line for each file that cannot."""
        limit = size_limit(spot)
        enclosures: list[Enclosure] = []
        notes: list[str] = []
        for file in shown:
            fitting = (
                await self._fitting(file, limit)
                if self.allowed and allowed(spot.room).attach_files
                else None
            )
            if fitting is None:
                notes.append(self._instead(file, locale))
            else:
                enclosures.append(fitting)
        return enclosures, notes

    async def _fitting(self, shown: Shown, limit: int) -> Enclosure | None:
        attachment = shown.attachment
        data = await self.files_kept.get(attachment.hash)
        fitting = Blob(data, attachment.media_type, attachment.name)
        if not stays(shown, limit):
            with suppress(MediaError):
                fitting = await self.media.fit(fitting, limit)
        if len(fitting.data) > limit:
            return None
        return Enclosure(fitting.name or attachment.name, fitting.data, shown.alt)

    def _instead(self, shown: Shown, locale: str) -> str:
        link = self.sign(shown.attachment)
        name = shown.attachment.name
        if link:
            return f"[{escaped(name)}]({link}): {escaped(shown.alt)}"
        megabytes = f"{shown.attachment.size / 2**20:.1f}"
        sentence = Sentence("discord-file-not-sent", {"name": name, "size": megabytes})
        return escaped(say(locale, sentence))


def size_limit(spot: Spot) -> int:
    """Bytes that one file may have here."""
    guild = spot.room.guild
    return guild.filesize_limit if guild else discord.utils.DEFAULT_FILE_SIZE_LIMIT_BYTES
