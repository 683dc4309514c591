"""Results in the shapes of Hugging Face's task schemas."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from pipeline import domain
from pipeline.domain.conversions import as_text

Result = Any
"""Any JSON."""
_TEXT_FIELDS = {
    "summarization": "summary_text",
    "translation": "translation_text",
    "text-generation": "generated_text",
    "text2text-generation": "generated_text",
    "conversational": "generated_text",
    "image-to-text": "generated_text",
    "optical-character-recognition": "generated_text",
}
"""The field of a kind's official schema that holds the text."""


def make_address(file: domain.Attachment) -> str:
    """The path under which a file is served."""
    return f"/files/{file.hash}/{quote(file.name, safe='')}"


def format_official(kind: str, slots: Mapping[str, domain.Value]) -> Result:
    """The result in the kind's official schema; if there is none, in that of docs/schemas.json.

    Files are given by their URLs. The schemas require numbers that an expert may not return: an
    unknown score is 0, an unknown position or token is -1.
    """
    for value in slots.values():
        if (known := _format_value(kind, value)) is not None:
            return known
    return {
        name: make_address(value.attachment) if isinstance(value, domain.Media) else as_text(value)
        for name, value in slots.items()
    }


def _format_value(kind: str, value: domain.Value) -> Result:  # noqa: PLR0911 - one a shape
    """None if there is no official schema."""
    match kind, value:
        case "fill-mask", domain.Labels(items):
            return [
                {"sequence": item.label, "score": item.score, "token": -1, "token_str": item.label}
                for item in items
            ]
        case "sentence-similarity", domain.Labels(items):
            return [item.score for item in items]
        case "depth-estimation", domain.Media(file):
            return {"depth": make_address(file)}
        case "audio-to-audio", domain.Media(file):
            media_type = file.media_type
            return [{"label": "audio", "blob": make_address(file), "content-type": media_type}]
        case _, domain.Labels() | domain.Spans() | domain.Boxes() | domain.Masks():
            return [_format_item(item) for item in value.items]
        case _, domain.Vector(values):
            return [list(values)]
        case _, domain.Number(number):
            return [number]
        case _, domain.Text():
            return _format_text(kind, value)
        case _:
            return None


def _format_item(item: domain.Label | domain.Span | domain.Box | domain.Mask) -> Result:
    match item:
        case domain.Label():
            return asdict(item)
        case domain.Span():
            place = {"start": item.start, "end": item.end}
            return {"entity_group": item.label, "score": item.score, "word": item.text, **place}
        case domain.Box(label, score):
            edges = {name: getattr(item, name) for name in ("xmin", "ymin", "xmax", "ymax")}
            return {"label": label, "score": score, "box": edges}
        case domain.Mask(label, score, image):  # semantic segmentation has no score
            assert isinstance(image, domain.Media)
            known = {} if score is None else {"score": score}
            return {"label": label, "mask": make_address(image.attachment), **known}


def _format_text(kind: str, value: domain.Text) -> Result:
    answer = {"answer": value.text, "score": value.score or 0.0}
    match kind:
        case "automatic-speech-recognition":
            return {"text": value.text}
        case "question-answering" | "document-question-answering":
            return [{**answer, "start": -1, "end": -1}]
        case "visual-question-answering":
            return [answer]
        case "table-question-answering":  # the cells it comes from are not stored
            return [{"answer": value.text, "coordinates": [], "cells": []}]
        case _:  # a list of one, as servers return it; the schemas have a single object
            return [{_TEXT_FIELDS[kind]: value.text}] if kind in _TEXT_FIELDS else None
