"""Parses the replies of the Hub's inference and of other providers.

Servers deviate from the Hub's task schemas, so results are looked up in several places.
"""

import base64
import textwrap
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pydantic import AliasPath, TypeAdapter
from pydantic_core import from_json

from adapters.wire.formats import Body, read_argument
from pipeline.bounds import check_parts
from pipeline.domain import (
    Blob,
    Box,
    Boxes,
    ExpertOutput,
    ExpertValue,
    Label,
    Labels,
    Mask,
    Masks,
    Span,
    Spans,
    Text,
    Type,
    Vector,
    type_of,
)
from pipeline.ports import Job
from pipeline.text.names import sniff
from pipeline.text.thoughts import remove_thoughts

Json = Any
"""Parsed JSON of any shape."""
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""The exceptions that a reply of an unexpected shape causes."""
_TEXT_NAMES = (
    *("generated_text", "summary_text", "translation_text", "text", "answer"),
    "generatedText",  # the specification misspells the name
)
_TEXT_PATHS = (
    AliasPath("choices", 0, "message", "content"),
    AliasPath("output", "transcription"),
    AliasPath("output", "translation"),
    AliasPath("output", 0, "transcription"),
    AliasPath("output", 0, "translation"),
    AliasPath("output", 0),
    AliasPath("output"),
)
_TEXT_FILE_PATHS = (AliasPath("output", "txt_file"), AliasPath("output", 0, "txt_file"))
_FILE_PATHS = (
    *map(AliasPath, ("image", "audio", "video", "depth", "blob")),
    AliasPath("images", 0, "url"),
    AliasPath("image", "url"),
    AliasPath("video", "url"),
    AliasPath("video", "video_url"),
    AliasPath("audio", "url"),
    AliasPath("outputs", "video_url"),
    AliasPath("data", 0, "b64_json"),
    AliasPath("data", 0, "url"),
    AliasPath("data", "outputs", 0),
    AliasPath("image_result", 0, "url"),
    AliasPath("output", 0),
    AliasPath("output"),
)
_LABELS = TypeAdapter(tuple[Label, ...])
_SPANS = TypeAdapter(tuple[Span, ...])
_BOXES = TypeAdapter(tuple[Box, ...])
_NUMBERS = TypeAdapter(tuple[float, ...])
_MOST_ROWS = 10_000
"""Of a list in a reply that are read."""
_LONGEST_VECTOR = 20_000
_LINE_WIDTH = 42
_CUE_SECONDS = 3.0
"""How long a cue is shown if its end is unknown."""
_SCORE = TypeAdapter(float | None)


def decode(body: Body, job: Job) -> ExpertOutput:
    """The output in a reply, which is JSON or a file. Raises one of UNREADABLE."""
    if not body.is_json:
        return wrap_file(body.data, job)
    return decode_document(parse_json(body.data), job)


def parse_json(data: bytes) -> Json:
    """Parse JSON, except NaN, which models send after an overflow, and endless lists.

    Raises ValueError.
    """
    check_parts(data)
    return from_json(data, allow_inf_nan=False)


def decode_document(reply: Json, job: Job) -> ExpertOutput:
    """The output in a JSON reply. Raises one of UNREADABLE."""
    slot = job.kind.makes[0]
    match slot.type:
        case Type.TEXT:
            return ExpertOutput({slot.name: _find_text(reply)}, extras=decode_subtitles(reply))
        case Type.MASKS if isinstance(reply, list):
            return ExpertOutput({slot.name: Masks(tuple(map(_to_mask, reply[:_MOST_ROWS])))})
        case Type.IMAGE | Type.AUDIO | Type.VIDEO | Type.MASKS:
            return wrap_file(_decode_base64(find_content(reply, job)), job)
        case _:
            decoder = _OWN_DECODERS.get(job.kind.name) or _DECODERS[slot.type]
            return ExpertOutput({slot.name: decoder(reply, job)})


def find_content(reply: object, job: Job) -> str:
    """The URL or base64 of the file in a reply; "" if the result stands in the reply itself.

    Raises ValueError for a kind that makes a file if there is none.
    """
    kind = job.kind.makes[0].type
    if kind is Type.TEXT:
        with suppress(ValueError):
            return _find_string(reply, _TEXT_FILE_PATHS)
    if kind not in (Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.MASKS):
        return ""
    return _find_string(reply, _FILE_PATHS)


def wrap_download(data: bytes, job: Job) -> ExpertOutput:
    """What stands at an address in a reply: a text or a file. Raises one of UNREADABLE."""
    slot = job.kind.makes[0]
    if slot.type is Type.TEXT:
        return ExpertOutput({slot.name: Text(data.decode("utf-8").strip())})
    return wrap_file(data, job)


def wrap_file(data: bytes, job: Job) -> ExpertOutput:
    """A file in its output slot; a picture from a segmentation is a mask, or a cut-out as yet."""
    slot = job.kind.makes[0]
    if slot.type is Type.MASKS:
        return ExpertOutput({"masks": Masks((Mask("", None, _sniff_file(data, Type.IMAGE)),))})
    return ExpertOutput({slot.name: _sniff_file(data, slot.type)})


def _sniff_file(data: bytes, expected: Type) -> Blob:
    """A file, its type detected by its bytes. Raises ValueError if it is another type."""
    media_type = sniff(data)
    if type_of(media_type) != expected:
        raise ValueError("a file of another type")
    return Blob(data, media_type)


def _decode_base64(content: str) -> bytes:
    """Decode base64 or a data URL. Raises ValueError."""
    if content.startswith("data:"):
        content = content.partition(",")[2]
    return base64.b64decode(content, validate=True)


def _to_rows(reply: Json) -> list[Json]:
    """The results as a list; some servers nest it in a list of inputs, or send one result."""
    rows = reply if isinstance(reply, list) else [reply]
    return (rows[0] if rows and isinstance(rows[0], list) else rows)[:_MOST_ROWS]


def _pick(row: Mapping[str, Json], *names: str) -> Json:
    return next((row[name] for name in names if name in row), None)


def _find_text(reply: object) -> Text:
    row = _to_rows(reply)[0]
    value = _pick(row, *_TEXT_NAMES)
    if isinstance(value, str | float | int):
        return Text(_strip_thoughts(str(value)), _SCORE.validate_python(row.get("score")))
    return Text(_strip_thoughts(_find_string(row, _TEXT_PATHS)))


def _strip_thoughts(text: str) -> str:
    """What a reasoning model says after its thoughts. Raises ValueError if they were cut off."""
    said = remove_thoughts(text)
    if text.strip() and not said:
        raise ValueError("only thoughts")
    return said


def _find_labels(reply: Json, _job: Job) -> Labels:
    """Labels, words for a gap, or zero-shot classes as in transformers' pipeline."""
    if isinstance(reply, dict) and "labels" in reply:
        names, scores = reply["labels"][:_MOST_ROWS], reply["scores"][:_MOST_ROWS]
        rows = [{"label": name, "score": score} for name, score in zip(names, scores, strict=True)]
    else:
        rows = [
            {"label": _pick(row, "label", "token_str", "tokenStr"), "score": row["score"]}
            for row in _to_rows(reply)
        ]
    labels = (Label(row.label.strip(), row.score) for row in _LABELS.validate_python(rows))
    return Labels(tuple(sorted(labels, key=lambda label: -label.score)))


