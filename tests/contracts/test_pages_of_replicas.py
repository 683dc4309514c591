"""Two programs serve the page from one PostgreSQL database, behind a balancer."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client import CollectorRegistry

from adapters.store import Persistence, open_persistence
from adapters.web import WebChat, WebOptions, WebPorts
from adapters.web.elsewhere import Elsewhere
from adapters.web.health import HealthPorts
from adapters.web.idempotency import HEADER
from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Event,
    Incoming,
    Plan,
    Planned,
    PlanPreview,
    RunId,
    Turn,
)
from pipeline.ports import Position
from tests.adapters.web.records import Cupboard
from tests.contracts.conftest import EMPTIED
from tests.contracts.postgres import order
from tests.contracts.runs import run as run_record
from tests.fakes.chat import FakeListener
from tests.fakes.outside import FakeFetch

pytestmark = pytest.mark.program

SECRET = b"s" * 64
PARTS = [AnswerPart(word) for word in ("One ", "two ", "three.")]


@dataclass
class InboxListener(FakeListener):
    """Puts what it is told into the shared inbox."""

    persistence: Persistence | None = None

    async def on_message(self, message: Incoming) -> RunId | None:
        assert self.persistence is not None
        run = RunId(f"run-{message.key}".replace(":", "-"))
        is_new = await self.persistence.inbox.accept(message, run)
        if is_new:
            turn = Turn(
                key=message.key, person=message.person, text=message.text, files=(), at=message.at
            )
            await self.persistence.store.log(message.thread, turn)
            self.received.append((message, run))
            self._news.set()
        return run if is_new else None


@dataclass
class Page:
    """One program's page. `browser`: the cookie jar that all pages share."""

    chat: WebChat
    listener: InboxListener
    persistence: Persistence
    browser: aiohttp.ClientSession

    async def say(self, text: str, **headers: str) -> tuple[Incoming, RunId]:
        sent = {"Prefer": "respond-async", **headers}
        async with self.browser.post("/api/chat", json={"text": text}, headers=sent) as response:
            told = await response.json()
            assert response.status == 202, told
        message = await self.persistence.inbox.message(RunId(told["run"]))
        assert message is not None
        return message, RunId(told["run"])

    @asynccontextmanager
    async def read(self, run: RunId) -> AsyncIterator["Stream"]:
        async with self.browser.get(f"/api/runs/{run}/events") as response:
            assert response.status == 200
            yield Stream(response)

    async def get(self, path: str) -> Any:
        async with self.browser.get(path) as response:
            return await response.json()


@dataclass
class Stream:
    """The events of a run, as a reader gets them."""

    response: aiohttp.ClientResponse
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    async def read(self, until: str) -> list[tuple[str, dict[str, Any]]]:
        """All events so far, as soon as one has this name."""
        name = ""
        async with asyncio.timeout(30):
            async for raw in self.response.content:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self.told.append((name, json.loads(line.removeprefix("data: "))))
                    if name == until:
                        break
        return self.told

    @property
    def text(self) -> str:
        """The text of the answer since the story last began."""
        last = max(number for number, (name, _) in enumerate(self.told) if name == "accepted")
        return "".join(data.get("text", "") for _, data in self.told[last:])


@dataclass
class Work:
    """A run at a program, which goes on when it is told."""

    events: asyncio.Queue[Event] = field(default_factory=asyncio.Queue)
    is_whole: bool = False

    async def story(self) -> AsyncIterator[Event]:
        event: Event | None = None
        while not isinstance(event, Answered):
            event = await self.events.get()
            yield event

    def tell(self, *events: Event) -> None:
        for event in events:
            self.events.put_nowait(event)
            self.is_whole = isinstance(event, Answered)


@pytest.fixture
def server(postgres: str) -> str:
    asyncio.run(order(postgres, EMPTIED))
    return postgres


async def _plan(_message: Incoming) -> PlanPreview:
    return PlanPreview(Planned(Plan()), "Hello!")


async def _ready() -> tuple[bool, dict[str, str]]:
    return True, {}


