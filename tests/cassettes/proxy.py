"""Reverse proxies on loopback, one per service: they tape what passes, or answer from a tape."""

import codecs
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import KW_ONLY, dataclass, field
from functools import partial

import aiohttp
from aiohttp import web
from yarl import URL

from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from pipeline.errors import FetchError
from pipeline.ports import Fetch
from tests.cassettes.secrets import Cleaner, Json, is_url, map_strings
from tests.cassettes.tape import (
    Deck,
    Exchange,
    Fields,
    Tape,
    describe_body,
    describe_request,
    read_pieces,
)

FILES = "files"
"""The service of the files that providers name by URL."""
_PROVIDERS = "router"
"""The service whose answers name such files."""
_MAX_BODY = 256 << 20
_NOT_SENT = ("accept-encoding", "connection", "content-length", "host", "transfer-encoding")
"""Headers between the program and the proxy only."""
_KEPT = (
    *("content-type", "location", "x-unused-parameters"),
    *("retry-after", "retry-after-ms", "x-should-retry"),
)
"""Headers of answers that the program reads. Others have keys, cookies and ids of requests."""


@dataclass(slots=True)
class FileLinks:
    """URLs of files in the answers of providers, which lead through the proxy instead.

    Paths stay as they are, because queues are polled by path. Only URLs that an answer has named
    are forwarded. `site`: the address of the proxy.
    """

    site: str = ""
    _targets: dict[str, str] = field(default_factory=dict)

    def find(self, service: str, path: str) -> str:
        """What a path at a service stands for: of FILES a URL. 404 if no answer has named it."""
        if service == FILES and path not in self._targets:
            raise web.HTTPNotFound
        return self._targets[path] if service == FILES else path

    def redirect(self, text: str) -> str:
        """A string; if it is a URL, one that leads to the proxy."""
        if not is_url(text):
            return text
        path = URL(text).raw_path_qs
        self._targets[path] = text
        return self.site + path


@dataclass(frozen=True, slots=True)
class Recording:
    """Asks the services at their base URLs, and tapes it. `fetch` downloads files."""

    tape: Tape
    services: Mapping[str, str]
    fetch: Fetch
    _: KW_ONLY
    links: FileLinks = field(default_factory=FileLinks)
    network: Network = DIRECT

    async def answer(self, service: str, request: web.Request) -> web.StreamResponse:
        """Forward a request; tape it with its answer, also if the answer breaks off."""
        path = self.links.find(service, request.raw_path)
        body = await request.read()
        asked = describe_request(request.method, path, body, self.tape.cleaner)
        taped: dict[str, Json] = {"error": "broken off"}
        try:
            reply = await self._ask(service, path, request, taped)
            del taped["error"]
            return reply or await _play(service, request, taped, self.links)
        except (aiohttp.ClientError, OSError, FetchError):
            return _break_off(request)
        finally:
            if request.path.endswith("/whoami-v2") and "json" in taped:  # the person at the Hub
                taped["json"] = {"name": "somebody"}
            self.tape.append(Exchange(service, asked, taped))

    async def _ask(
        self, service: str, path: str, request: web.Request, taped: dict[str, Json]
    ) -> web.StreamResponse | None:
        """Add the answer to `taped`. A stream is passed on and returned."""
        if service == FILES:
            blob = await self.fetch.get(path, max_bytes=_MAX_BODY)
            headers = {"content-type": blob.media_type or "application/octet-stream"}
            body = describe_body(blob.data, self.tape.cleaner)
            taped |= {"status": 200, "headers": headers, **body}
            return None
        origin, started = str(URL(self.services[service]).origin()), time.monotonic()
        async with (
            open_session(self.network, seconds=None) as session,  # whoever asks gives up
            session.request(
                request.method,
                URL(origin + path, encoded=True),
                headers={
                    n: text for n, text in request.headers.items() if n.lower() not in _NOT_SENT
                },
                data=await request.read() or None,
                allow_redirects=False,
            ) as response,
        ):
            headers = {name: response.headers[name] for name in _KEPT if name in response.headers}
            if location := headers.get("location"):  # relative: it leads to this proxy
                headers["location"] = location.removeprefix(origin).partition("?")[0]
            taped |= {"status": response.status, "headers": headers}
            if response.content_type == "text/event-stream":
                return await _pass_on(response, request, taped, started)
            taped |= describe_body(await response.read(), self.tape.cleaner)
            return None


async def _pass_on(
    response: aiohttp.ClientResponse,
    request: web.Request,
    taped: dict[str, Json],
    started: float,
) -> web.StreamResponse:
    """Pass on each piece of a stream when it comes, and tape it with its time."""
    chunks = taped["chunks"] = []
    reply = web.StreamResponse(status=taped["status"], headers=taped["headers"])
    await reply.prepare(request)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    async for piece in response.content.iter_any():
        await reply.write(piece)
        chunks.append((round(time.monotonic() - started, 3), decoder.decode(piece)))
    return reply


@dataclass(frozen=True, slots=True)
class Replay:
    """Answers from a cassette; nothing leaves this machine."""

    deck: Deck
    services: Mapping[str, str]
    links: FileLinks = field(default_factory=FileLinks)

    async def answer(self, service: str, request: web.Request) -> web.StreamResponse:
        """The recorded answer, at once; 404 if there is none."""
        path = self.links.find(service, request.raw_path)
        asked = describe_request(request.method, path, await request.read(), Cleaner(()))
        exchange = self.deck.take(service, asked)
        if exchange is None:
            return web.json_response({"error": {"message": "not recorded"}}, status=404)
        return await _play(service, request, exchange.answer, self.links)


async def _play(
    service: str, request: web.Request, answer: Fields, links: FileLinks
) -> web.StreamResponse:
    if "status" not in answer:
        return _break_off(request)
    if "json" in answer and service == _PROVIDERS:
        answer = {**answer, "json": map_strings(answer["json"], links.redirect)}
    reply = web.StreamResponse(status=answer["status"], headers=answer["headers"])
    await reply.prepare(request)
    for piece in read_pieces(answer):
        await reply.write(piece)
    return _break_off(request) if "error" in answer else reply


def _break_off(request: web.Request) -> web.StreamResponse:
    """Close the connection without an answer, or in the middle of one."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


@asynccontextmanager
async def open_proxies(source: Recording | Replay) -> AsyncIterator[Mapping[str, str]]:
    """Listen for each service. Yields the base URLs to use instead, with that of FILES."""
    bases: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        for name, base in {**source.services, FILES: ""}.items():
            app = web.Application(client_max_size=_MAX_BODY)
            app.router.add_route("*", "/{path:.*}", partial(source.answer, name))
            runner = web.AppRunner(
                app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
            )
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            bases[name] = f"http://127.0.0.1:{runner.addresses[0][1]}{URL(base).path.rstrip('/')}"
        source.links.site = bases[FILES]
        yield bases
