"""The `Expert` port at Acme."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

import aiohttp

from adapters.bounds import read_bounded
from pipeline.domain import Blob, ExpertOutput, ExpertValue, Number, Place, Text, Type, type_of
from pipeline.domain.conversions import as_text
from pipeline.errors import (
    BadInput,
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    InputRefused,
    PlaceRefused,
    PlaceUnreachable,
)
from pipeline.parameters import list_parameters
from pipeline.ports import Job
from tests.samples.acme.place import ACME

_MAX_BYTES = 64 << 20
"""Of a reply."""
_ERRORS: Mapping[int, tuple[type[ExpertError], str]] = {
    401: (PlaceRefused, "expert-key-refused"),
    402: (PlaceRefused, "expert-credit-used-up"),
    404: (ExpertRefused, "expert-model-gone"),
    422: (InputRefused, "expert-input-refused"),
}
"""The error for a status, and its sentence. After all others, the model may be asked again."""


@dataclass(frozen=True, slots=True)
class AcmeExpert:
    """Runs each job by one request."""

    session: aiohttp.ClientSession
    base: str
    place: Place = ACME

    async def run(self, job: Job) -> ExpertOutput:
        model, slot = job.model.id, job.kind.makes[0]
        question = {"model": model, "task": job.kind.name, "input": _read_input(job)}
        try:
            async with self.session.post(f"{self.base}/run", json=question) as response:
                body = await read_bounded(response, _MAX_BYTES)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise PlaceUnreachable("expert-unreachable", model=model) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ExpertUnavailable("expert-unreachable", model=model) from error
        if response.status != 200:
            raise _translate(response, model)
        if type_of(response.content_type) is not slot.type or len(body) > _MAX_BYTES:
            raise ExpertGarbled("expert-garbled", model=model)
        made: ExpertValue = Blob(body, response.content_type)
        if slot.type is Type.TEXT:
            made = Text(body.decode("utf-8", "replace"))
        return ExpertOutput({slot.name: made}, used=frozenset(list_parameters(job.kind)))


def _read_input(job: Job) -> Mapping[str, object]:
    """The job's values by slot, files in base64. Raises BadInput for a missing one."""
    for slot in job.kind.takes:
        if slot.required and not job.args.get(slot.name):
            raise BadInput("expert-input-missing", kind=job.kind.name, slot=slot.name)
    return {name: _write(values[0]) for name, values in job.args.items() if values}


def _write(value: ExpertValue) -> object:
    match value:
        case Blob():
            return {"type": value.media_type, "data": base64.b64encode(value.data).decode()}
        case Number(number):
            return int(number) if float(number).is_integer() else number
        case _:
            return as_text(value)


def _translate(response: aiohttp.ClientResponse, model: str) -> ExpertError:
    """The error for a refusal; busy or broken servers are asked again."""
    status = response.status
    if known := _ERRORS.get(status):
        error, sentence = known
        return error(sentence, model=model)
    wait = response.headers.get("Retry-After", "")
    seconds = float(wait) if wait.isdecimal() else None
    sentence = "expert-busy" if status == HTTPStatus.TOO_MANY_REQUESTS else "expert-broken"
    return ExpertUnavailable(sentence, retry_after=seconds, model=model, status=str(status))
