"""Results in the shapes of Hugging Face's official task schemas, for programs that know those."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from pipeline.domain import (
    Attachment,
    Box,
    Boxes,
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
_WRITTEN = {
    "summarization": "summary_text",
    "translation": "translation_text",
    "text-generation": "generated_text",
    "text2text-generation": "generated_text",
    "conversational": "generated_text",
    "image-to-text": "generated_text",
    "optical-character-recognition": "generated_text",
}


def address_of(file: Attachment) -> str:
    """Where the page serves a file."""
    return f"/files/{file.hash}/{quote(file.name, safe='')}"


def format_official(kind: str, slots: Mapping[str, Value]) -> Json:
    """The result in the official schema of the kind, where one exists; else in docs/schemas.json's.

    Files are given by their addresses. The schemas want numbers that an expert may not give: an
    unknown probability is 0, an unknown place in the text or token is -1.
    """
    for value in slots.values():
        if (known := _format_value(kind, value)) is not None:
            return known
    return {
        name: address_of(value.attachment) if isinstance(value, Media) else as_text(value)
        for name, value in slots.items()
    }


def _format_value(kind: str, value: Value) -> Json:  # noqa: PLR0911 - one a shape
    """None where no official schema is known."""
    match kind, value:
        case "fill-mask", Labels(items):
            return [
                {"sequence": item.label, "score": item.score, "token": -1, "token_str": item.label}
                for item in items
            ]
        case "depth-estimation", Media(file):
            return {"depth": address_of(file)}
        case "audio-to-audio", Media(file):
            media_type = file.media_type
            return [{"label": "audio", "blob": address_of(file), "content-type": media_type}]
        case _, Labels() | Spans() | Boxes() | Masks():
            return [_format_item(item) for item in value.items]
        case _, Vector(values):
            return [list(values)]
        case _, Number(number):
            return [number]
        case _, Text():
            return _format_text(kind, value)
        case _:
            return None


def _format_item(item: Label | Span | Box | Mask) -> Json:
    match item:
        case Label():
            return asdict(item)
        case Span(text, label, score, start, end):
            place = {"start": start, "end": end}
            return {"entity_group": label, "score": score, "word": text, **place}
        case Box(label, score):
            edges = {name: getattr(item, name) for name in ("xmin", "ymin", "xmax", "ymax")}
            return {"label": label, "score": score, "box": edges}
        case Mask(label, score, image):  # semantic models give no score: then there is none
            assert isinstance(image, Media)
            known = {} if score is None else {"score": score}
            return {"label": label, "mask": address_of(image.attachment), **known}


def _format_text(kind: str, value: Text) -> Json:
    answer = {"answer": value.text, "score": value.score or 0.0}
    match kind:
        case "automatic-speech-recognition":
            return {"text": value.text}
        case "question-answering" | "document-question-answering":
            return [{**answer, "start": -1, "end": -1}]
        case "visual-question-answering":
            return [answer]
        case "table-question-answering":  # which cells it stands on is not kept
            return [{"answer": value.text, "coordinates": [], "cells": []}]
        case _:  # servers give a list of one; so do we (the schemas have one object)
            return [{_WRITTEN[kind]: value.text}] if kind in _WRITTEN else None
