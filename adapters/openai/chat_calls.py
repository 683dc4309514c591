"""Tasks that a chat model does: how it is asked, and how its reply is read."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, BeforeValidator, Field

from pipeline.domain import (
    Blob,
    ExpertValue,
    Label,
    Labels,
    Span,
    Spans,
    TaskKind,
    Text,
    Type,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job, Message, Prompt
from pipeline.prompts import FENCES_HOLD_DATA, fence
from pipeline.prompts.chat_tasks import CHAT_TASKS, DESCRIPTIONS, ORDERS
from pipeline.prompts.schemas import NUMBER, TEXT, array, strict_object
from pipeline.text.encodings import decode
from pipeline.text.languages import name_language, normalize_code
from pipeline.text.lenient_json import load_object

OWN_ESTIMATE = "scores are the language model's own estimate"
"""The note on labels and spans."""
_PERCENT = 100
"""The largest score, of a model that counts in percent."""
_FORMS: Mapping[Type, tuple[str, Mapping[str, Any]]] = {
    Type.LABELS: (
        ' Answer in JSON: {"labels": [{"label": "…", "score": 0.0 to 1.0}]}, likeliest first.',
        strict_object(labels=array(strict_object(label=TEXT, score=NUMBER))),
    ),
    Type.SPANS: (
        ' Answer in JSON: {"spans": [{"text": "…", "label": "PER", "score": 0.0 to 1.0}]}.',
        strict_object(spans=array(strict_object(text=TEXT, label=TEXT, score=NUMBER))),
    ),
}
"""Results that are no text: how the model is told to write them, and their schema."""
_LANGUAGE_OF = "Write in the language of the words"
_MAX_CHARACTERS = 200_000
"""The longest argument."""
_LONGEST_REQUEST = 300
"""Characters of a request that show its language."""


def build_prompt(job: Job, *, sees: bool) -> Prompt:
    """Build the prompt of a job: its arguments by name as data, and its pictures.

    `sees`: whether the model takes pictures. Raises ExpertRefused for what it cannot read, BadInput
    for a job without arguments.
    """
    images: list[Blob] = []
    lines: list[str] = []
    is_order = job.kind.name in ORDERS
    for name, values in job.args.items():
        for value in values:
            if isinstance(value, Blob) and value.type is Type.IMAGE:
                images.append(value)
            elif words := _to_words(value, job)[:_MAX_CHARACTERS]:
                lines.append(words if is_order else f"{name}: {fence(words)}")
    if images and not sees:
        raise ExpertRefused("llm-sees-nothing", model=job.model.id)
    if not images and not lines:
        raise BadInput("llm-nothing-given", kind=job.kind.name)
    instruction, schema = find_instruction(job.kind)
    lines += _name_language(job)
    is_plain = is_order and not any("<<<" in line for line in lines)
    system = instruction if is_plain else f"{instruction} {FENCES_HOLD_DATA}"
    messages = (Message("system", system), Message("user", "\n".join(lines), tuple(images)))
    return Prompt(messages, schema=schema, max_tokens=4096, effort="low")


def _name_language(job: Job) -> list[str]:
    """Tell the model which language to write in, if no argument or text says so.

    A translation without a language is one into the reader's; a picture has no language, so it is
    described in that of the request.
    """
    if job.kind.name == "translation" and not job.args.get("language"):
        return [f"language: {fence(name_language(normalize_code(job.locale)) or 'English')}"]
    if job.kind.name in DESCRIPTIONS and job.request.strip():
        return [f"{_LANGUAGE_OF} {fence(job.request[:_LONGEST_REQUEST])}"]
    return []


def _to_words(value: ExpertValue, job: Job) -> str:
    """A value in words; a text file as it is. Raises ExpertRefused for any other file."""
    if not isinstance(value, Blob):
        return as_text(value)
    if not value.media_type.startswith("text/"):
        raise ExpertRefused("llm-file-unfit", model=job.model.id, type=value.type.value)
    text = decode(value.data)
    if text is None:
        raise ExpertRefused("media-encoding-unknown")
    return text


def find_instruction(kind: TaskKind) -> tuple[str, Mapping[str, Any] | None]:
    """What the model is told, and the schema of its reply where that is JSON."""
    form, schema = _FORMS.get(kind.makes[0].type, ("", None))
    return CHAT_TASKS[kind.name] + form, schema


def _drop_percent_sign(score: object) -> object:
    return score.rstrip(" %") if isinstance(score, str) else score


class _Row(BaseModel):
    label: str
    score: Annotated[float, BeforeValidator(_drop_percent_sign)] = Field(ge=0, le=_PERCENT)
    text: str = ""


class _Rows(BaseModel):
    rows: list[_Row] = Field(validation_alias=AliasChoices("labels", "spans"))


def parse_reply(kind: TaskKind, reply: str, subject: str) -> Mapping[str, ExpertValue]:
    """The outputs of a task from a reply about the text `subject`.

    Raises ValueError for a reply that should be JSON and is not.
    """
    form = kind.makes[0].type
    if form not in _FORMS:
        return {"text": Text(reply.strip())}
    rows = _parse_rows(reply)
    if form is Type.SPANS:
        return {"spans": _locate(rows, subject)}
    rows.sort(key=lambda row: -row.score)
    return {"labels": Labels(tuple(Label(row.label, row.score) for row in rows))}


def _parse_rows(reply: str) -> list[_Row]:
    """The rows of a reply, also of one that is only a list, or counts in percent."""
    start = min((at for at in map(reply.find, "[{") if at >= 0), default=0)
    document = load_object(reply[start:])
    rows = _Rows.model_validate({"labels": document} if isinstance(document, list) else document)
    scale = _PERCENT if any(row.score > 1 for row in rows.rows) else 1
    return [row.model_copy(update={"score": row.score / scale}) for row in rows.rows]


def _locate(rows: Sequence[_Row], subject: str) -> Spans:
    """The spans with their places in the text; what does not stand there is left out."""
    spans: list[Span] = []
    position = 0
    for row in rows:
        start = subject.find(row.text, position)
        start = start if start >= 0 else subject.find(row.text)
        if row.text and start >= 0:
            position = start + len(row.text)
            spans.append(
                Span(text=row.text, label=row.label, score=row.score, start=start, end=position)
            )
    return Spans(tuple(spans))
