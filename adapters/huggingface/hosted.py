"""Experts behind the Hub's router: its own inference, and other providers."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import stamina

from adapters.huggingface.parameters import find_known
from adapters.huggingface.place import HOSTED
from adapters.huggingface.provider_calls import ProviderCall, prepare_call
from adapters.network.proxies import DIRECT, Network
from adapters.wire.decode import (
    UNREADABLE,
    decode_document,
    find_content,
    parse_json,
    wrap_download,
    wrap_file,
)
from adapters.wire.expert import MAX_BYTES, WireDialect, WireExpert, open_wire_expert
from adapters.wire.formats import Body
from adapters.wire.parameters import list_parameters
from pipeline.domain import ExpertOutput, ModelCall, Place, Type
from pipeline.errors import ExpertError, ExpertGarbled, ExpertRefused, ExpertUnavailable, FetchError
from pipeline.metering import note_call
from pipeline.ports import Fetch, Job
from pipeline.selection.curated import OWN_INFERENCE

Document = Mapping[str, Any]
_TRIES = 4
"""Of a request for the status of a job; each pause is twice as long as the one before."""
_CANCEL_SECONDS = 3.0
_DONE_WORDS = frozenset({"completed", "succeeded", "success"})
_FAILED_WORDS = frozenset({"failed", "fail", "canceled", "cancelled", "error", "aborted"})


OWN_DIALECT = WireDialect(HOSTED, partial(find_known, provider=OWN_INFERENCE))
"""How the Hub's own inference speaks the format."""


@asynccontextmanager
async def open_hosted_expert(
    router: str,
    fetch: Fetch,
    *,
    token: str,
    pause: float = 0.5,
    max_bytes: int = MAX_BYTES,
    network: Network = DIRECT,
) -> AsyncIterator["HostedExpert"]:
    """Open the hosted experts. `pause`: seconds between polls of a provider's queue."""
    own = f"{router.rstrip('/')}/{OWN_INFERENCE}"
    async with open_wire_expert(
        own, OWN_DIALECT, token=token, max_bytes=max_bytes, network=network
    ) as wire:
        yield HostedExpert(wire=wire, fetch=fetch, router=router.rstrip("/"), pause=pause)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedExpert:
    """The `Expert` port at the Hub's router: runs a job with the first provider of its model.

    `wire` calls the Hub's own inference.
    """

    wire: WireExpert
    fetch: Fetch
    router: str
    pause: float
    place: Place = HOSTED

    async def run(self, job: Job) -> ExpertOutput:
        provider = _provider_of(job)
        if provider == OWN_INFERENCE:
            return await self.wire.run(job)
        call = await asyncio.to_thread(prepare_call, job, self.router)
        try:
            output = await self._run_at_provider(call, job)
            return replace(output, used=list_parameters(find_known(job, provider)))
        except UNREADABLE as error:
            raise ExpertGarbled("expert-garbled", model=job.model.id) from error

    async def _run_at_provider(self, call: ProviderCall, job: Job) -> ExpertOutput:
        began = time.monotonic()
        body = await self.wire.request("POST", call.url, job, call.headers, call.data)
        if not body.is_json:
            return await asyncio.to_thread(wrap_file, body.data, job)
        reply = await _parse_document(body)
        if ticket := _find_ticket(call, reply, job):
            reply = await self._wait_for(ticket, job)
        address = find_content(reply, job)
        if address.startswith(("http://", "https://")):
            data = await self._download(address, job)
            output = await asyncio.to_thread(wrap_download, data, job)
        else:
            output = await asyncio.to_thread(decode_document, reply, job)
        cost = None
        if (tokens := _find_tokens(reply)) is not None:
            price = job.model.prices.get(_provider_of(job))
            cost = price.of(*tokens) if price else None
            note_call(
                ModelCall(
                    job.model.id,
                    took=time.monotonic() - began,
                    prompt_tokens=tokens[0],
                    completion_tokens=tokens[1],
                    cost=cost,
                )
            )
        return replace(output, cost=cost)

    async def _wait_for(self, ticket: "QueueTicket", job: Job) -> Document:
        """Poll a queued job until its final reply. On any exception, the provider cancels it."""
        job.report(-1.0, reported := "")
        try:
            while not _is_done(reply := await self._poll(ticket.status_url, job), job):
                if (position := _find_position(reply)) != reported:
                    job.report(-1.0, reported := position)
                await asyncio.sleep(self.pause)
            return await self._poll(ticket.result_url, job) if ticket.result_url else reply
        except BaseException:
            if ticket.cancel:
                with suppress(ExpertError, TimeoutError):  # best effort
                    async with asyncio.timeout(_CANCEL_SECONDS):
                        await self.wire.request(*ticket.cancel, job)
            raise

    async def _poll(self, url: str, job: Job) -> Document:
        """The status of a job. Failed requests are retried, because the job goes on meanwhile."""

        async def ask() -> Document:
            return await _parse_document(await self.wire.request("GET", url, job))

        retrying = stamina.AsyncRetryingCaller(
            attempts=_TRIES, timeout=None, wait_initial=self.pause, wait_jitter=0.0
        )
        return await retrying(_choose_wait, ask)

    async def _download(self, address: str, job: Job) -> bytes:
        try:
            return (await self.fetch.get(address, max_bytes=self.wire.max_bytes)).data
        except FetchError as error:
            problem = error.sentence
            raise ExpertGarbled("expert-result", model=job.model.id, problem=problem) from error


