"""The web page and its HTTP API as a place where people talk."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import structlog
from aiohttp import web
from aiolimiter import AsyncLimiter

from adapters.web import api, files, guards, pages
from adapters.web.options import WebOptions, WebPorts
from adapters.web.persons import PLATFORM
from adapters.web.receiving import FILE_SCHEME
from adapters.web.runs import RunLogs
from adapters.web.state import STATE, Figures, WebState
from pipeline.domain import (
    Answered,
    Apologised,
    Blob,
    Event,
    FileHash,
    Incoming,
    Link,
    RunId,
    Thread,
)
from pipeline.errors import FetchError, SettingsError
from pipeline.ports import Listener

log = structlog.get_logger()

_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - to be shown as one that can be opened
_PARTING = 2.0
"""Seconds that open requests have when the program stops."""


class WebChat:
    """The page and the API. A run's answer is delivered when whoever waits for it has it; the record stands in the store."""

    platform = PLATFORM

    def __init__(self, options: WebOptions, ports: WebPorts) -> None:
        self._options = options
        self._ports = ports
        self._runs = RunLogs()
        self._figures = Figures()
        self._address = ""
        self._open = asyncio.Event()

    async def address(self) -> str:
        """Where the page is, as soon as it is there."""
        await self._open.wait()
        return self._address

    def state(self, listener: Listener) -> WebState:
        """What the routes share."""
        return WebState(self._options, self._ports, listener, self._runs, self._figures)

    async def listen(self, listener: Listener) -> None:
        runner = web.AppRunner(
            application(self.state(listener)),
            access_log=None,
            shutdown_timeout=_PARTING,
            handle_signals=False,
        )
        await runner.setup()
        try:
            await self._begin(runner)
            await asyncio.Event().wait()
        finally:
            self._open.clear()
            self._runs.end()
            await runner.cleanup()

    async def _begin(self, runner: web.AppRunner) -> None:
        host, port = self._options.host, self._options.port
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsError(
                "web-port-taken", host=host, port=str(port), problem=error.strerror or str(error)
            ) from error
        shown = "localhost" if host in _EVERY_ADDRESS else f"[{host}]" if ":" in host else host
        self._address = f"http://{shown}:{runner.addresses[0][1]}"
        self._open.set()
        log.info("web page open", address=self._address)

    async def download(self, link: Link) -> Blob:
        if not link.url.startswith(FILE_SCHEME):
            return await self._ports.fetch.get(link.url, max_bytes=self._options.max_file)
        try:
            data = await self._ports.files.get(FileHash(link.url.removeprefix(FILE_SCHEME)))
        except KeyError as error:
            raise FetchError("web-unknown-file") from error
        return Blob(data, "", link.name)

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        """Every conversation here begins with us, so there is nothing to read up."""
        log.debug("no history here", thread=thread.key, before=before)
        return ()

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        told = self._runs.open(run, message.thread, message)
        stands = told.over
        with self._figures.under_way.track_inprogress():
            try:
                async for event in events:
                    if not stands:
                        told.add(event)
            finally:
                told.end()
        if not stands:
            self._figures.runs.labels(_end(told.last)).inc()


def _end(last: Answered | Apologised | None) -> str:
    return type(last).__name__.lower() if last else "broken off"


def application(state: WebState) -> web.Application:
    """Every route of the page and the API."""
    app = web.Application(
        middlewares=[guards.counted, guards.worded, guards.guarded],
        client_max_size=state.options.max_body + 1024,
    )
    app[STATE] = state
    app[pages.TRIES] = AsyncLimiter(10, 60)
    app.on_response_prepare.append(guards.with_headers)
    app.add_routes(
        [
            web.get("/", pages.index),
            web.get("/page/{name}", pages.static),
            web.get("/login", pages.login_form),
            web.post("/login", pages.login),
            web.post("/api/chat", api.chat),
            web.post("/api/plan", api.plan),
            web.get("/api/runs/{run}", api.run_record),
            web.get("/api/runs/{run}/events", api.run_events),
            web.post("/api/runs/{run}/{action}", api.press),
            web.get("/api/threads/{thread}", api.thread),
            web.get("/files/{hash}/{name}", files.file),
            web.get("/healthz", pages.healthz),
            web.get("/readyz", pages.readyz),
            web.get("/metrics", pages.metrics),
            *state.options.extra_routes,
        ]
    )
    return app
