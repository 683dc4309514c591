"""What providers answer in the end, in each one's own words, as values; files are often only named by their addresses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.huggingface.media import from_base64
from pipeline.domain import Blob, Mask, Masks, Raw, Text, Type, Vector
from pipeline.errors import ExpertGarbled
from pipeline.ports import Job

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Address:
    """A file that is still to be fetched."""

    url: str


_FILES: Sequence[Path] = (
    ("images", 0, "url"),
    ("image", "url"),
    ("video", "url"),
    ("video", "video_url"),
    ("audio", "url"),
    ("outputs", "video_url"),
    ("data", 0, "b64_json"),
    ("data", 0, "url"),
    ("data", "outputs", 0),
    ("image_result", 0, "url"),
    ("output", 0),
    ("output",),
)
_TEXTS: Sequence[Path] = (
    ("choices", 0, "message", "content"),
    ("text",),
    ("output", "transcription"),
    ("output", "translation"),
    ("output", 0),
    ("output",),
)
_VECTORS: Sequence[Path] = (("data", 0, "embedding"),)


def result(said: object, job: Job) -> Raw | Address:
    """The one thing that was asked for. Raises ExpertGarbled."""
    wanted = job.kind.makes[0].type
    match wanted:
        case Type.TEXT:
            return Text(str(_first(said, _TEXTS, str, job)).strip())
        case Type.VECTOR:
            return Vector(tuple(map(float, _first(said, _VECTORS, list, job))))
        case _:
            found = str(_first(said, _FILES, str, job))
            if found.startswith(("http://", "https://")):
                return Address(found)
            return from_base64(found, file_type(job), job)


def slots(value: Raw, job: Job) -> Mapping[str, Raw]:
    """The result under the name of its slot; the one picture that segmenting gives is a mask."""
    slot = job.kind.makes[0]
    if slot.type is Type.MASKS and isinstance(value, Blob):
        return {slot.name: Masks((Mask("", None, value),))}
    return {slot.name: value}


def file_type(job: Job) -> Type:
    wanted = job.kind.makes[0].type
    return Type.IMAGE if wanted is Type.MASKS else wanted


def _first(said: object, paths: Sequence[Path], kind: type, job: Job) -> Any:  # noqa: ANN401 - of the kind
    for path in paths:
        found = _at(said, path)
        if isinstance(found, kind) and found:
            return found
    raise ExpertGarbled("expert-garbled", model=job.model.id)


def _at(said: Any, path: Path) -> Any:  # noqa: ANN401 - JSON
    for step in path:
        match said, step:
            case Mapping(), str():
                said = said.get(step)
            case list(), int() if len(said) > step:
                said = said[step]
            case _:
                return None
    return said
