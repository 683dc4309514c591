"""What goes over the wire: request bodies, the arguments of a job, and files by their bytes."""

import base64
import binascii
import json
from dataclasses import dataclass

import filetype

from pipeline.domain import Blob, Type, type_of
from pipeline.domain.conversions import as_text
from pipeline.errors import BadInput, ExpertGarbled, ExpertRefused
from pipeline.ports import Job

_STANDARD_NAMES = {
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
}


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request or of a response."""

    data: bytes
    media_type: str

    @property
    def is_json(self) -> bool:
        return self.media_type == "application/json" or self.data[:1] in (b"{", b"[")


def to_json_body(inputs: object, **parameters: object) -> Body:
    """A request in JSON; empty parameters are left out."""
    given = {name: value for name, value in parameters.items() if value not in ("", None, [])}
    document = {"inputs": inputs, **({"parameters": given} if given else {})}
    return Body(json.dumps(document).encode(), "application/json")


def to_bytes_body(blob: Blob) -> Body:
    return Body(blob.data, blob.media_type)


def to_base64(blob: Blob) -> str:
    return base64.b64encode(blob.data).decode("ascii")


def read_text(job: Job, slot: str) -> str:
    """A text argument, its pieces joined; "" when it was not given."""
    return "\n".join(read_texts(job, slot))


def read_texts(job: Job, slot: str) -> list[str]:
    """A text argument that takes several values."""
    return [as_text(piece) for piece in job.args.get(slot, ())]


def read_file(job: Job, slot: str, *types: Type) -> Blob:
    """The file of an argument. Raises BadInput without one, ExpertRefused for another type."""
    for piece in job.args.get(slot, ()):
        if isinstance(piece, Blob) and piece.type in types:
            return piece
    if job.args.get(slot):
        raise ExpertRefused("expert-input-type", kind=job.kind.name, model=job.model.id)
    raise BadInput("expert-input-missing", kind=job.kind.name, slot=slot)


def sniff_file(data: bytes, wanted: Type, job: Job) -> Blob:
    """A file, believed by its bytes only. Raises ExpertGarbled when they are of another type."""
    guess = filetype.guess_mime(data) or ""
    media_type = _STANDARD_NAMES.get(guess, guess)
    if type_of(media_type) != wanted:
        raise ExpertGarbled("expert-garbled", model=job.model.id)
    return Blob(data, media_type)


def decode_file(content: str, wanted: Type, job: Job) -> Blob:
    """A file in base64 or in a data URL. Raises ExpertGarbled."""
    if content.startswith("data:"):
        content = content.partition(",")[2]
    try:
        data = base64.b64decode(content, validate=True)
    except binascii.Error as error:
        raise ExpertGarbled("expert-garbled", model=job.model.id) from error
    return sniff_file(data, wanted, job)
