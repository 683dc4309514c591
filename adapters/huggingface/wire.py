"""The inference wire: experts behind `POST {base}/models/{id}`, hosted or on a server of ours."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar
from urllib.parse import quote

import aiohttp
from pydantic_core import from_json
from yarl import URL

from adapters.huggingface.body import Body
from adapters.huggingface.exchange import exchanged
from adapters.huggingface.formats import FORMS, Form
from pipeline.domain import Blob, Made, Place
from pipeline.errors import ExpertGarbled, ExpertRefused
from pipeline.ports import Job

T = TypeVar("T")
_MAX_BYTES = 64 * 1024 * 1024
_SMALL = 256 * 1024  # what is larger is encoded and read beside the loop, so that it never stalls


@asynccontextmanager
async def inference_wire(
    base: str, *, place: Place, token: str = "", max_bytes: int = _MAX_BYTES
) -> AsyncIterator["InferenceWire"]:
    """An expert at an address, with one pool of connections. Deadlines are the caller's."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=5),
        headers={"Authorization": f"Bearer {token}"} if token else {},
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        yield InferenceWire(session, base, place=place, max_bytes=max_bytes)


class InferenceWire:
    """Experts on the wire, in Hugging Face's inference format."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base: str,
        *,
        place: Place,
        max_bytes: int = _MAX_BYTES,
    ) -> None:
        self._session = session
        self._base = base.rstrip("/")
        self._place = place
        self._max_bytes = max_bytes

    @property
    def place(self) -> Place:
        return self._place

    async def run(self, job: Job) -> Made:
        form = FORMS.get(job.kind.name)
        if form is None:
            raise ExpertRefused("expert-not-on-the-wire", kind=job.kind.name)
        sent = await beside(size(job), lambda: form.encode(job))
        got = await self._posted(job, form, sent)
        try:
            return await beside(len(got.data), lambda: _made(form, got, job))
        except (ValueError, IndexError, TypeError) as error:
            raise ExpertGarbled("expert-garbled", model=job.model.id) from error

    async def _posted(self, job: Job, form: Form, sent: Body) -> Body:
        return await exchanged(
            self._session,
            "POST",
            self._address(job, form),
            model=job.model.id,
            most=self._max_bytes,
            headers={"Content-Type": sent.media_type},
            sent=sent.data,
        )

    def _address(self, job: Job, form: Form) -> URL:
        address = f"{self._base}/models/{quote(job.model.id, safe='/')}"
        if form.pipeline or self._place is Place.LOCAL:  # ours is told which of its kinds is meant
            address += f"/pipeline/{job.kind.name}"
        return URL(address, encoded=True)


def _made(form: Form, got: Body, job: Job) -> Made:
    slots = form.decode(got, job)
    return Made(slots, extras=form.beside(from_json(got.data)) if form.beside else ())


def size(job: Job) -> int:
    blobs = (piece for pieces in job.args.values() for piece in pieces)
    return sum(len(piece.data) for piece in blobs if isinstance(piece, Blob))


async def beside(weight: int, work: Callable[[], T]) -> T:
    """Done here when there is little to do, else in a thread."""
    return work() if weight < _SMALL else await asyncio.to_thread(work)
