"""Files that people send and tasks make: their types, where they come from, how they are named."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from pipeline.domain.ids import FileHash
from pipeline.domain.sentences import LocalizedText


class Type(StrEnum):
    """The types of values that tasks exchange and people send."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    DOCUMENT = "document"
    TABLE = "table"
    LABELS = "labels"
    BOXES = "boxes"
    MASKS = "masks"
    SPANS = "spans"
    NUMBER = "number"
    VECTOR = "vector"


FILE_TYPES = frozenset({Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE})
SPREADSHEETS = frozenset(
    {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
    }
)
JSON_ROWS = "application/json;rows"
"""JSON that lists objects: a table."""
READ_AS: Mapping[str, str] = {
    **dict.fromkeys((*SPREADSHEETS, JSON_ROWS), "text/csv"),
    "image/heic": "image/jpeg",
    "image/heif": "image/jpeg",
}
"""What experts get of files that few of them read: a table as CSV, a phone's photo as JPEG."""
_TABLES = SPREADSHEETS | {JSON_ROWS, "text/csv", "text/tab-separated-values"}


def type_of(media_type: str) -> Type:
    """The type of a file with this media type; unknown ones are documents."""
    family = media_type.partition("/")[0]
    if family in ("image", "audio", "video"):
        return Type(family)
    return Type.TABLE if media_type in _TABLES else Type.DOCUMENT


@dataclass(frozen=True, slots=True)
class FileDescription:
    """The detected type of a file and a one-line description ("photo, 640x480").

    `seconds` is the length of a sound or film; 0 if unknown.
    """

    media_type: str
    description: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file in the file store. `media_type` was sniffed from the bytes; `size` is in bytes.

    `seconds` is the length of a sound or film; 0 if unknown.
    """

    hash: FileHash
    media_type: str
    name: str
    size: int
    description: str = ""
    seconds: float = 0.0

    @property
    def type(self) -> Type:
        return type_of(self.media_type)


@dataclass(frozen=True, slots=True)
class Link:
    """A file on a platform, not yet downloaded. `size`: bytes as claimed; -1 if unknown."""

    url: str
    name: str
    _: KW_ONLY
    media_type: str = ""
    size: int = -1
    id: str = ""
    workspace: str = ""
    """Whose token fetches it, on a platform with a token for each workspace."""
    alt: str = ""
    """What it shows, in its sender's words."""


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file with its name in the thread, such as "image 2"."""

    name: str
    attachment: Attachment


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that was sent but could not be used, and why."""

    name: str
    reason: LocalizedText
