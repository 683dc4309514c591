"""Results in the shapes of Hugging Face's official task schemas, for programs that know those."""

from collections.abc import Callable, Mapping
from typing import Any

from pipeline.domain import (
    Blob,
    Box,
    Boxes,
    ExpertValue,
    Label,
    Labels,
    Mask,
    Masks,
    Media,
    Number,
    Span,
    Spans,
    Text,
    Value,
    Vector,
)
from pipeline.domain.conversions import as_text

Json = Any
Slots = Mapping[str, Value | ExpertValue]
Write = Callable[[Media | Blob], Json]
"""How a file is written: as base64, as an address."""

_UNKNOWN = -1
_GAPS = ("[MASK]", "<mask>")
_WRITTEN: Mapping[str, str] = {
    "summarization": "summary_text",
    "translation": "translation_text",
    **dict.fromkeys(
        (
            "text-generation",
            "text2text-generation",
            "conversational",
            "image-to-text",
            "optical-character-recognition",
        ),
        "generated_text",
    ),
}


def format_official(kind: str, slots: Slots, write: Write, *, about: str = "") -> Json:
    """The result in the official schema of the kind, where one exists; else in docs/schemas.json's.

    `about` is the text that was worked on. The schemas want numbers that an expert may not give:
    an unknown probability is 0, an unknown place in the text is -1.
    """
    match kind, slots:
        case "fill-mask", {"labels": Labels(items)}:
            return [_format_gap(item, about) for item in items]
        case "depth-estimation", {"image": Blob() | Media() as depth}:
            return {"depth": write(depth)}
        case "audio-to-audio", {"audio": Blob() | Media() as sound}:
            file = sound.attachment if isinstance(sound, Media) else sound
            return [{"label": "audio", "blob": write(sound), "content-type": file.media_type}]
        case _:
            for value in slots.values():
                if (json := _format_data(kind, value, write, about)) is not None:
                    return json
            return {
                name: write(value) if isinstance(value, Blob | Media) else as_text(value)
                for name, value in slots.items()
            }


def _format_data(kind: str, value: Value | ExpertValue, write: Write, about: str) -> Json:  # noqa: PLR0911 - one a type
    """None where no official schema is known."""
    match value:
        case Labels(items):
            return [{"label": item.label, "score": item.score} for item in items]
        case Spans(items):
            return [_format_span(item) for item in items]
        case Boxes(items):
            return [_format_box(item) for item in items]
        case Masks(items):
            return [_format_mask(item, write) for item in items]
        case Vector(values):
            return [list(values)]
        case Number(number):
            return [number]
        case Text():
            return _format_text(kind, value, about)
        case _:
            return None


def _format_text(kind: str, value: Text, about: str) -> Json:
    words = value.text
    answer = {"answer": words, "score": value.score or 0.0}
    match kind:
        case "automatic-speech-recognition":
            return {"text": words}
        case "question-answering" | "document-question-answering":
            start = about.find(words) if words else _UNKNOWN
            end = start + len(words) if start >= 0 else _UNKNOWN
            return [{**answer, "start": start, "end": end}]
        case "visual-question-answering":
            return [answer]
        case "table-question-answering":  # which cells it stands on is not kept
            return [{"answer": words, "coordinates": [], "cells": []}]
        case _:  # servers give a list of one; so do we (the schemas have one object)
            return [{_WRITTEN[kind]: words}] if kind in _WRITTEN else None


def _format_gap(item: Label, about: str) -> Json:
    gap = next((gap for gap in _GAPS if gap in about), "")
    return {
        "sequence": about.replace(gap, item.label) if gap else item.label,
        "score": item.score,
        "token": _UNKNOWN,
        "token_str": item.label,
    }


def _format_span(item: Span) -> Json:
    place = {"start": item.start, "end": item.end}
    return {"entity_group": item.label, "score": item.score, "word": item.text, **place}


def _format_box(item: Box) -> Json:
    box = {"xmin": item.xmin, "ymin": item.ymin, "xmax": item.xmax, "ymax": item.ymax}
    return {"label": item.label, "score": item.score, "box": box}


def _format_mask(item: Mask, write: Write) -> Json:
    """Semantic models give no score: then there is none."""
    score = {} if item.score is None else {"score": item.score}
    return {"label": item.label, "mask": write(item.image), **score}
