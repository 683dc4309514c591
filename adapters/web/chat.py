"""The chat port for the web page and its HTTP API."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack

import structlog
from aiohttp import web

from adapters import bounds
from adapters.web import (
    api,
    devices,
    exporting,
    history,
    middleware,
    pages,
    setup_api,
    sharing,
    threads,
)
from adapters.web.feed_relay import relay_feed
from adapters.web.health import list_routes
from adapters.web.limits import limits
from adapters.web.live_feed import LiveFeed, ThreadChanged
from adapters.web.openapi import openapi
from adapters.web.options import LISTENER, STATE, WebMetrics, WebOptions, WebPorts, WebState
from adapters.web.owner import routes as owner
from adapters.web.run_logs import FILE_SCHEME, PLATFORM, RunLogs
from adapters.web.stored_files import serve_file
from pipeline.domain import (
    Blob,
    Delayed,
    Event,
    FileHash,
    Incoming,
    Link,
    LocalizedText,
    RunId,
    Thread,
)
from pipeline.errors import FetchError, SettingsError
from pipeline.ports import Listener, Topic

log = structlog.get_logger()

_MAX_SMALL = 1 << 16
"""Bytes of a body that a handler may read without `adapters.bounds`."""
_ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 - only compared


class WebChat:
    """The page and the API, as a `Chat`.

    Nothing is pushed: callers read the log of a run, which is also kept in the store.
    """

    platform = PLATFORM

    def __init__(self, options: WebOptions, ports: WebPorts) -> None:
        feed, metrics = LiveFeed(), WebMetrics(ports.health.registry)
        logs = RunLogs(ports.store, ports.inbox, feed, ports.elsewhere)
        self.state = WebState(options=options, ports=ports, runs=logs, metrics=metrics, feed=feed)
        self._address = ""
        self._open = asyncio.Event()

    async def address(self) -> str:
        """The page's URL; waits until the server listens."""
        await self._open.wait()
        return self._address

    async def listen(self, listener: Listener) -> None:
        options, app = self.state.options, build_application(self.state, listener)
        serving = bounds.serve(app, options.host, options.port, idle_seconds=options.header_seconds)
        async with AsyncExitStack() as stack:
            try:
                _, port = await stack.enter_async_context(serving)
            except OSError as error:
                raise _explain_taken(options, error) from error
            stack.callback(self._close)
            if (notifications := self.state.ports.notifications) is not None:
                stack.enter_context(notifications.subscribe(Topic.PROGRESS, self.state.runs.hear))
                await stack.enter_async_context(relay_feed(self.state.feed, notifications))
            self._announce(port)
            await asyncio.Event().wait()

    def _announce(self, port: int) -> None:
        host = self.state.options.host
        shown = "localhost" if host in _ALL_ADDRESSES else f"[{host}]" if ":" in host else host
        self._address = f"http://{shown}:{port}"
        self._open.set()
        log.info("web page open", address=self._address)

    def _close(self) -> None:
        self._open.clear()
        self.state.runs.end()
        self.state.feed.end()

    def start_anew(self) -> None:
        """Have all open pages read their conversations anew, since some may be gone."""
        self.state.feed.start_all_anew()

    async def is_connected(self) -> bool:
        return self._open.is_set()

    async def download(self, link: Link) -> Blob:
        if not link.url.startswith(FILE_SCHEME):
            return await self.state.ports.fetch.get(link.url, max_bytes=self.state.options.max_file)
        file = FileHash(link.url.removeprefix(FILE_SCHEME))
        try:
            data = await self.state.ports.files.get(file)
        except KeyError as error:
            raise FetchError("web-unknown-file") from error
        return Blob(data, "", link.name, hash=file)

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        """Empty: the bot has seen every message here."""
        return ()

    async def reread(self, message: Incoming) -> Incoming | None:
        return message

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        self.state.runs.open(run, message).add(Delayed(sentence))

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        try:
            await self.state.runs.follow(run, message, events)
        finally:
            self.state.feed.publish(ThreadChanged(message.thread))
            if message.beside:  # a command, such as one that forgets
                self.state.feed.start_anew(message.thread.channel.workspace)


def _explain_taken(options: WebOptions, error: OSError) -> SettingsError:
    problem = error.strerror or str(error)
    return SettingsError(
        "web-port-taken", host=options.host, port=str(options.port), problem=problem
    )


def build_application(state: WebState, listener: Listener) -> web.Application:
    """Every route of the page and the API."""
    app = web.Application(
        middlewares=[
            middleware.answer_request,
            bounds.bound_request(state.options.max_body, state.options.stranger_seconds),
            middleware.guard,
        ],
        client_max_size=_MAX_SMALL,
    )
    app[STATE], app[LISTENER] = state, listener
    app.on_response_prepare.append(middleware.add_headers)
    app.add_routes(
        [
            web.get("/", pages.index),
            web.get(r"/page/{tag:[0-9a-f]{16}}/words/{language}/{name}.ftl", pages.words),
            web.get(r"/page/{tag:[0-9a-f]{16}}/{path:[\w./-]{1,200}}", pages.part),
            web.get("/page/words/{language}/{name}.ftl", pages.words),
            web.get(r"/page/{path:[\w./-]{1,200}}", pages.part),
            web.get("/login", pages.login_form),
            web.post("/login", pages.login),
            web.post("/logout", pages.logout),
            web.post("/api/chat", api.chat),
            web.post("/api/plan", api.plan),
            web.get("/api/limits", limits),
            web.get("/api/openapi.json", openapi),
            web.get("/api/start", setup_api.start),
            web.get("/api/setup", setup_api.describe_setup),
            web.post("/api/setup/undo", setup_api.undo_setup),
            web.post("/api/setup/{step}", setup_api.apply_setup),
            web.get("/api/runs/{run}", api.run_record),
            web.get("/api/runs/{run}/events", api.run_events),
            web.get("/api/runs/{run}/steps/{step}", api.run_step),
            web.get("/api/runs/{run}/files.zip", api.run_files),
            web.post(f"/api/runs/{{run}}/{{action:{api.ACTION}}}", api.click),
            web.get("/api/threads", history.list_threads),
            web.get("/api/threads/{thread}", threads.thread),
            web.patch("/api/threads/{thread}", history.change_thread),
            web.delete("/api/threads/{thread}", history.forget_thread),
            web.get("/api/threads/{thread}/export", exporting.export_thread),
            web.get("/api/threads/{thread}/shares", sharing.list_shares),
            web.post("/api/threads/{thread}/shares", sharing.share_thread),
            web.delete("/api/shares/{share}", sharing.end_share),
            web.get("/shared/{share}", sharing.show_share),
            web.get("/api/events", history.stream_changes),
            web.post("/api/devices", devices.make_link),
            web.get("/devices/{code}", devices.show_link),
            web.post("/devices/{code}", devices.use_link),
            web.get("/files/{hash:[0-9a-f]{64}}/{name:[^/]+}", serve_file),
            *owner.ROUTES,
            *list_routes(state.ports.health),
            *state.options.extra_routes,
        ]
    )
    return app
