"""Conversions of values: as data, as files or with a task of their own; and values as text."""

from collections import Counter
from collections.abc import Callable, Mapping

from pipeline.domain.files import Type
from pipeline.domain.values import (
    Boxes,
    ExpertValue,
    Label,
    Labels,
    Masks,
    Media,
    Number,
    Spans,
    Text,
    Value,
    Vector,
    value_type,
)

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


def is_convertible(source: Type, target: Type) -> bool:
    """Whether a value of one type can be passed as another without inserting a task."""
    return source == target or (source, target) in _DATA or (source, target) in MEDIA


def convert(value: Value | ExpertValue, target: Type) -> Value | ExpertValue:
    """Convert data to a type for which `is_convertible` holds; files are returned unchanged."""
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
