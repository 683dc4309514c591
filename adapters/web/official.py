"""Results in the shapes of Hugging Face's official task schemas, for programs that know those."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from pipeline.domain import (
    Blob,
    Box,
    Boxes,
    ExpertValue,
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
_WRITTEN = {
    "summarization": "summary_text",
    "translation": "translation_text",
    "text-generation": "generated_text",
    "text2text-generation": "generated_text",
    "conversational": "generated_text",
    "image-to-text": "generated_text",
    "optical-character-recognition": "generated_text",
}


def format_official(kind: str, slots: Slots, write: Write) -> Json:
    """The result in the official schema of the kind, where one exists; else in docs/schemas.json's.

    The schemas want numbers that an expert may not give: an unknown probability is 0, an unknown
    place in the text or token is -1.
    """
    match kind, slots:
        case "fill-mask", {"labels": Labels(items)}:
            known = [(item.label, item.score) for item in items]
            return [
                {"sequence": label, "score": score, "token": _UNKNOWN, "token_str": label}
                for label, score in known
            ]
        case "depth-estimation", {"image": Blob() | Media() as depth}:
            return {"depth": write(depth)}
        case "audio-to-audio", {"audio": Blob() | Media() as sound}:
            file = sound.attachment if isinstance(sound, Media) else sound
            return [{"label": "audio", "blob": write(sound), "content-type": file.media_type}]
        case _:
            pass
    for value in slots.values():
        if (json := _format_data(kind, value, write)) is not None:
            return json
    return {
        name: write(value) if isinstance(value, Blob | Media) else as_text(value)
        for name, value in slots.items()
    }


def _format_data(kind: str, value: Value | ExpertValue, write: Write) -> Json:  # noqa: PLR0911 - one a type
    """None where no official schema is known."""
    match value:
        case Labels(items):
            return [asdict(item) for item in items]
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
            return _format_text(kind, value)
        case _:
            return None


def _format_text(kind: str, value: Text) -> Json:
    answer = {"answer": value.text, "score": value.score or 0.0}
    match kind:
        case "automatic-speech-recognition":
            return {"text": value.text}
        case "question-answering" | "document-question-answering":
            return [{**answer, "start": _UNKNOWN, "end": _UNKNOWN}]
        case "visual-question-answering":
            return [answer]
        case "table-question-answering":  # which cells it stands on is not kept
            return [{"answer": value.text, "coordinates": [], "cells": []}]
        case _:  # servers give a list of one; so do we (the schemas have one object)
            return [{_WRITTEN[kind]: value.text}] if kind in _WRITTEN else None


def _format_span(item: Span) -> Json:
    place = {"start": item.start, "end": item.end}
    return {"entity_group": item.label, "score": item.score, "word": item.text, **place}


def _format_box(item: Box) -> Json:
    edges = asdict(item)
    return {"label": edges.pop("label"), "score": edges.pop("score"), "box": edges}


def _format_mask(item: Mask, write: Write) -> Json:
    """Semantic models give no score: then there is none."""
    score = {} if item.score is None else {"score": item.score}
    return {"label": item.label, "mask": write(item.image), **score}
