"""Lays out a run's message in Components V2, and reads messages that are laid out so."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import discord
from discord import ui

from adapters.chat.board import Phase
from adapters.chat.rendering import Page
from adapters.chat.uploads import Upload
from adapters.discord.calls import LONGEST_ALT
from adapters.discord.rendering import render_small
from pipeline.domain import AnswerFile, Blob
from pipeline.text.names import make_unique

_COLOURS = {
    Phase.RUNNING: discord.Colour.blurple(),
    Phase.DONE: discord.Colour.green(),
    Phase.PARTLY: discord.Colour.gold(),
    Phase.FAILED: discord.Colour.red(),
}
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_IN_GALLERIES = (*_PICTURES, "video/mp4", "video/webm", "video/quicktime")
"""Discord shows these in place; any other file has a box with its name."""
_HIDDEN = "spoiler"
"""How a name begins that Discord gives a hidden file."""

Laid = discord.Message | discord.MessageSnapshot


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file that a message shows, the name that Discord keeps for it, and its id there."""

    upload: Upload
    name: str
    id: int = 0
    """0: not uploaded yet."""

    @property
    def blob(self) -> Blob:
        return self.upload.blob

    @property
    def file(self) -> AnswerFile:
        return self.upload.file

    @property
    def alt(self) -> str | None:
        """The alternative text, cut to Discord's limit."""
        return self.file.alt[:LONGEST_ALT] or None

    @property
    def address(self) -> str:
        """How a component of the same message names the file."""
        return f"attachment://{self.name}"

    def to_dict(self) -> Mapping[str, object]:
        """How an edit keeps the file: Discord finds it by its name only if that is given, too."""
        return {"id": str(self.id), "filename": self.name}


def name_files(files: Sequence[Upload], shown: Sequence[ShownFile]) -> tuple[ShownFile, ...]:
    """The files as a message is to show them; those that it shows already keep name and id."""
    known = {(each.upload.name, each.blob.data): each for each in shown}
    kept = [known.get((file.name, file.blob.data)) for file in files]
    taken = {each.name.casefold() for each in kept if each}
    named: list[ShownFile] = []
    for file, same in zip(files, kept, strict=True):
        name = same.name if same else make_unique(_clean(file.name), taken)
        taken.add(name.casefold())
        named.append(replace(same, upload=file) if same else ShownFile(file, name))
    return tuple(named)


def _clean(name: str) -> str:
    """Components find a file only under a name of ASCII letters, digits, dots and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    stem, dot, ending = re.sub(r"[^A-Za-z0-9.]+", "-", plain).rpartition(".")
    words = stem if dot else ending
    return f"{words.strip('-.') or 'file'}{f'.{ending}' if dot else ''}"


def lay_out(
    page: Page,
    buttons: Sequence[ui.Button[ui.LayoutView]] = (),
    files: Sequence[ShownFile] = (),
    *,
    hidden: bool = False,
) -> ui.LayoutView:
    """A page as components, in a box whose colour tells the run's state, if the page has one.

    `hidden`: whether people see it only after a click. So are results named after hidden files.
    """
    items: list[ui.Item[ui.LayoutView]] = []
    for text in filter(str.strip, page.parts):
        items += [ui.Separator(), ui.TextDisplay(text)] if items else [ui.TextDisplay(text)]
    pictures, others = _part(files)
    if pictures:
        media = (discord.MediaGalleryItem(each.address, description=each.alt) for each in pictures)
        items.append(ui.MediaGallery(*media))
    items += [ui.File(each.address) for each in others]
    if page.small:
        items += [*([ui.Separator()] if items else []), ui.TextDisplay(render_small(page))]
    if buttons:
        items.append(ui.ActionRow(*buttons))
    colour = _COLOURS.get(page.phase) if page.phase else None
    hidden = hidden or any(each.name.casefold().startswith(_HIDDEN) for each in files)
    view = ui.LayoutView(timeout=None)
    if colour or hidden:
        items = [ui.Container(*items, accent_colour=colour, spoiler=hidden)]
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def identify(files: Sequence[ShownFile], message: discord.Message) -> tuple[ShownFile, ...]:
    """The files with the ids that they have in a message."""
    pictures, others = _part(files)
    ids = [media.attachment_id for media, _ in list_media(message)]
    pairs = zip([*pictures, *others], ids, strict=False)
    return tuple(replace(file, id=id_) for file, id_ in pairs if id_)


def read_texts(message: Laid) -> list[str]:
    """The texts of a message's components, from top to bottom."""
    parts = _walk(message.components)
    return [part.content for part in parts if isinstance(part, discord.TextDisplay)]


def list_media(message: Laid) -> list[tuple[discord.UnfurledMediaItem, int]]:
    """The files that components show, with their sizes (0: unknown).

    Discord leaves them out of the message's attachments.
    """
    media: list[tuple[discord.UnfurledMediaItem, int]] = []
    for part in _walk(message.components):
        if isinstance(part, discord.MediaGalleryComponent):
            media += [(item.media, 0) for item in part.items]
        elif isinstance(part, discord.ThumbnailComponent):
            media.append((part.media, 0))
        elif isinstance(part, discord.FileComponent):
            media.append((part.media, part.size or 0))
    return media


def _part(files: Sequence[ShownFile]) -> tuple[list[ShownFile], list[ShownFile]]:
    """Those that a gallery shows, and the others."""
    pictures = [each for each in files if each.blob.media_type in _IN_GALLERIES]
    return pictures, [each for each in files if each not in pictures]


def _walk(parts: Iterable[discord.Component]) -> Iterator[discord.Component]:
    for part in parts:
        yield part
        if isinstance(part, discord.Container | discord.SectionComponent):
            yield from _walk(part.children)
        if isinstance(part, discord.SectionComponent):
            yield part.accessory
