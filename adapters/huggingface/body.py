"""What goes over the wire, and the arguments of a job as the encoders read them."""

import base64
import json
from dataclasses import dataclass

from pipeline.conversions import as_text
from pipeline.domain import Blob, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job


@dataclass(frozen=True, slots=True)
class Body:
    """The body of a request or of a response."""

    data: bytes
    media_type: str


def as_json(inputs: object, **parameters: object) -> Body:
    """A request in JSON; parameters that are empty are left out."""
    given = {name: value for name, value in parameters.items() if value not in ("", None, [])}
    document = {"inputs": inputs, **({"parameters": given} if given else {})}
    return Body(json.dumps(document).encode(), "application/json")


def words(job: Job, slot: str) -> str:
    """A text argument, its pieces joined; "" when it was not given."""
    return "\n".join(as_text(piece) for piece in job.args.get(slot, ()))


def several(job: Job, slot: str) -> list[str]:
    """A text argument of which there can be many, its pieces kept apart."""
    return [as_text(piece) for piece in job.args.get(slot, ())]


def file(job: Job, slot: str, *types: Type) -> Blob:
    """The one file of an argument. Raises BadInput when it is missing, ExpertRefused when it is of another type."""
    for piece in job.args.get(slot, ()):
        if isinstance(piece, Blob) and piece.type in types:
            return piece
    if job.args.get(slot):
        raise ExpertRefused("expert-input-type", kind=job.kind.name, model=job.model.id)
    raise BadInput("expert-input-missing", kind=job.kind.name, slot=slot)


def text64(blob: Blob) -> str:
    return base64.b64encode(blob.data).decode("ascii")
