"""Replies in Hugging Face's inference format, as values.

The models follow the Hub's task schemas, and what servers send in their place.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import (
    AliasChoices,
    AllowInfNan,
    BaseModel,
    Field,
    RootModel,
    TypeAdapter,
    ValidationError,
)

from adapters.huggingface.bodies import Body, decode_file, read_text, sniff_file
from adapters.huggingface.encode import read_columns
from adapters.huggingface.subtitles import Cue, format_srt
from pipeline.domain import (
    Blob,
    Box,
    Boxes,
    ExpertValue,
    Label,
    Labels,
    Mask,
    Masks,
    Number,
    Span,
    Spans,
    Text,
    Type,
    Vector,
)
from pipeline.ports import Job

Slots = Mapping[str, ExpertValue]
Decode = Callable[[Body, Job], Slots]
T = TypeVar("T")
_Finite = Annotated[float, AllowInfNan(allow_inf_nan=False)]
"""A number; a model whose sums overflow sends "not a number"."""
_SHOWN_PREDICTIONS = 20


class _ScoredLabel(BaseModel):
    label: str
    score: _Finite


class _LabelLists(BaseModel):
    """Zero-shot classes as transformers' pipeline gives them."""

    labels: list[str]
    scores: list[_Finite]


class _Gap(BaseModel):
    """A word for a gap; the specification misspells the name."""

    token_str: str = Field(validation_alias=AliasChoices("token_str", "tokenStr"))
    score: _Finite


class _Entity(BaseModel):
    entity: str = Field(validation_alias=AliasChoices("entity_group", "entity"))
    word: str
    score: _Finite
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)


class _GeneratedText(BaseModel):
    text: str = Field(
        validation_alias=AliasChoices(
            "generated_text", "summary_text", "translation_text", "text", "generatedText"
        )
    )


class _ExtractedAnswer(BaseModel):
    answer: str | _Finite
    score: _Finite | None = None


class _Edges(BaseModel):
    """Where a thing is in a picture, in pixels."""

    xmin: _Finite
    ymin: _Finite
    xmax: _Finite
    ymax: _Finite


class _Detection(BaseModel):
    label: str
    score: _Finite
    box: _Edges


class _Region(BaseModel):
    """Semantic models give no score, mask generators no label."""

    label: str = ""
    score: _Finite | None = None
    mask: str


class _EncodedFile(BaseModel):
    content: str = Field(validation_alias=AliasChoices("image", "audio", "video", "depth", "blob"))


class _Chunk(BaseModel):
    """A stretch of a transcript, as transformers gives it."""

    text: str
    timestamp: tuple[_Finite | None, _Finite | None]


class _Segment(BaseModel):
    """The same in OpenAI's format."""

    text: str
    start: _Finite
    end: _Finite | None = None


class _Timed(BaseModel):
    chunks: Sequence[_Chunk] | None = None
    segments: Sequence[_Segment] | None = None


class _Vectors(RootModel[list[_Finite] | list[list[_Finite]] | list[list[list[_Finite]]]]):
    """One vector, one for each token, or those in a batch of one."""


def _parse_list(item: type[T], body: Body) -> list[T]:
    """A list; some servers put the list for one input into a list of inputs."""
    form: Any = list[item] | list[list[item]]  # type: ignore[valid-type]
    rows: list[T] | list[list[T]] = TypeAdapter(form).validate_json(body.data)
    if rows and isinstance(rows[0], list):
        return rows[0]
    return [row for row in rows if not isinstance(row, list)]


def _parse_first(item: type[T], body: Body) -> T:
    """One object, or the first of a list. Raises ValueError when there is none."""
    form: Any = list[item] | item  # type: ignore[valid-type]
    rows: list[T] | T = TypeAdapter(form).validate_json(body.data)
    if not isinstance(rows, list):
        return rows
    if not rows:
        raise ValueError("an empty list")
    return rows[0]


def decode_labels(body: Body, _job: Job) -> Slots:
    rows = _parse_list(_ScoredLabel, body)
    return _sort_labels(Label(row.label, row.score) for row in rows)


def decode_candidates(body: Body, job: Job) -> Slots:
    """Zero-shot classes: a list as specified, or the two lists of transformers' pipeline."""
    try:
        lists = _LabelLists.model_validate_json(body.data)
    except ValidationError:
        return decode_labels(body, job)
    return _sort_labels(map(Label, lists.labels, lists.scores))


def _sort_labels(labels: Any) -> Slots:  # noqa: ANN401 - any iterable of labels
    return {"labels": Labels(tuple(sorted(labels, key=lambda label: -label.score)))}


