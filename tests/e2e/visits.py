"""A person who uses the page in a real browser, and the scene behind it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from playwright.async_api import Page

from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    Attachment,
    Event,
    Model,
    Ref,
    RunId,
    Task,
    TaskId,
)
from pipeline.task_kinds import KINDS
from tests.adapters.web.scene import WebScene
from tests.fakes.places import EMBEDDED

READER = Model("rapidocr", "optical-character-recognition", (EMBEDDED,))
LOADED = """(player) => new Promise((done) =>
    player.readyState > 0 ? done() : player.addEventListener("loadedmetadata", () => done()))"""
"""Resolves when a player has loaded its metadata."""
READ = Task(TaskId(0), KINDS["optical-character-recognition"], {})
SPEAK = Task(TaskId(1), KINDS["text-to-speech"], {"text": (Ref(TaskId(0), "text"),)})


@dataclass
class Visit:
    """A person on the page, and the scene behind it."""

    scene: WebScene
    page: Page

    async def send(self, text: str) -> RunId:
        """Type and send a message. Returns its run."""
        number = len(self.scene.listener.received) + 1
        await self.page.locator("#text").fill(text)
        await self.page.locator("#text").press("Enter")
        _, run = await self.scene.listener.next(number)
        return run

    async def tell(self, run: RunId, *events: Event) -> None:
        message = next(message for message, known in self.scene.listener.received if known == run)
        await self.scene.chat.follow(message, run, story(events))

    @asynccontextmanager
    async def telling(self, run: RunId) -> AsyncIterator[asyncio.Queue[Event | None]]:
        """A queue of events for a run; each is shown while the test looks at the page."""
        message = next(message for message, known in self.scene.listener.received if known == run)
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.scene.chat.follow(message, run, _queued(events)))
            yield events
            events.put_nowait(None)

    async def answer(self, run: RunId, text: str, *files: AnswerFile) -> None:
        await self.tell(run, Answered(Answer(run, text, files=files)))


async def story(events: Sequence[Event]) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def _queued(events: asyncio.Queue[Event | None]) -> AsyncIterator[Event]:
    while (event := await events.get()) is not None:
        yield event


async def a_file(scene: WebScene, name: str, media_type: str, data: bytes) -> AnswerFile:
    kept = Attachment(hash=await scene.keep(data), media_type=media_type, name=name, size=len(data))
    return AnswerFile(
        attachment=kept,
        alt=f"what is in {name}",
        model="some/model",
        kind="text-to-speech",
        task=SPEAK.id,
    )