def _find_spans(reply: object, job: Job) -> Spans:
    text = read_argument(job, "text")
    rows = [_to_span(row, text) for row in _to_rows(reply)]
    return Spans(_SPANS.validate_python(rows))


def _to_span(row: Mapping[str, Json], text: str) -> Mapping[str, Json]:
    word, start, end = row["word"], row.get("start"), row.get("end")
    start = max(text.find(word), 0) if start is None else max(start, 0)
    end = start + len(word) if end is None else max(end, start)
    label = _pick(row, "entity_group", "entity")
    words = text[start:end] or word
    return {"text": words, "label": label, "score": row["score"], "start": start, "end": end}


def _find_boxes(reply: Json, _job: Job) -> Boxes:
    rows = [
        {**row, **{edge: round(pixels) for edge, pixels in row["box"].items()}}
        for row in reply[:_MOST_ROWS]
    ]
    return Boxes(_BOXES.validate_python(rows))


def _to_mask(row: Mapping[str, Json]) -> Mask:
    """Semantic models give no score, mask generators no label."""
    score = _SCORE.validate_python(row.get("score"))
    image = _sniff_file(_decode_base64(row["mask"]), Type.IMAGE)
    return Mask(str(row.get("label") or ""), score, image)


def _find_vector(reply: Json, _job: Job) -> Vector:
    """One vector; the mean over the tokens if the server sends one for each."""
    values = _pool(reply["data"][0]["embedding"] if isinstance(reply, dict) else reply)
    if len(values) > _LONGEST_VECTOR:
        raise ValueError("no embedding is so long")
    return Vector(values)


def _pool(values: Json) -> tuple[float, ...]:
    if not isinstance(values[0], list):
        return _NUMBERS.validate_python(values)
    rows = [_pool(row) for row in values]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


def _find_similarities(reply: object, job: Job) -> Labels:
    """Each sentence but the first with its similarity to the first, in the order of the job."""
    _, *sentences = read_argument(job, "sentences")
    pairs = zip(sentences, _NUMBERS.validate_python(reply), strict=True)
    return Labels(tuple(Label(sentence, score) for sentence, score in pairs))


_DECODERS: Mapping[Type, Callable[[object, Job], ExpertValue]] = {
    Type.LABELS: _find_labels,
    Type.SPANS: _find_spans,
    Type.BOXES: _find_boxes,
    Type.VECTOR: _find_vector,
}


_OWN_DECODERS = {"sentence-similarity": _find_similarities}


def _find_string(reply: object, paths: Sequence[AliasPath]) -> str:
    """The first non-empty text at these paths. Raises ValueError if there is none."""
    for path in paths:
        value = path.search_dict_for_path(_to_rows(reply)[0])
        if isinstance(value, str) and value:
            return value
    raise ValueError("in none of the known places")


def decode_subtitles(reply: Json) -> tuple[Blob, ...]:
    """An .srt file if the transcript has timestamps, else nothing."""
    try:
        row = _to_rows(reply)[0]
        parts = row.get("segments") or row.get("chunks") or ()
        cues = [_format_cue(part) for part in parts[:_MOST_ROWS] if part["text"].strip()]
    except UNREADABLE:
        return ()
    text = "\n\n".join(f"{number}\n{cue}" for number, cue in enumerate(cues, 1))
    return (Blob(f"{text}\n".encode(), "application/x-subrip", "subtitles.srt"),) if cues else ()


def _format_cue(part: Mapping[str, Json]) -> str:
    """A cue from a chunk of transformers, or from a segment in OpenAI's format."""
    begin, end = part["timestamp"] if "timestamp" in part else (part["start"], part.get("end"))
    end = (begin or 0) + _CUE_SECONDS if end is None else end
    lines = textwrap.wrap(" ".join(part["text"].split()), _LINE_WIDTH)
    return "\n".join((f"{_format_time(begin or 0)} --> {_format_time(end)}", *lines))


def _format_time(seconds: float) -> str:
    whole, thousandths = divmod(round(max(seconds, 0.0) * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02},{thousandths:03}"