def decode_gaps(body: Body, _job: Job) -> Slots:
    rows = _parse_list(_Gap, body)
    return {"labels": Labels(tuple(Label(row.token_str.strip(), row.score) for row in rows))}


def decode_spans(body: Body, job: Job) -> Slots:
    text = read_text(job, "text")
    return {"spans": Spans(tuple(_to_span(row, text) for row in _parse_list(_Entity, body)))}


def _to_span(row: _Entity, text: str) -> Span:
    start = row.start if row.start is not None else max(text.find(row.word), 0)
    end = row.end if row.end is not None else start + len(row.word)
    return Span(text[start:end] or row.word, row.entity, row.score, start, end)


def decode_text(body: Body, _job: Job) -> Slots:
    return {"text": Text(_parse_first(_GeneratedText, body).text.strip())}


def decode_answer(body: Body, _job: Job) -> Slots:
    row = _parse_first(_ExtractedAnswer, body)
    return {"text": Text(str(row.answer), row.score)}


def decode_vector(body: Body, _job: Job) -> Slots:
    """One vector: the mean over the tokens where the server gives one for each."""
    return {"vector": Vector(_pool(_Vectors.model_validate_json(body.data).root))}


def _pool(values: Any) -> tuple[float, ...]:  # noqa: ANN401 - lists of lists, one to three deep
    if not isinstance(values[0], list):
        return tuple(values)
    rows = [_pool(row) for row in values]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def decode_similarity(body: Body, _job: Job) -> Slots:
    """How similar the most similar of the other sentences is."""
    return {"number": Number(max(TypeAdapter(list[_Finite]).validate_json(body.data)))}


def decode_boxes(body: Body, _job: Job) -> Slots:
    rows = TypeAdapter(list[_Detection]).validate_json(body.data)
    return {"boxes": Boxes(tuple(map(_to_box, rows)))}


def _to_box(row: _Detection) -> Box:
    edges = (row.box.xmin, row.box.ymin, row.box.xmax, row.box.ymax)
    return Box(row.label, row.score, *map(round, edges))


def decode_masks(body: Body, job: Job) -> Slots:
    rows = TypeAdapter(list[_Region]).validate_json(body.data)
    masks = (Mask(row.label, row.score, decode_file(row.mask, Type.IMAGE, job)) for row in rows)
    return {"masks": Masks(tuple(masks))}


def decode_predictions(body: Body, job: Job) -> Slots:
    """The person's table with one more column."""
    rows = TypeAdapter(list[str | _Finite]).validate_json(body.data)
    predicted = [str(value).removesuffix(".0") for value in rows]
    table = read_columns(job)
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    writer.writerow([*table, f"predicted {read_text(job, 'target')}".strip()])
    writer.writerows(zip(*table.values(), predicted, strict=True))
    blob = Blob(sheet.getvalue().encode(), "text/csv", "predictions.csv")
    return {"table": blob, "text": Text(", ".join(predicted[:_SHOWN_PREDICTIONS]))}


def decode_image(body: Body, job: Job) -> Slots:
    return {"image": _decode_media(body, job, Type.IMAGE)}


def decode_audio(body: Body, job: Job) -> Slots:
    return {"audio": _decode_media(body, job, Type.AUDIO)}


def decode_video(body: Body, job: Job) -> Slots:
    return {"video": _decode_media(body, job, Type.VIDEO)}


def _decode_media(body: Body, job: Job, wanted: Type) -> Blob:
    """The bytes of a file, or JSON with the file in base64."""
    if not body.is_json:
        return sniff_file(body.data, wanted, job)
    return decode_file(_parse_first(_EncodedFile, body).content, wanted, job)


def decode_subtitles(reply: object) -> tuple[Blob, ...]:
    """An .srt file where the transcript has timestamps, else nothing."""
    first = reply[0] if isinstance(reply, list) and reply else reply
    if not isinstance(first, Mapping):
        return ()
    try:
        timed = _Timed.model_validate({key: first.get(key) for key in ("chunks", "segments")})
    except ValidationError:
        return ()
    text = format_srt(_to_cues(timed))
    return (Blob(text.encode(), "application/x-subrip", "subtitles.srt"),) if text else ()


def _to_cues(timed: _Timed) -> list[Cue]:
    if timed.segments:
        return [Cue(row.start, row.end, row.text) for row in timed.segments]
    return [Cue(row.timestamp[0] or 0.0, row.timestamp[1], row.text) for row in timed.chunks or ()]