@asynccontextmanager
async def open_page(
    url: str, folder: Path, jar: aiohttp.CookieJar, are_there: Callable[[], bool]
) -> AsyncIterator[Page]:
    cupboard = Cupboard(folder)
    async with open_persistence(url) as persistence:
        assert persistence.progress is not None
        ports = WebPorts(
            files=cupboard.files,
            store=persistence.store,
            inbox=persistence.inbox,
            fetch=FakeFetch(),
            cache=persistence.cache,
            rate_limits=persistence.rate_limits,
            notifications=persistence.notifications,
            elsewhere=Elsewhere(progress=persistence.progress, are_there=are_there),
            plan=_plan,
            health=HealthPorts(ready=_ready, registry=CollectorRegistry()),
        )
        chat = WebChat(WebOptions(port=0, secret=lambda: SECRET), ports)
        listener = InboxListener(persistence=persistence)
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(chat.listen(listener))
            address = await chat.address()
            async with aiohttp.ClientSession(address, cookie_jar=jar) as browser:
                yield Page(chat, listener, persistence, browser)
            listening.cancel()


@asynccontextmanager
async def pages(
    url: str, folder: Path, *, are_there: Callable[[], bool] = lambda: True
) -> AsyncIterator[tuple[Page, Page]]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with AsyncExitStack() as stack:
        opened = [
            await stack.enter_async_context(open_page(url, folder, jar, are_there))
            for _ in range(2)
        ]
        async with opened[0].browser.get("/"):
            pass
        yield opened[0], opened[1]


@asynccontextmanager
async def at_work(page: Page, message: Incoming, run: RunId) -> AsyncIterator[Work]:
    """The program works on a run until it has ended; if the context is left before, it dies."""
    work = Work()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(page.chat.follow(message, run, work.story()))
        yield work
        if not work.is_whole:
            task.cancel()


def whole(run: RunId) -> Answered:
    return Answered(Answer(run, "One two three."))


