"""The files of an answer: checked for size first, made smaller, or given as a link."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

from adapters.discord.allowed import allowed
from adapters.discord.markup import escaped
from adapters.discord.pages import Enclosure
from adapters.discord.posting import Spot
from pipeline.domain import Sentence, Shown
from pipeline.links import Sign, unsigned
from pipeline.ports import Files, MediaTools
from pipeline.showing import fitting
from pipeline.words import say


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
        may = self.allowed and allowed(spot.room).attach_files
        enclosures: list[Enclosure] = []
        notes: list[str] = []
        for file in shown:
            blob = await fitting(file, self.files_kept, self.media, limit) if may else None
            if blob is None:
                notes.append(self._instead(file, locale))
            else:
                name = blob.name or file.attachment.name
                enclosures.append(Enclosure(name, blob.data, file.alt))
        return enclosures, notes

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
