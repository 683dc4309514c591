"""The files that a message shows: how they are named, and known again in an edit."""

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import discord

from adapters.chat.uploads import Upload
from adapters.discord.web_api.components import list_media
from pipeline.domain import AnswerFile, Blob
from pipeline.text.names import make_unique

_LONGEST_ALT = 1024
"""Characters that Discord accepts as the description of a file."""
_IN_GALLERIES = (
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "video/mp4",
    "video/webm",
    "video/quicktime",
)
"""Discord shows these in place; any other file has a box with its name."""


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
        return self.file.alt[:_LONGEST_ALT] or None

    @property
    def address(self) -> str:
        """How a component of the same message names the file."""
        return f"attachment://{self.name}"

    def to_dict(self) -> Mapping[str, object]:
        """How an edit keeps the file: Discord finds it by its name only if that is given, too."""
        return {"id": str(self.id), "filename": self.name}


def name_files(files: Sequence[Upload], shown: Sequence[ShownFile]) -> tuple[ShownFile, ...]:
    """The files as a message is to show them.

    `shown` are those that it shows already: the same among `files` keep their names and ids, so
    that an edit need not send them again. Others get names that none of the message's files has.
    """
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


def identify(files: Sequence[ShownFile], message: discord.Message) -> tuple[ShownFile, ...]:
    """The files with the ids that Discord gave them in a message that was posted with them."""
    pictures, others = part_pictures(files)
    ids = [each.media.attachment_id for each in list_media(message)]
    pairs = zip([*pictures, *others], ids, strict=False)
    return tuple(replace(file, id=id_) for file, id_ in pairs if id_)


def part_pictures(files: Sequence[ShownFile]) -> tuple[list[ShownFile], list[ShownFile]]:
    """Those that a gallery shows, and the others."""
    pictures = [each for each in files if each.blob.media_type in _IN_GALLERIES]
    return pictures, [each for each in files if each not in pictures]


def open_file(data: bytes, name: str, description: str, *, hidden: bool = False) -> discord.File:
    """A new file object for each attempt, as the library closes it."""
    alt = description[:_LONGEST_ALT] or None
    return discord.File(io.BytesIO(data), name, description=alt, spoiler=hidden)