async def test_a_run_of_one_program_is_followed_at_the_other(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        async with here.read(run) as stream, at_work(there, message, run) as work:
            for part in PARTS:
                work.tell(part)
                await stream.read("answer_part")
            work.tell(whole(run))
            told = await stream.read("answer")
            async with here.read(run) as late:
                await late.read("answer")

        names = ["accepted", *["answer_part"] * 3, "answered", "answer"]
        assert [name for name, _ in told] == names
        assert stream.text == "One two three."
        assert late.told[-1] == told[-1]


async def test_whoever_comes_late_or_asks_again_and_again_gets_it_all(
    server: str, tmp_path: Path
) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        async with at_work(there, message, run) as work:
            work.tell(Planned(Plan()), *PARTS)
            async with here.read(run) as stream:
                await stream.read("answer_part")
            assert stream.text == "One two three."
            assert (await here.get(f"/api/runs/{run}"))["live"]
            work.tell(whole(run))

            async with here.read(run) as stream:
                await stream.read("answer")
            told = await here.get(f"/api/runs/{run}")
        assert told["answer"]["message"] == "One two three."


async def test_a_run_that_is_taken_over_is_told_anew(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        async with here.read(run) as stream, there.read(run) as other:
            async with at_work(there, message, run) as work:
                work.tell(AnswerPart("Never finished"))
                await stream.read("answer_part")
                await other.read("answer_part")
            async with at_work(here, message, run) as work:
                work.tell(*PARTS)
                await stream.read("answer_part")
                await other.read("accepted")
                work.tell(whole(run))
                await stream.read("answer")
                await other.read("answer")

        for each in (stream, other):
            names = [name for name, _ in each.told]
            assert names.count("accepted") == 2
            assert names.count("answer") == 1
            assert each.text.startswith("One two three.")
            assert "Never" not in each.text


async def test_what_a_replaced_program_still_tells_is_not_shown(
    server: str, tmp_path: Path
) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        progress = there.persistence.progress
        assert progress is not None
        old = await progress.tell(run, Position(), [AnswerPart("old")])
        async with here.read(run) as stream:
            await stream.read("answer_part")
            new = await progress.tell(run, Position(), [AnswerPart("new")])
            await progress.tell(run, old, [AnswerPart("late")])
            await stream.read("accepted")
            await progress.tell(run, new, [whole(run)])
            told = await stream.read("answer")

        assert "late" not in json.dumps(told)
        assert stream.text == "new"
        assert message.text == "count"


async def test_the_end_is_found_in_the_store_if_nobody_told_it(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path, are_there=lambda: False) as (here, there):
        message, run = await here.say("count")
        async with here.read(run) as stream, at_work(there, message, run) as work:
            work.tell(*PARTS, whole(run))
            await stream.read("accepted")
            record = run_record(run, thread=message.thread, person=message.person.id)
            progress = there.persistence.progress
            assert progress is not None
            assert await progress.read(run, Position()) == (Position(), [])
            end = '{"version":2,"value":{"answer":{"run":"r","text":"Stored."},"is":"Answered"}}'
            await there.persistence.store.keep(record, message.thread, events=[(0, end)])
            told = await stream.read("answer")

        assert told[-1][1]["message"] == "Stored."


async def test_a_stream_ends_when_its_run_is_forgotten(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        async with here.read(run) as stream:
            await stream.read("accepted")
            await there.persistence.store.unlog(message.key)
            told = await stream.read("broken")
            assert told[-1][0] == "broken"
        assert (await here.get(f"/api/runs/{run}"))["status"] == 404


async def test_a_conversation_is_over_at_both_as_soon_as_at_one(
    server: str, tmp_path: Path
) -> None:
    async with pages(server, tmp_path) as (here, there):
        message, run = await here.say("count")
        async with here.browser.get("/api/events") as response:
            stream = Stream(response)
            async with at_work(there, message, run) as work:
                work.tell(whole(run))
            told = await stream.read("thread")
            while told[-1][1].get("live"):
                told = await stream.read("thread")

        assert told[-1][1]["thread"] == message.thread.root
        assert await there.persistence.inbox.list_waiting(message.thread) == (run,)


async def test_the_same_key_at_both_begins_one_run(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as both:
        async with asyncio.TaskGroup() as group:
            said = [group.create_task(page.say("once", **{HEADER: "k-1"})) for page in both * 3]

        assert len({each.result()[1] for each in said}) == 1
        assert sum(len(page.listener.received) for page in both) == 1


async def test_a_link_opens_one_device_whichever_program_is_asked(
    server: str, tmp_path: Path
) -> None:
    async with pages(server, tmp_path) as both:
        async with both[0].browser.post("/api/devices") as response:
            path = (await response.json())["url"].partition("/devices/")[2]

        async def use(page: Page) -> int:
            address = await page.chat.address()
            async with (
                aiohttp.ClientSession(address) as stranger,
                stranger.post(f"/devices/{path}", allow_redirects=False) as response,
            ):
                return response.status

        async with asyncio.TaskGroup() as group:
            used = [group.create_task(use(page)) for page in both * 2]
        assert sorted(each.result() for each in used) == [303, 410, 410, 410]


async def test_wrong_tokens_at_one_count_at_the_other(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as (here, there):
        for _ in range(10):
            limits = here.persistence.rate_limits
            await limits.reserve("web wrong tokens", most=10, seconds=60, patience=0)

        limits = there.persistence.rate_limits
        assert await limits.reserve("web wrong tokens", most=10, seconds=60, patience=0) is None


async def test_parts_are_cleared_once_their_run_is_over(server: str, tmp_path: Path) -> None:
    async with pages(server, tmp_path) as (here, there):
        progress = there.persistence.progress
        assert progress is not None
        _, run = await here.say("count")
        place = await progress.tell(run, Position(), PARTS)

        await progress.clear(timedelta(seconds=-60))
        assert (await progress.read(run, Position()))[0] == place
        await here.persistence.inbox.finish(run)
        await progress.clear(timedelta(hours=1))
        assert (await progress.read(run, Position()))[0] == place
        await progress.clear(timedelta(seconds=-60))
        assert await progress.read(run, Position()) == (Position(), [])