def _provider_of(job: Job) -> str:
    return job.model.providers[0].partition(":")[0] if job.model.providers else OWN_INFERENCE


def _choose_wait(error: Exception) -> bool | float:
    """Whether to ask again, or the seconds after which the server wants to be asked again."""
    return isinstance(error, ExpertUnavailable) and (error.retry_after or True)


async def _parse_document(body: Body) -> Document:
    """The JSON object of a reply. Raises ValueError."""
    parsed = await asyncio.to_thread(parse_json, body.data)
    if not isinstance(parsed, dict):
        raise ValueError("no object")  # noqa: TRY004 - the data is invalid
    return parsed


def _find_position(reply: Document) -> str:
    position = reply.get("queue_position")
    return f"#{position}" if isinstance(position, int) and position > 0 else ""


def _find_tokens(reply: Document) -> tuple[int, int] | None:
    """The provider's count of the tokens of prompt and reply; None if it gave none."""
    match reply.get("usage"):
        case {"prompt_tokens": int(sent), "completion_tokens": int(made)} if min(sent, made) >= 0:
            return sent, made
        case _:
            return None


@dataclass(frozen=True, slots=True)
class QueueTicket:
    """A job in a provider's queue. All URLs are below the router.

    If `result_url` is empty, the last status holds the result. `cancel`: method and URL.
    """

    status_url: str
    result_url: str = ""
    cancel: tuple[str, str] | None = None


def _find_ticket(call: ProviderCall, reply: Document, job: Job) -> QueueTicket | None:
    """The ticket in a first reply; None if that is the result. Raises KeyError, ExpertRefused."""
    match reply:
        case {"request_id": str(), "response_url": str(address)}:  # fal
            path, query = _below_router(call, address), urlsplit(call.url).query
            suffix = f"?{query}" if query else ""
            cancel = ("PUT", f"{path}/cancel{suffix}")
            return QueueTicket(f"{path}/status{suffix}", path + suffix, cancel)
        case {"urls": {"get": str(status)}} if not _is_done(reply, job):  # replicate
            address = reply["urls"].get("cancel")
            cancel_call = ("POST", _below_router(call, str(address))) if address else None
            return QueueTicket(_below_router(call, status), cancel=cancel_call)
        case {"data": {"urls": {"get": str(status)}}}:  # wavespeed
            return QueueTicket(_below_router(call, status))
        case {"id": str(number), "task_status": "PROCESSING"}:  # zai
            base = call.url.partition("/api/paas/")[0]
            return QueueTicket(f"{base}/api/paas/v4/async-result/{number}")
        case {"id": str(number)} if _is_film_to_come(reply, job):  # together
            return QueueTicket(f"{call.url}/{number}")
        case _:
            return None


def _is_film_to_come(reply: Document, job: Job) -> bool:
    """Whether a reply is that of a job that goes on; its first one need not have a status."""
    return (
        job.kind.makes[0].type is Type.VIDEO
        and not reply.get("outputs")
        and not _is_done(reply, job)
    )


def _is_done(reply: Document, job: Job) -> bool:
    """Whether a job is done, for any provider. Raises ExpertRefused if it failed."""
    data = reply.get("data")
    inner = data if isinstance(data, Mapping) else reply
    word = str(inner.get("status") or inner.get("task_status") or "").lower()
    is_done = word in _DONE_WORDS
    if word in _FAILED_WORDS or (is_done and inner.get("error")):
        raise ExpertRefused("expert-job-failed", model=job.model.id)
    return is_done


def _below_router(call: ProviderCall, address: str) -> str:
    """The same path below the router, so that our token is sent nowhere else."""
    path = urlsplit(address).path
    if not path.startswith("/") or ".." in path:
        raise KeyError(address)
    return call.base + path
