"""What experts answer in Hugging Face's inference format, as values; where specification and servers differ, both are read."""

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter

from adapters.huggingface import shapes
from adapters.huggingface.body import Body, words
from adapters.huggingface.encode import columns
from adapters.huggingface.media import from_base64, sniffed
from pipeline.domain import (
    Blob,
    Box,
    Boxes,
    Label,
    Labels,
    Mask,
    Masks,
    Number,
    Raw,
    Span,
    Spans,
    Text,
    Type,
    Vector,
)
from pipeline.ports import Job

Decode = Callable[[Body, Job], Mapping[str, Raw]]
T = TypeVar("T")


def labels(body: Body, _job: Job) -> Mapping[str, Raw]:
    found = shapes.LABELS.validate_json(body.data)
    items = [Label(item.label, item.score) for item in shapes.flat(found)]
    return {"labels": Labels(tuple(sorted(items, key=lambda item: -item.score)))}


def candidates(body: Body, job: Job) -> Mapping[str, Raw]:
    """Zero-shot classes: a list as specified, or the two lists that the pipeline gives."""
    found = shapes.CANDIDATES.validate_json(body.data)
    if isinstance(found, shapes.Ranked):
        pairs = zip(found.labels, found.scores, strict=True)
        items = tuple(Label(label, score) for label, score in pairs)
        return {"labels": Labels(tuple(sorted(items, key=lambda item: -item.score)))}
    return labels(body, job)


def gaps(body: Body, _job: Job) -> Mapping[str, Raw]:
    found = shapes.flat(shapes.GAPS.validate_json(body.data))
    return {"labels": Labels(tuple(Label(item.token_str.strip(), item.score) for item in found))}


def spans(body: Body, job: Job) -> Mapping[str, Raw]:
    text = words(job, "text")
    found = shapes.flat(shapes.ENTITIES.validate_json(body.data))
    return {"spans": Spans(tuple(_span(item, text) for item in found))}


def _span(item: shapes.Entity, text: str) -> Span:
    start = item.start if item.start is not None else max(text.find(item.word), 0)
    end = item.end if item.end is not None else start + len(item.word)
    return Span(text[start:end] or item.word, item.entity, item.score, start, end)


def text(body: Body, _job: Job) -> Mapping[str, Raw]:
    """Written, summarised, translated, transcribed or captioned: the first of a list, or one object."""
    return {"text": Text(shapes.first(shapes.WRITTEN.validate_json(body.data)).text.strip())}


def answer(body: Body, _job: Job) -> Mapping[str, Raw]:
    found = shapes.first(shapes.ANSWERS.validate_json(body.data))
    return {"text": Text(str(found.answer), found.score)}


def vector(body: Body, _job: Job) -> Mapping[str, Raw]:
    """One vector for the text: the mean over its tokens where the server gives one for each."""
    return {"vector": Vector(_pooled(shapes.VECTORS.validate_json(body.data)))}


def _pooled(values: Any) -> tuple[float, ...]:  # noqa: ANN401 - lists of lists, one to three deep
    if not isinstance(values[0], list):
        return tuple(values)
    rows = [_pooled(row) for row in values]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def likeness(body: Body, _job: Job) -> Mapping[str, Raw]:
    """How like the first the likest of the others is."""
    return {"number": Number(max(shapes.FLOATS.validate_json(body.data)))}


def boxes(body: Body, _job: Job) -> Mapping[str, Raw]:
    return {"boxes": Boxes(tuple(_box(item) for item in shapes.FOUND.validate_json(body.data)))}


def _box(item: shapes.Found) -> Box:
    edges = item.box
    return Box(
        item.label,
        item.score,
        *(round(edge) for edge in (edges.xmin, edges.ymin, edges.xmax, edges.ymax)),
    )


def masks(body: Body, job: Job) -> Mapping[str, Raw]:
    found = shapes.REGIONS.validate_json(body.data)
    return {
        "masks": Masks(
            tuple(
                Mask(item.label, item.score, from_base64(item.mask, Type.IMAGE, job))
                for item in found
            )
        )
    }


def predictions(body: Body, job: Job) -> Mapping[str, Raw]:
    """The person's table with one more column."""
    made = [str(v).removesuffix(".0") for v in shapes.PREDICTIONS.validate_json(body.data)]
    table = columns(job)
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    writer.writerow([*table, f"predicted {words(job, 'target')}".strip()])
    writer.writerows(zip(*table.values(), made, strict=True))
    blob = Blob(sheet.getvalue().encode(), "text/csv", "predictions.csv")
    return {"table": blob, "text": Text(", ".join(made[:20]))}


def image(body: Body, job: Job) -> Mapping[str, Raw]:
    return {"image": _file(body, job, Type.IMAGE)}


def audio(body: Body, job: Job) -> Mapping[str, Raw]:
    return {"audio": _file(body, job, Type.AUDIO)}


def video(body: Body, job: Job) -> Mapping[str, Raw]:
    return {"video": _file(body, job, Type.VIDEO)}


def _file(body: Body, job: Job, wanted: Type) -> Blob:
    """The bytes of a file, or JSON with the file in base64."""
    if body.media_type != "application/json" and body.data[:1] not in (b"{", b"["):
        return sniffed(body.data, wanted, job)
    return from_base64(_first_file(shapes.FILES, body).content, wanted, job)


def _first_file(adapter: TypeAdapter[list[T] | T], body: Body) -> T:
    return shapes.first(adapter.validate_json(body.data))
