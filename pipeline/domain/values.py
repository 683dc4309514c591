"""The typed values that tasks take and return; experts get files as bytes."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field

from pipeline.domain.conversation import Attachment, FileHash, LocalizedText, Type, type_of


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
class FileDescription:
    """The detected type of a file and a one-line description ("photo, 640x480").

    `seconds` is the length of a sound or film; 0 if unknown.
    """

    media_type: str
    description: str
    seconds: float = 0.0


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
    """Of what a model wrote, the links and file names that stand in the files it was given."""
    is_unfinished: bool = False
    """Whether the model stopped before its text was whole."""


@dataclass(frozen=True, slots=True)
class ExpertOutput:
    """What an expert returns; files are bytes. `cost` in US dollars (None: unknown)."""

    slots: Mapping[str, ExpertValue]
    _: KW_ONLY
    note: str = ""
    cost: float | None = None
    extras: tuple[Blob, ...] = field(default=())
    """Extra files (subtitles, a poster), shown but not passed to other tasks."""
    source: str = ""
    used: frozenset[str] = frozenset()
    """Parameters that the model was given; "image": it got all of several images, "table": all
    sheets of a file."""
    is_unfinished: bool = False
    """Whether the model stopped before its text was whole."""


MEDIA: Mapping[tuple[Type, Type], str] = {
    (Type.VIDEO, Type.IMAGE): "image/png",  # its poster frame
    (Type.VIDEO, Type.AUDIO): "audio/wav",  # its sound track
    (Type.TABLE, Type.DOCUMENT): "",  # a table is also a document
}
"""Conversions between file types: the media type to convert to; "": leave the file as it is."""

WITH_A_TASK: Mapping[tuple[Type, Type], str] = {
    (Type.DOCUMENT, Type.TEXT): "document-to-text",
    (Type.TABLE, Type.TEXT): "document-to-text",
    (Type.AUDIO, Type.TEXT): "automatic-speech-recognition",
    (Type.VIDEO, Type.TEXT): "automatic-speech-recognition",
    (Type.IMAGE, Type.TEXT): "image-to-text",
}
"""Conversions that need a task of their own, which the planner inserts and reports."""


def convertible(source: Type, target: Type) -> bool:
    """Whether a value of one type can be passed as another without inserting a task."""
    return source == target or (source, target) in _DATA or (source, target) in MEDIA


def convert(value: Value | ExpertValue, target: Type) -> Value | ExpertValue:
    """Convert data to a type that it is `convertible` to; files are returned unchanged."""
    change = _DATA.get((value_type(value), target))
    return change(value) if change else value


def as_text(value: Value | ExpertValue) -> str:  # noqa: PLR0911 - one line for each type
    """A value in words, for speech, language models and plain answers."""
    match value:
        case Text(text):
            return text
        case Labels(items):
            return ", ".join(f"{item.label} ({item.score:.0%})" for item in items) or "nothing"
        case Boxes(items) | Masks(items):
            counts = Counter(item.label for item in items).most_common()
            return ", ".join(f"{count} {label}" for label, count in counts) or "nothing"
        case Spans(items):
            return ", ".join(f"{item.text} ({item.label})" for item in items) or "nothing"
        case Number(number):
            return f"{number:.0f}" if float(number).is_integer() else f"{number:g}"
        case Vector(values):
            return f"{len(values)} numbers"
        case Media(attachment):
            return attachment.description or attachment.name
        case _:
            return value.alt or value.name or value.media_type


def _to_labels(value: Value | ExpertValue) -> Labels:
    assert isinstance(value, Boxes | Masks | Spans)
    best: dict[str, float] = {}
    for item in value.items:
        best[item.label] = max(best.get(item.label, 0.0), item.score or 0.0)
    ranked = sorted(best.items(), key=lambda pair: -pair[1])
    return Labels(tuple(Label(label, score) for label, score in ranked))


_DATA: Mapping[tuple[Type, Type], Callable[[Value | ExpertValue], Value]] = {
    **{
        (source, Type.TEXT): lambda value: Text(as_text(value))
        for source in (Type.LABELS, Type.BOXES, Type.MASKS, Type.SPANS, Type.NUMBER)
    },
    **{(source, Type.LABELS): _to_labels for source in (Type.BOXES, Type.MASKS, Type.SPANS)},
}
