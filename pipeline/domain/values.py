"""The typed values that tasks take and return; experts get files as bytes."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from pipeline.domain.files import Attachment, Type, type_of
from pipeline.domain.ids import FileHash
from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class Text:
    """A text. `score`: the expert's confidence from 0 to 1; None if it gives none."""

    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """A file in the file store: image, audio, video, document or table."""

    attachment: Attachment


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as experts take and return it: its bytes."""

    data: bytes
    media_type: str
    name: str = ""
    _: KW_ONLY
    alt: str = ""
    note: LocalizedText | None = None
    """What a conversion left out; told with the result."""
    hash: FileHash | None = None
    """Where the file store has it already; set for uploads."""
    original: bytes = b""
    """The spreadsheet that it is the first sheet of."""

    @property
    def type(self) -> Type:
        return type_of(self.media_type)


@dataclass(frozen=True, slots=True)
class Label:
    """A class with the expert's confidence, from 0 to 1."""

    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Labels:
    """Classes, most likely first."""

    items: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """An object detected in an image; the edges in pixels."""

    label: str
    score: float
    _: KW_ONLY
    xmin: int
    ymin: int
    xmax: int
    ymax: int


@dataclass(frozen=True, slots=True)
class Boxes:
    """Objects detected in an image."""

    items: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Mask:
    """A region of an image: `image` is a single-channel mask, white inside the region."""

    label: str
    score: float | None
    image: Media | Blob


@dataclass(frozen=True, slots=True)
class Masks:
    """Regions of an image."""

    items: tuple[Mask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A labelled span of a text; `start` and `end` are character offsets."""

    text: str
    label: str
    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spans:
    """Labelled spans of a text."""

    items: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number."""

    value: float


@dataclass(frozen=True, slots=True)
class Vector:
    """An embedding."""

    values: tuple[float, ...]


Value = Text | Media | Labels | Boxes | Masks | Spans | Number | Vector
"""What the outputs of a finished task hold."""
ExpertValue = Text | Blob | Labels | Boxes | Masks | Spans | Number | Vector
"""The same for experts: files are bytes."""


def value_type(value: Value | ExpertValue) -> Type:
    """The type of a value: that of the file, or the one named like its class."""
    match value:
        case Media(attachment):
            return attachment.type
        case Blob():
            return value.type
        case _:
            return Type(type(value).__name__.lower())


@dataclass(frozen=True, slots=True)
class Output:
    """The outputs of a task by slot name, in the order of its kind."""

    slots: Mapping[str, Value]
    _: KW_ONLY
    note: str = ""
    """The expert's remark on its result ("robotic voice, English only"), for the answer."""
    source: str = ""
    """The line or calculation behind the result: shown beside it, not passed to other tasks."""
    unused: tuple[str, ...] = ()
    """Parameters that the model was not given; "image": of several images, it got the first."""
    quotes: tuple[str, ...] = ()
    """The links and file names in a model's text that also occur in the files it was given."""
    is_unfinished: bool = False
    """Whether the model stopped before its text was whole."""


@dataclass(frozen=True, slots=True)
class ExpertOutput:
    """What an expert returns; files are bytes. `cost` in US dollars (None: unknown)."""

    slots: Mapping[str, ExpertValue]
    _: KW_ONLY
    note: str = ""
    cost: float | None = None
    extras: tuple[Blob, ...] = ()
    """Extra files (subtitles, a poster), shown but not passed to other tasks."""
    source: str = ""
    used: frozenset[str] = frozenset()
    """Parameters that the model was given; "image": it got all of several images, "table": all
    sheets of a file."""
    is_unfinished: bool = False
    """Whether the model stopped before its text was whole."""
