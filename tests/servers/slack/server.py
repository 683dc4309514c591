"""The server itself: addresses, and one place to switch, drive and look."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

from tests.servers.loopback import listen
from tests.servers.slack.calls import APP_TOKEN, SIGNING_SECRET, Calls, cut
from tests.servers.slack.chat import ChatMethods, content_complaints
from tests.servers.slack.delivery import Delivery
from tests.servers.slack.faults import Broken, Cut, Faults, Lost, Refused
from tests.servers.slack.files import FileMethods
from tests.servers.slack.limits import RateLimits
from tests.servers.slack.people import People
from tests.servers.slack.reading import ReadingMethods
from tests.servers.slack.socket import SocketMode
from tests.servers.slack.streams import Streams
from tests.servers.slack.validation import validate
from tests.servers.slack.views import Views
from tests.servers.slack.workspace import Json, Message, Workspace, furnished

PATIENCE, MAX_RESPONSES = 30.0, 5


@dataclass
class SlackServer:
    """Plays Slack on loopback: `async with SlackServer() as slack`."""

    app_token: str = APP_TOKEN
    signing_secret: str = SIGNING_SECRET
    violations: list[str] = field(default_factory=list)
    space: Workspace = field(default_factory=furnished)
    faults: Faults = field(default_factory=Faults)
    limits: RateLimits = field(default_factory=RateLimits)
    echo: bool = True
    """Whether it tells the bot of the bot's own messages, as Slack does."""
    port: int = 0
    """Where it listens; 0: at any free port."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _running: set[asyncio.Task[None]] = field(default_factory=set)
    _used: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.calls = Calls(self.space, self.faults, self.limits, self.violations)
        self.calls.noticed = self._notice
        self.socket = SocketMode(self.faults, self.violations, self._notice)
        self.delivery = Delivery(self.space, self.socket, self.violations, self.until)
        self.streams = Streams(self.space, self.violations, self._emit)
        self.chat = ChatMethods(self.space, self.violations, self._emit, self.streams.is_open)
        self.reading = ReadingMethods(self.space, self.violations)
        self.files = FileMethods(self.space, self.violations, self.faults, self._emit)
        self.views = Views(self.space, self.violations)
        self.people = People(
            space=self.space,
            delivery=self.delivery,
            files=self.files,
            views=self.views,
            spawn=self._spawn,
            end_streams=self.streams.end_by_hand,
        )
        self.calls.methods = {
            **self.chat.table(),
            **self.streams.table(),
            **self.reading.table(),
            **self.files.table(),
            **self.views.table(),
            "blocks.validate": validate,
            "apps.connections.open": self.socket.address,
        }

    async def __aenter__(self) -> Self:
        self._open = contextlib.AsyncExitStack()
        await self._open.__aenter__()
        self._tasks = await self._open.enter_async_context(asyncio.TaskGroup())
        await self._open.enter_async_context(self._listening())
        return self

    async def __aexit__(self, *trouble: object) -> None:
        for task in self._running:
            task.cancel()
        await self._open.__aexit__(None, None, None)

    @property
    def bot_token(self) -> str:
        return self.space.bot_token

    @property
    def api(self) -> str:
        """What SLACK_API_BASE_URL must be."""
        return f"{self.files.base}/api/"

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for something to become true of the workspace."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                await self.changed()

    async def changed(self) -> None:
        """Wait for anything to change in the workspace."""
        self._changed.clear()
        await self._changed.wait()

    async def settled(self) -> None:
        """Wait until everything that was sent to the bot is acknowledged."""
        await self.until(lambda: not self._running)

    def thread(self, channel: str, root: str) -> list[Message]:
        return self.space.thread(channel, root)

    def said(self, channel: str, root: str) -> list[Message]:
        """What the bot has in a thread now, oldest first."""
        return [m for m in self.space.thread(channel, root) if m.by_bot]

    @contextlib.asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        app = web.Application(client_max_size=256 * 1024**2)
        app.router.add_route("*", "/api/{method}", self.calls.answer)
        app.router.add_post("/upload/v1/{file}", self._uploaded)
        app.router.add_get("/files-pri/{file}/{name:.*}", self.files.download)
        app.router.add_get("/elsewhere", self.files.elsewhere)
        app.router.add_get("/link/{ticket}", self.socket.connect)
        app.router.add_post("/response/{channel}/{user}/{id}", self._responded)
        async with listen(app, self.port) as address:
            self.files.base = self.socket.base = address
            try:
                yield
            finally:
                await self.socket.close()

    async def _uploaded(self, request: web.Request) -> web.StreamResponse:
        response = await self.files.upload(request)
        self._notice()
        return response

    async def _responded(self, request: web.Request) -> web.StreamResponse:
        fault = self.faults.next("response_url")
        if isinstance(fault, Broken | Cut):
            return cut(request)
        if isinstance(fault, Refused):
            return web.json_response({"ok": False, "error": fault.error}, status=404)
        body: Json = await request.json()
        uses = self._used[request.path] = self._used.get(request.path, 0) + 1
        if uses > MAX_RESPONSES:
            self.violations.append("response_url: used more than 5 times")
        if not body.get("delete_original"):
            problems = content_complaints(body)
            self.violations.extend(f"response_url: {problem}" for problem in problems)
        where = {"channel": request.match_info["channel"], "user": request.match_info["user"]}
        self.space.responses.append({**body, **where})
        self._notice()
        return cut(request) if isinstance(fault, Lost) else web.Response(text="ok")

    def _emit(self, event: Json) -> None:
        """Slack tells the app of its own messages too."""
        if self.echo and (self.socket.lines or self.delivery.target):
            self._spawn(self.delivery.event(event))

    def _notice(self) -> None:
        self._changed.set()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._tasks.create_task(self._told(work))
        self._running.add(task)
        task.add_done_callback(self._done)

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except TimeoutError:
            self.violations.append("nobody was there to be told")

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._notice()
