"""Experts behind the Hub's router: its own inference on our wire, the other providers each in their own way."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from pydantic_core import from_json
from yarl import URL

from adapters.huggingface.asking import Call, prepared
from adapters.huggingface.body import Body
from adapters.huggingface.exchange import exchanged
from adapters.huggingface.media import sniffed
from adapters.huggingface.prices import cost
from adapters.huggingface.queues import State, Ticket, position, state, ticket
from adapters.huggingface.results import Address, file_type, result, slots
from adapters.huggingface.times import subtitles
from adapters.huggingface.wire import InferenceWire, beside
from pipeline.domain import Made, Place, Raw
from pipeline.errors import ExpertError, ExpertGarbled, ExpertRefused, ExpertUnavailable, FetchError
from pipeline.ports import Fetch, Job

_MAX_BYTES = 64 * 1024 * 1024
_LOOKS = 4
"""How often a provider may fail to say how far a job is; the job itself goes on meanwhile."""
_FAREWELL = 3.0
_OWN = "hf-inference"


@asynccontextmanager
async def hosted_expert(
    router: str, fetch: Fetch, *, token: str, pause: float = 0.5, max_bytes: int = _MAX_BYTES
) -> AsyncIterator["HostedExpert"]:
    """Hosted experts, with one pool of connections. Deadlines are the caller's; `pause` lies between two looks at a queue."""
    async with aiohttp.ClientSession(
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=5),
        headers={"Authorization": f"Bearer {token}"},
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as session:
        yield HostedExpert(session, router, fetch, pause=pause, max_bytes=max_bytes)


class HostedExpert:
    """Runs a job with the first provider of its model."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        router: str,
        fetch: Fetch,
        *,
        pause: float,
        max_bytes: int,
    ) -> None:
        self._session = session
        self._router = router.rstrip("/")
        self._fetch = fetch
        self._pause = pause
        self._max_bytes = max_bytes
        base = f"{self._router}/{_OWN}"
        self._own = InferenceWire(session, base, place=Place.HOSTED, max_bytes=max_bytes)

    @property
    def place(self) -> Place:
        return Place.HOSTED

    async def run(self, job: Job) -> Made:
        provider = job.model.providers[0].partition(":")[0] if job.model.providers else _OWN
        if provider == _OWN:
            return await self._own.run(job)
        call = await asyncio.to_thread(prepared, job, self._router)
        try:
            return await self._made(call, job)
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise ExpertGarbled("expert-garbled", model=job.model.id) from error

    async def _made(self, call: Call, job: Job) -> Made:
        body = await self._exchanged(call, "POST", call.url, job, call.body.data)
        if not _is_json(body):
            return Made(slots(sniffed(body.data, file_type(job), job), job))
        said = await _document(body)
        if queued := ticket(call, said):
            said = await self._waited(call, queued, job)
        found = await beside(len(body.data), lambda: result(said, job))
        value = await self._fetched(found, job) if isinstance(found, Address) else found
        provider = job.model.providers[0].partition(":")[0]
        spent = cost(said, job, provider)
        return Made(slots(value, job), cost=spent, extras=subtitles(said))

    async def _waited(self, call: Call, queued: Ticket, job: Job) -> Mapping[str, Any]:
        """What a queued job made in the end. Left without a result, it is cancelled over there, too."""
        done = False
        try:
            said = await self._finished(call, queued, job)
            if queued.result:
                said = await self._looked(call, queued.result, job)
            done = True
            return said
        finally:
            if not done and queued.cancel:
                await self._cancelled(call, queued.cancel, job)

    async def _finished(self, call: Call, queued: Ticket, job: Job) -> Mapping[str, Any]:
        told = ""
        job.report(-1.0, told)
        while True:
            said = await self._looked(call, queued.look, job)
            reached = state(said)
            if reached is State.DONE:
                return said
            if reached is State.FAILED:
                raise ExpertRefused("expert-job-failed", model=job.model.id)
            if (now := position(said)) != told:
                told = now
                job.report(-1.0, told)
            await asyncio.sleep(self._pause)

    async def _looked(self, call: Call, url: str, job: Job) -> Mapping[str, Any]:
        for turn in range(_LOOKS):
            try:
                return await _document(await self._exchanged(call, "GET", url, job))
            except ExpertUnavailable as error:
                if turn + 1 == _LOOKS:
                    raise
                await asyncio.sleep(error.retry_after or self._pause * 2**turn)
        raise AssertionError

    async def _cancelled(self, call: Call, cancel: tuple[str, str], job: Job) -> None:
        """A last word, which must not keep whoever gave up waiting for long."""
        try:
            async with asyncio.timeout(_FAREWELL):
                await self._exchanged(call, *cancel, job)
        except (ExpertError, TimeoutError):  # it is over for us in any case
            return

    async def _exchanged(
        self, call: Call, method: str, url: str, job: Job, sent: bytes | None = None
    ) -> Body:
        headers = call.headers if sent is not None else None
        return await exchanged(
            self._session,
            method,
            URL(url, encoded=True),
            model=job.model.id,
            most=self._max_bytes,
            headers=headers,
            sent=sent,
        )

    async def _fetched(self, found: Address, job: Job) -> Raw:
        try:
            blob = await self._fetch.get(found.url, max_bytes=self._max_bytes)
        except FetchError as error:
            problem = error.sentence
            raise ExpertGarbled("expert-result", model=job.model.id, problem=problem) from error
        return sniffed(blob.data, file_type(job), job)


def _is_json(body: Body) -> bool:
    return body.media_type == "application/json" or body.data[:1] in (b"{", b"[")


async def _document(body: Body) -> Mapping[str, Any]:
    """The JSON object that came. Raises ValueError."""
    said = await beside(len(body.data), lambda: from_json(body.data, allow_inf_nan=False))
    if not isinstance(said, dict):
        raise ValueError("no object")  # noqa: TRY004 - what was read is wrong
    return said
