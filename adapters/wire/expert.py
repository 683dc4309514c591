"""The `Expert` port over HTTP: `POST {base}/models/{id}`."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from math import inf
from urllib.parse import quote

import aiohttp
from yarl import URL

from adapters.bounds import read_bounded
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from adapters.wire.decode import UNREADABLE, decode, parse_json
from adapters.wire.formats import WIRE_FORMATS, Body, encode
from adapters.wire.parameters import list_parameters, write_parameters
from pipeline.domain import Blob, ExpertOutput, Place
from pipeline.errors import (
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    InputRefused,
    PlaceRefused,
    PlaceUnreachable,
)
from pipeline.ports import Job
from pipeline.queues import PrioritySemaphore

MAX_BYTES = 64 << 20
UNUSED_HEADER = "X-Unused-Parameters"
"""From our expert server: the parameters that the model does not take."""
_MAX_ERROR = 64 << 10
_SMALL = 64 << 10
"""Bytes; less is encoded or decoded sooner than a thread is called."""
_BY_STATUS: Mapping[int, tuple[type[ExpertError], str]] = {
    401: (PlaceRefused, "expert-key-refused"),
    402: (PlaceRefused, "expert-credit-used-up"),
    403: (ExpertRefused, "expert-access-refused"),
    404: (ExpertRefused, "expert-model-gone"),
    410: (ExpertRefused, "expert-model-gone"),
    429: (ExpertUnavailable, "expert-busy"),
    503: (ExpertUnavailable, "expert-loading"),
    **dict.fromkeys((400, 413, 415, 422), (InputRefused, "expert-input-refused")),
}
_NO_PERMISSION = b"sufficient permissions"
"""In the router's reply, with status 403, to a token that may not call providers at all."""


@dataclass(frozen=True, slots=True)
class WireDialect:
    """What differs between the places that speak the format."""

    place: Place
    find_known: Callable[[Job], str]
    """Returns the rules for the parameters that a job's model knows, for `write_parameters`."""
    names_kind: bool = False
    """Whether the address always names the kind; else only where models serve several."""
    model_header: str = ""
    """A header that names the model, too; "" for none."""


@asynccontextmanager
async def open_wire_expert(
    base: str,
    dialect: WireDialect,
    *,
    token: str = "",
    max_bytes: int = MAX_BYTES,
    at_once: float = inf,
    network: Network = DIRECT,
) -> AsyncIterator["WireExpert"]:
    """Open the expert at a URL. It is asked `at_once` jobs; others wait for their turn."""
    async with open_session(network, seconds=None, token=token) as session:
        slots = PrioritySemaphore(at_once)
        yield WireExpert(
            session=session,
            base=base.rstrip("/"),
            dialect=dialect,
            max_bytes=max_bytes,
            slots=slots,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WireExpert:
    """The `Expert` port over HTTP. Replies have at most `max_bytes`."""

    session: aiohttp.ClientSession
    base: str
    dialect: WireDialect
    max_bytes: int = MAX_BYTES
    slots: PrioritySemaphore = field(default_factory=PrioritySemaphore)

    @property
    def place(self) -> Place:
        return self.dialect.place

    async def run(self, job: Job) -> ExpertOutput:
        """Raises ExpertError, BadInput."""
        known = self.dialect.find_known(job)
        fields = write_parameters(job, known)
        is_small = _measure(job) < _SMALL
        request = encode(job, fields) if is_small else await asyncio.to_thread(encode, job, fields)
        headers = {"Content-Type": request.media_type}
        if job.kind.anew:  # the Hub's inference would repeat its answer to an equal request
            headers["X-Use-Cache"] = "false"
        if self.dialect.model_header:
            headers[self.dialect.model_header] = quote(job.model.id, safe="/")
        async with self.slots.slot(job.ticket):
            reply = await self.request("POST", self._address(job), job, headers, request.data)
        used = list_parameters(known) - reply.unused
        try:
            return replace(await _decode(reply, job), used=used)
        except UNREADABLE as error:
            raise ExpertGarbled("expert-garbled", model=job.model.id) from error

    def _address(self, job: Job) -> str:
        address = f"{self.base}/models/{quote(job.model.id, safe='/')}"
        if self.dialect.names_kind or WIRE_FORMATS[job.kind.name].names_pipeline:
            address += f"/pipeline/{job.kind.name}"
        return address

    async def request(
        self,
        method: str,
        url: str,
        job: Job,
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> Body:
        """Send a request, without following redirects; return the body. Raises ExpertError."""
        model, content = job.model.id, None if data is None else io.BytesIO(data)
        address = URL(url, encoded=True)
        try:
            async with self.session.request(
                method, address, data=content, headers=headers, allow_redirects=False
            ) as response:
                if not 200 <= response.status < 300:  # noqa: PLR2004 - HTTP
                    body = await response.content.read(_MAX_ERROR)
                    raise parse_refusal(model, response.status, response.headers, body)
                body = await read_bounded(response, self.max_bytes)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise PlaceUnreachable("expert-unreachable", model=model) from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise ExpertUnavailable("expert-unreachable", model=model) from error
        if len(body) > self.max_bytes:
            megabytes = self.max_bytes >> 20
            raise ExpertGarbled("expert-answer-too-large", model=model, megabytes=megabytes)
        unused = response.headers.get(UNUSED_HEADER, "").split()
        return Body(body, response.content_type, frozenset(unused))


def _measure(job: Job) -> int:
    """The bytes of a job's files."""
    values = (value for values in job.args.values() for value in values)
    return sum(len(value.data) for value in values if isinstance(value, Blob))


async def _decode(reply: Body, job: Job) -> ExpertOutput:
    """Decode a reply, in a thread if it is large."""
    if len(reply.data) < _SMALL:
        return decode(reply, job)
    return await asyncio.to_thread(decode, reply, job)


def parse_refusal(model: str, status: int, headers: Mapping[str, str], body: bytes) -> ExpertError:
    """The error for a refused request. The server's own message is not shown to people."""
    if status == HTTPStatus.FORBIDDEN and _NO_PERMISSION in body:
        status = HTTPStatus.UNAUTHORIZED
    kind, sentence = _BY_STATUS.get(status, (ExpertUnavailable, "expert-broken"))
    if kind is not ExpertUnavailable:
        return kind(sentence, model=model)
    wait = _find_wait(headers, body)
    return ExpertUnavailable(sentence, retry_after=wait, model=model, status=str(status))


def _find_wait(headers: Mapping[str, str], body: bytes) -> float | None:
    """The seconds that a server asks to wait, or that its model takes to load."""
    with contextlib.suppress(ValueError):
        return max(0.0, float(headers.get("Retry-After", "")))  # in this order "nan" is 0
    with contextlib.suppress(*UNREADABLE):
        return float(parse_json(body)["estimated_time"])
    return None
