"""The web page's API over a real socket, and a browser's side of it."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
from prometheus_client import CollectorRegistry

from adapters.store.rate_limits import LocalRateLimits
from adapters.web import WebChat, WebOptions, WebPorts
from adapters.web.chat import build_application
from adapters.web.health import HealthPorts
from adapters.web.openapi import describe
from adapters.web.owner.ports import OwnerPorts
from pipeline.domain import Blob, FileHash, Incoming, Plan, Planned, PlanPreview, RunId
from pipeline.ports import Setup, Store
from tests.adapters.web.described import Description, check_event, check_responses
from tests.adapters.web.records import Cupboard, Records
from tests.contracts.chats import Post
from tests.fakes.chat import FakeListener
from tests.fakes.outside import FakeFetch
from tests.fakes.owner import FakeAdministration
from tests.fakes.persistence import FakeCache
from tests.fakes.run_index import FakeRunIndex


@dataclass
class WebScene:
    """A browser at the page, and what stands behind the page."""

    chat: WebChat
    listener: FakeListener
    cupboard: Cupboard
    records: Records
    fetch: FakeFetch
    page: aiohttp.ClientSession
    described: Description
    group: asyncio.TaskGroup
    administration: FakeAdministration
    thread: str = ""
    asked: list[Incoming] = field(default_factory=list)
    _told: dict[RunId, "Feed"] = field(default_factory=dict)

    async def keep(self, data: bytes) -> FileHash:
        """Store a file that everybody was shown."""
        file = await self.cupboard.put(data)
        self.records.shown.add(("", file))
        return file

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        form = aiohttp.FormData(default_to_multipart=True)
        form.add_field("text", text)
        form.add_field("thread", self.thread)
        for each in files:
            form.add_field("file", each.data, filename=each.name, content_type=each.media_type)
        feed = Feed()
        self.group.create_task(feed.read(self.page, form))
        message, run = await self.listener.next(len(self.listener.received) + 1)
        self._told[run] = feed
        self.thread = message.thread.root
        return message, run

    async def sees(self, words: str) -> None:
        (*_, feed) = self._told.values()
        await feed.until(words)

    async def posts(self) -> Sequence[Post]:
        for run, feed in self._told.items():
            async with self.page.get(f"/api/runs/{run}") as response:
                if not (await response.json())["live"]:
                    await feed.over.wait()
        return [await self._post(feed) for feed in self._told.values() if feed.answers]

    async def _post(self, feed: "Feed") -> Post:
        (answer,) = feed.answers
        files = []
        for file in answer.get("files", []):
            async with self.page.get(file["url"]) as response:
                files.append((file["name"], file["alt"], await response.read()))
        return Post(answer.get("message", answer.get("error", "")), tuple(files))


class Feed:
    """The events of one message, as a browser gets them."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.over = asyncio.Event()
        self._news = asyncio.Event()

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [data for name, data in self.events if name == "answer"]

    async def read(self, page: aiohttp.ClientSession, form: aiohttp.FormData) -> None:
        headers = {"Accept": "text/event-stream"}
        async with page.post("/api/chat", data=form, headers=headers) as response:
            async for event in events_of(response):
                self.events.append(event)
                self._news.set()
        self.over.set()

    async def until(self, words: str) -> None:
        while words not in json.dumps(self.events):
            self._news.clear()
            await self._news.wait()


async def events_of(
    response: aiohttp.ClientResponse,
) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Server-sent events, as they come, compared with their description."""
    name = ""
    async for raw in response.content:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data = json.loads(line.removeprefix("data: "))
            check_event(response, name, data)
            yield name, data


@asynccontextmanager
async def web_scene(
    cache: FakeCache | None = None,
    setup: Setup | None = None,
    store: Store | None = None,
    **options: Any,
) -> AsyncIterator[WebScene]:
    with TemporaryDirectory() as folder:
        cupboard = Cupboard(Path(folder))
        opening = _open_scene(cupboard, cache or FakeCache(), setup, store, options)
        async with opening as scene:
            yield scene


@asynccontextmanager
async def _open_scene(
    cupboard: Cupboard,
    cache: FakeCache,
    setup: Setup | None,
    store: Store | None,
    options: dict[str, Any],
) -> AsyncIterator[WebScene]:
    listener, fetch = FakeListener(), FakeFetch()
    records = Records(listener.received)
    asked: list[Incoming] = []
    administration = FakeAdministration()

    async def plan(message: Incoming) -> PlanPreview:
        asked.append(message)
        return PlanPreview(Planned(Plan()), "Hello!")

    async def ready() -> tuple[bool, dict[str, str]]:
        return True, {}

    ports = WebPorts(
        files=cupboard.files,
        store=store or records.store,
        inbox=records.inbox,
        fetch=fetch,
        cache=cache,
        rate_limits=LocalRateLimits(),
        plan=plan,
        health=HealthPorts(ready=ready, registry=CollectorRegistry()),
        setup=setup,
        owner=OwnerPorts(runs=FakeRunIndex(records.history), administration=administration),
    )
    chat = WebChat(WebOptions(**{"port": 0, **options}), ports)
    async with asyncio.TaskGroup() as server:
        listening = server.create_task(chat.listen(listener))
        jar = aiohttp.CookieJar(unsafe=True)
        routes = build_application(chat.state, listener).router.routes()
        described = Description(describe(routes))
        async with (
            aiohttp.ClientSession(
                await chat.address(), cookie_jar=jar, middlewares=(check_responses(described),)
            ) as page,
            asyncio.TaskGroup() as group,
        ):
            async with page.get("/"):
                pass
            scene = WebScene(
                chat=chat,
                listener=listener,
                cupboard=cupboard,
                records=records,
                fetch=fetch,
                page=page,
                described=described,
                group=group,
                asked=asked,
                administration=administration,
            )
            yield scene
            listening.cancel()
