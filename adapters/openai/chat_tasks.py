"""Task kinds that a chat model does: a table from the kind to its instruction and parser."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from pipeline.domain import ExpertValue, Label, Labels, Span, Spans, Text
from pipeline.prompts.schemas import NUMBER, TEXT, array, strict_object

Parse = Callable[[str, str], Mapping[str, ExpertValue]]
"""From the reply and the text it is about to the slots of the kind. Raises ValueError."""

OWN_ESTIMATE = "scores are the language model's own estimate"


class _LabelRow(BaseModel):
    label: str
    score: float = Field(ge=0, le=1)


class _SpanRow(_LabelRow):
    text: str


class _LabelRows(BaseModel):
    labels: list[_LabelRow]


class _SpanRows(BaseModel):
    spans: list[_SpanRow]


def _parse_text(reply: str, _subject: str) -> Mapping[str, ExpertValue]:
    return {"text": Text(reply.strip())}


def _parse_labels(reply: str, _subject: str) -> Mapping[str, ExpertValue]:
    rows = _parse_json(_LabelRows, reply).labels
    labels = sorted((Label(row.label, row.score) for row in rows), key=lambda row: -row.score)
    return {"labels": Labels(tuple(labels))}


def _parse_spans(reply: str, subject: str) -> Mapping[str, ExpertValue]:
    """Only what really stands in the text counts."""
    spans: list[Span] = []
    position = 0
    for row in _parse_json(_SpanRows, reply).spans:
        start = subject.find(row.text, position)
        start = start if start >= 0 else subject.find(row.text)
        if row.text and start >= 0:
            position = start + len(row.text)
            spans.append(Span(row.text, row.label, row.score, start, position))
    return {"spans": Spans(tuple(spans))}


def _parse_json(model: type[Any], reply: str) -> Any:  # noqa: ANN401 - of the model given
    start, end = reply.find("{"), reply.rfind("}")
    try:
        return TypeAdapter(model).validate_json(reply[start : end + 1])
    except ValidationError as error:
        raise ValueError("not the JSON that was asked for") from error


@dataclass(frozen=True, slots=True)
class ChatTask:
    """A chat model's instruction and the parser of its reply. `sees`: it looks at a picture."""

    instruction: str
    parse: Parse = _parse_text
    schema: Mapping[str, Any] | None = None
    sees: bool = False

    @property
    def note(self) -> str:
        return OWN_ESTIMATE if self.schema is not None else ""


_LABELS = strict_object(labels=array(strict_object(label=TEXT, score=NUMBER)))
_SPANS = strict_object(spans=array(strict_object(text=TEXT, label=TEXT, score=NUMBER)))
_LABELS_FORM = 'Answer in JSON: {"labels": [{"label": "…", "score": 0.0 to 1.0}]}, likeliest first.'
_SPANS_FORM = 'Answer in JSON: {"spans": [{"text": "…", "label": "PER", "score": 0.0 to 1.0}]}.'


def _classify(instruction: str, *, sees: bool = False) -> ChatTask:
    return ChatTask(f"{instruction} {_LABELS_FORM}", _parse_labels, _LABELS, sees)


CHAT_TASKS: Mapping[str, ChatTask] = {
    "text-classification": _classify("Classify the sentiment of the text."),
    "token-classification": ChatTask(
        "Find the names of persons (PER), organisations (ORG), places (LOC) and others (MISC) in "
        f"the text, word for word. {_SPANS_FORM}",
        _parse_spans,
        _SPANS,
    ),
    "text2text-generation": ChatTask("Rewrite the text as it asks. Give only the result."),
    "summarization": ChatTask("Summarise the text in its own language. Give only the summary."),
    "translation": ChatTask("Translate the text into the language given. Give only the result."),
    "question-answering": ChatTask("Answer the question from the context alone, briefly."),
    "table-question-answering": ChatTask("Answer the question from the table alone, briefly."),
    "conversational": ChatTask("Go on with the conversation."),
    "text-generation": ChatTask("Write what is asked for. Give only the text."),
    "fill-mask": _classify("Name five words that fit the gap in the text."),
    "zero-shot-classification": _classify("Say how well each of the labels fits the text."),
    "image-to-text": ChatTask("Describe the picture in one or two sentences.", sees=True),
    "visual-question-answering": ChatTask(
        "Answer the question about the picture, briefly.", sees=True
    ),
    "image-classification": _classify(
        "Classify what the picture shows, five classes at most.", sees=True
    ),
    "zero-shot-image-classification": _classify(
        "Say how well each of the labels fits the picture.", sees=True
    ),
    "optical-character-recognition": ChatTask(
        "Write down the text in the picture, word for word and line for line. Give only the text.",
        sees=True,
    ),
    "document-question-answering": ChatTask(
        "Answer the question from the document alone, briefly.", sees=True
    ),
}
