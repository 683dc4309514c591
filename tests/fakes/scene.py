"""A fake chat and a person who uses it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from pipeline.domain import (
    Addressing,
    Answer,
    Apologised,
    Blob,
    Channel,
    FileHash,
    Incoming,
    Link,
    Person,
    RunId,
    Thread,
)
from pipeline.words import say
from tests.contracts.chats import Post
from tests.fakes.chat import FakeChat, FakeListener


class FakeScene:
    """A person who writes in a fake chat."""

    def __init__(self) -> None:
        self.listener = FakeListener()
        self.chat: FakeChat = FakeChat(files={})
        self._kept: dict[FileHash, bytes] = {}

    async def keep(self, data: bytes) -> FileHash:
        name = FileHash(hashlib.sha256(data).hexdigest())
        self._kept[name] = data
        return name

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        number = len(self.listener.received) + 1
        links = tuple(Link(f"fake://{number}/{each.name}", each.name) for each in files)
        self.chat.files = {
            **self.chat.files,
            **{link.url: each for link, each in zip(links, files, strict=True)},
        }
        thread = Thread(Channel("fake", "w", "c"), "1")
        message = Incoming(
            id=f"{number:04d}",
            thread=thread,
            person=Person("p", "Pat"),
            text=text,
            files=links,
            at=datetime(2026, 11, 1, tzinfo=UTC),
            addressing=Addressing(direct=True),
        )
        await self.chat.incoming.put(message)
        return await self.listener.next(number)

    async def sees(self, words: str) -> None:
        while words not in self._read():
            await self.chat.changed()

    def _read(self) -> str:
        notified = [say("en", sentence) for _, sentence in self.chat.notified]
        return f"{self.chat.events} {self.chat.transcript} {notified}"

    async def posts(self) -> Sequence[Post]:
        return [self._post(each) for each in self.chat.transcript]

    def _post(self, message: object) -> Post:
        if isinstance(message, Answer):
            files = tuple(
                (each.attachment.name, each.alt, self._kept[each.attachment.hash])
                for each in message.files
            )
            return Post(message.text, files)
        assert isinstance(message, Apologised)
        return Post(f"{say('en', message.reason)} {message.reference}")


@asynccontextmanager
async def fake_scene() -> AsyncIterator[FakeScene]:
    scene = FakeScene()
    async with asyncio.TaskGroup() as group:
        listening = group.create_task(scene.chat.listen(scene.listener))
        yield scene
        listening.cancel()
