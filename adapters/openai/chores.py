"""Kinds of tasks that a chat model does: one table from the kind to what it is told and how its reply is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from pipeline.domain import Label, Labels, Raw, Span, Spans, Text
from pipeline.prompts.schemas import NUMBER, TEXT, array, closed

Read = Callable[[str, str], Mapping[str, Raw]]
"""From the reply and the text it is about to the slots of the kind. Raises ValueError."""

OWN_ESTIMATE = "scores are the language model's own estimate"


class _Label(BaseModel):
    label: str
    score: float = Field(ge=0, le=1)


class _Span(BaseModel):
    text: str
    label: str
    score: float = Field(ge=0, le=1)


class _Labels(BaseModel):
    labels: list[_Label]


class _Spans(BaseModel):
    spans: list[_Span]


def _schema(name: str, *fields: str) -> Mapping[str, Any]:
    types = {"score": NUMBER}
    item = closed(**{field: types.get(field, TEXT) for field in fields})
    return closed(**{name: array(item)})


def _text(reply: str, _about: str) -> Mapping[str, Raw]:
    return {"text": Text(reply.strip())}


def _labels(reply: str, _about: str) -> Mapping[str, Raw]:
    found = _read(_Labels, reply).labels
    items = sorted((Label(item.label, item.score) for item in found), key=lambda one: -one.score)
    return {"labels": Labels(tuple(items))}


def _spans(reply: str, about: str) -> Mapping[str, Raw]:
    """Only what really stands in the text counts."""
    spans: list[Span] = []
    at = 0
    for item in _read(_Spans, reply).spans:
        start = about.find(item.text, at)
        start = start if start >= 0 else about.find(item.text)
        if item.text and start >= 0:
            at = start + len(item.text)
            spans.append(Span(item.text, item.label, item.score, start, at))
    return {"spans": Spans(tuple(spans))}


def _read(model: type[Any], reply: str) -> Any:  # noqa: ANN401 - of the model given
    start, end = reply.find("{"), reply.rfind("}")
    try:
        return TypeAdapter(model).validate_json(reply[start : end + 1])
    except ValidationError as error:
        raise ValueError("not the JSON that was asked for") from error


@dataclass(frozen=True, slots=True)
class Chore:
    """What a chat model is told to do, and how its reply is read. `sees` a picture in one of its arguments."""

    told: str
    read: Read = _text
    schema: Mapping[str, Any] | None = None
    sees: bool = False

    @property
    def note(self) -> str:
        return OWN_ESTIMATE if self.schema is not None else ""


_LABELS = _schema("labels", "label", "score")
_SPANS = _schema("spans", "text", "label", "score")
_JSON = 'Answer in JSON: {"labels": [{"label": "…", "score": 0.0 to 1.0}]}, the likeliest first.'

CHORES: Mapping[str, Chore] = {
    "text-classification": Chore(f"Classify the sentiment of the text. {_JSON}", _labels, _LABELS),
    "token-classification": Chore(
        "Find the names of persons (PER), organisations (ORG), places (LOC) and others (MISC) in the text, word for "
        'word. Answer in JSON: {"spans": [{"text": "…", "label": "PER", "score": 0.0 to 1.0}]}.',
        _spans,
        _SPANS,
    ),
    "text2text-generation": Chore("Rewrite the text as it asks. Give only the result."),
    "summarization": Chore("Summarise the text in its own language. Give only the summary."),
    "translation": Chore("Translate the text into the language given. Give only the translation."),
    "question-answering": Chore("Answer the question from the context alone, briefly."),
    "table-question-answering": Chore("Answer the question from the table alone, briefly."),
    "conversational": Chore("Go on with the conversation."),
    "text-generation": Chore("Write what is asked for. Give only the text."),
    "fill-mask": Chore(f"Name five words that fit the gap in the text. {_JSON}", _labels, _LABELS),
    "zero-shot-classification": Chore(
        f"Say how well each of the labels given fits the text. {_JSON}", _labels, _LABELS
    ),
    "image-to-text": Chore("Describe the picture in one or two sentences.", sees=True),
    "visual-question-answering": Chore(
        "Answer the question about the picture, briefly.", sees=True
    ),
    "image-classification": Chore(
        f"Classify what the picture shows, five classes at most. {_JSON}",
        _labels,
        _LABELS,
        sees=True,
    ),
    "zero-shot-image-classification": Chore(
        f"Say how well each of the labels given fits the picture. {_JSON}",
        _labels,
        _LABELS,
        sees=True,
    ),
    "optical-character-recognition": Chore(
        "Write down the text in the picture, word for word and line for line. Give only the text.",
        sees=True,
    ),
    "document-question-answering": Chore(
        "Answer the question from the document alone, briefly.", sees=True
    ),
}
