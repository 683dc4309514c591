"""What a message shows in components: texts and files, which its other fields lack."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import discord

Laid = discord.Message | discord.MessageSnapshot


def read_texts(message: Laid) -> list[str]:
    """The texts of a message's components, from top to bottom."""
    parts = _walk(message.components)
    return [part.content for part in parts if isinstance(part, discord.TextDisplay)]


@dataclass(frozen=True, slots=True)
class ShownMedia:
    """A file that a component shows; `size` is 0 if unknown."""

    media: discord.UnfurledMediaItem
    alt: str = ""
    hidden: bool = False
    size: int = 0


def list_media(message: Laid) -> list[ShownMedia]:
    """The files that components show. Discord leaves them out of the message's attachments."""
    shown: list[ShownMedia] = []
    for part in _walk(message.components):
        if isinstance(part, discord.MediaGalleryComponent):
            shown += [ShownMedia(i.media, i.description or "", i.spoiler) for i in part.items]
        elif isinstance(part, discord.ThumbnailComponent):
            shown.append(ShownMedia(part.media, part.description or "", part.spoiler))
        elif isinstance(part, discord.FileComponent):
            shown.append(ShownMedia(part.media, "", part.spoiler, part.size or 0))
    return shown


def _walk(parts: Iterable[discord.Component]) -> Iterator[discord.Component]:
    for part in parts:
        yield part
        if isinstance(part, discord.Container | discord.SectionComponent):
            yield from _walk(part.children)
        if isinstance(part, discord.SectionComponent):
            yield part.accessory
