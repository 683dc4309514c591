"""Hugging Face's inference format: the request for a job of each kind."""

import base64
import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pipeline.domain import Blob, Mask, Masks, TaskKind, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job
from pipeline.selection.curated import OWN_INFERENCE
from pipeline.selection.known_models import load_known
from pipeline.task_kinds import KINDS
from pipeline.text.encodings import decode as decode_text
from pipeline.text.languages import find_language, name_language, normalize_code
from pipeline.text.sheets import cells

Read = Callable[[Job], object]
_FILES = {
    "image": Type.IMAGE,
    "audio": Type.AUDIO,
    "video": Type.VIDEO,
    "document": Type.IMAGE,  # the format has no other documents
    "table": Type.TABLE,
}
_LISTS = frozenset({"labels", "sentences"})
_MAX_CELLS = 200_000


@dataclass(frozen=True, slots=True)
class WireFormat:
    """What a request for a kind contains.

    `inputs`: an argument, arguments by field, or a function. `parameters` come from arguments or
    functions and are omitted if empty. `options` are always sent. `names_pipeline`: hosted models
    serve several tasks, so the URL names this one.
    """

    inputs: str | Mapping[str, str] | Read
    parameters: Mapping[str, str | Read] = field(default_factory=dict)
    options: Mapping[str, object] = field(default_factory=dict)
    names_pipeline: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request or of a response."""

    data: bytes
    media_type: str
    unused: frozenset[str] = frozenset()
    """Parameters of the request that the server says it did not use."""

    @property
    def is_json(self) -> bool:
        return self.media_type == "application/json" or self.data[:1] in (b"{", b"[")


def read_inputs(job: Job) -> tuple[Any, dict[str, Any]]:
    """The inputs and parameters of a job; files are blobs. Raises ExpertRefused, BadInput."""
    wire_format = WIRE_FORMATS.get(job.kind.name)
    if wire_format is None:
        raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
    inputs: object
    if isinstance(wire_format.inputs, Mapping):
        inputs = {name: read_argument(job, slot) for name, slot in wire_format.inputs.items()}
    else:
        inputs = _read(job, wire_format.inputs)
    parameters = {name: _read(job, source) for name, source in wire_format.parameters.items()}
    present = {name: value for name, value in parameters.items() if value not in ("", None, [])}
    return inputs, {**present, **wire_format.options}


def encode(job: Job, more: Mapping[str, object] = MappingProxyType({})) -> Body:
    """A job as JSON, or as the bytes of its file. `more`: further parameters.

    Raises ExpertRefused, BadInput.
    """
    inputs, parameters = read_inputs(job)
    parameters |= more
    if isinstance(inputs, Blob) and not parameters:
        return Body(inputs.data, inputs.media_type)
    document = {"inputs": inputs, **({"parameters": parameters} if parameters else {})}
    return Body(json.dumps(document, default=to_base64).encode(), "application/json")


def to_base64(blob: Blob) -> str:
    return base64.b64encode(blob.data).decode("ascii")


def read_argument(job: Job, slot: str) -> Any:  # noqa: ANN401 - a file, a text or texts
    """A file, a text, or a list of texts; "" for a missing text.

    Raises BadInput for a missing file, ExpertRefused for a file of the wrong type.
    """
    pieces = job.args.get(slot, ())
    file_type = _FILES.get(slot)
    files = [piece for piece in pieces if isinstance(piece, Blob)]
    fitting = [piece for piece in files if piece.type is file_type]
    if fitting:
        return fitting[0]
    if files or (file_type and pieces):
        raise ExpertRefused("expert-input-type", kind=job.kind.name, model=job.model.id)
    if file_type:
        raise BadInput("expert-input-missing", kind=job.kind.name, slot=slot)
    texts = [as_text(piece) for piece in pieces]
    return texts if slot in _LISTS else "\n".join(texts)


def _read(job: Job, source: str | Read) -> object:
    return read_argument(job, source) if isinstance(source, str) else source(job)


def _read_translation(job: Job) -> object:
    """The text, for some models behind the name of the language that they shall write.

    Our expert server itself knows how its models take the language. Raises ExpertRefused.
    """
    text, language = read_argument(job, "text"), read_argument(job, "language")
    id_ = job.model.id.casefold() if job.model.providers else ""
    prefix = next((prefix for part, prefix in load_known().prefixes.items() if part in id_), "")
    code = find_language(language) if language else normalize_code(job.locale)
    if prefix and not code:
        raise ExpertRefused("local-language-unknown", model=job.model.id, language=language)
    return prefix.format(code=code, name=name_language(code)) + text


def _read_sentences(job: Job) -> object:
    source, *others = read_argument(job, "sentences") or [""]
    if not others:
        raise BadInput("expert-one-sentence")
    return {"source_sentence": source, "sentences": others}


def _read_table_question(job: Job) -> object:
    """The specification says `question`, servers and the Hub's client say `query`: send both."""
    question = read_argument(job, "question")
    return {"question": question, "query": question, "table": _read_columns(job)}


