"""What tasks take and make: typed values, and files as bytes where experts see them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipeline.domain.conversation import Attachment, Type, type_of


@dataclass(frozen=True, slots=True)
class Text:
    """Words. `score` from 0 to 1 where the expert says how sure it is, else None."""

    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """A file in our store: picture, sound, video, document or table."""

    attachment: Attachment


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as an expert takes and makes it: its bytes."""

    data: bytes
    media_type: str
    name: str = ""
    alt: str = ""

    @property
    def type(self) -> Type:
        return type_of(self.media_type)


@dataclass(frozen=True, slots=True)
class Label:
    """A class and how sure the expert is, from 0 to 1."""

    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Labels:
    """Classes, the most likely first."""

    items: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A thing found in a picture; the edges in pixels of that picture."""

    label: str
    score: float
    xmin: int
    ymin: int
    xmax: int
    ymax: int


@dataclass(frozen=True, slots=True)
class Boxes:
    """Things found in a picture."""

    items: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Mask:
    """A region of a picture: `image` is a single-channel picture, white where the region is."""

    label: str
    score: float | None
    image: Media | Blob


@dataclass(frozen=True, slots=True)
class Masks:
    """Regions of a picture."""

    items: tuple[Mask, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text that means something; `start` and `end` count characters."""

    text: str
    label: str
    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Spans:
    """What was found in a text."""

    items: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """One figure, and what it measures."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Vector:
    """An embedding."""

    values: tuple[float, ...]


Value = Text | Media | Labels | Boxes | Masks | Spans | Number | Vector
"""What a plan's arguments and a finished task's outputs hold."""

ExpertValue = Text | Blob | Labels | Boxes | Masks | Spans | Number | Vector
"""The same as an expert sees it: files are bytes."""


def value_type(value: Value | ExpertValue) -> Type:
    """The type of a value."""
    match value:
        case Media(attachment):
            return attachment.type
        case Blob():
            return value.type
        case _:
            return Type(type(value).__name__.lower())


@dataclass(frozen=True, slots=True)
class Output:
    """What a task made, by the name of the slot; the order is the kind's."""

    slots: Mapping[str, Value]
    note: str = ""
    """What the expert says about its own result ("robotic voice, English only"), for the answer."""
    source: str = ""
    """The line or the calculation that the result comes from: shown beside it, not handed on."""


@dataclass(frozen=True, slots=True)
class ExpertOutput:
    """What an expert made; its files are still bytes. `cost` in US dollars, None: unknown."""

    slots: Mapping[str, ExpertValue]
    note: str = ""
    cost: float | None = None
    extras: tuple[Blob, ...] = field(default=())
    """Files made beside the result (subtitles, a poster), shown but not handed on."""
    source: str = ""