def _read_columns(job: Job) -> dict[str, list[str]]:
    """The table by columns. Raises BadInput if it cannot be read."""
    blob = read_argument(job, "table")
    try:
        rows = cells(decode_text(blob.data) or "", blob.media_type)
    except csv.Error as error:
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS) from error
    if len(rows) < 2 or len(rows) * len(rows[0]) > _MAX_CELLS:  # noqa: PLR2004 - header and a row
        raise BadInput("expert-table-unfit", cells=_MAX_CELLS)
    header, *body = rows
    return {
        name: [row[index] if index < len(row) else "" for row in body]
        for index, name in enumerate(header)
    }


def _ask_for_times(job: Job) -> object:
    """Request timestamps, which needs a JSON body, only from a hosted Whisper."""
    is_own = job.model.providers and job.model.providers[0].startswith(OWN_INFERENCE)
    return bool(is_own and "whisper" in job.model.id.casefold()) or None


def _find_masks(job: Job) -> object:
    """The masks that the prompt names; our expert server changes only what they cover."""
    prompt = read_argument(job, "text").casefold()
    masks: list[Mask] = []
    for piece in job.args.get("masks", ()):
        masks += piece.items if isinstance(piece, Masks) else ()
    named = [mask for mask in masks if mask.label and mask.label.casefold() in prompt]
    chosen = named or (masks if len(masks) == 1 else [])
    return None if job.model.providers else [mask.image for mask in chosen]


_WRITE = WireFormat("text", options={"max_new_tokens": 512, "return_full_text": False})
_OWN_FORMATS: Mapping[str, WireFormat] = {
    "token-classification": WireFormat("text", options={"aggregation_strategy": "simple"}),
    "translation": WireFormat(
        _read_translation, {"src_lang": "source_language", "tgt_lang": "language"}
    ),
    "question-answering": WireFormat({"question": "question", "context": "context"}),
    "conversational": _WRITE,
    "text-generation": _WRITE,
    "feature-extraction": WireFormat("text", names_pipeline=True),
    "sentence-similarity": WireFormat(_read_sentences, names_pipeline=True),
    "table-question-answering": WireFormat(_read_table_question),
    "visual-question-answering": WireFormat({"image": "image", "question": "question"}),
    "document-question-answering": WireFormat({"image": "document", "question": "question"}),
    "object-detection": WireFormat("image"),
    "image-text-to-image": WireFormat("image", {"prompt": "text", "mask_image": _find_masks}),
    "automatic-speech-recognition": WireFormat("audio", {"return_timestamps": _ask_for_times}),
}
_ONLY_HERE = frozenset(
    {"document-to-text", "media-conversion", "document-conversion", "table-conversion"}
    | {"table-to-chart", "tabular-classification", "tabular-regression"}
)
"""Kinds that never leave the program."""


def _derive_format(kind: TaskKind) -> WireFormat:
    """The first file, else the first argument; a text beside it is a prompt, labels are classes."""
    slots = [slot.name for slot in kind.takes]
    inputs = next((slot.name for slot in kind.takes if slot.is_file), slots[0])
    beside = {"prompt": "text", "candidate_labels": "labels"}
    parameters = {name: slot for name, slot in beside.items() if slot in slots and slot != inputs}
    return WireFormat(inputs, parameters)


WIRE_FORMATS: Mapping[str, WireFormat] = {
    name: _OWN_FORMATS.get(name) or _derive_format(kind)
    for name, kind in KINDS.items()
    if name not in _ONLY_HERE
}
