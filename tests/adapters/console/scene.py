"""A terminal with a person in front of it."""

import asyncio
import io
import re
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from rich.console import Console

from adapters.console import ConsoleChat
from pipeline.domain import Blob, Event, FileHash, Incoming, RunId
from tests.adapters.web.records import Cupboard
from tests.contracts.chats import Post
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeLedger

_PROGRESS = re.compile(r"\d+\. |Added |The bot was stopped before")


class Paper(io.StringIO):
    """What was printed; tells when there is more."""

    def __init__(self) -> None:
        super().__init__()
        self.news = asyncio.Event()

    def write(self, text: str) -> int:
        self.news.set()
        return super().write(text)


class ConsoleScene:
    """A person types, and reads what is printed."""

    def __init__(self, folder: Path, *, terminal: bool = False) -> None:
        self.paper = Paper()
        self.folder = folder
        self.cupboard = Cupboard(folder)
        self.listener = FakeListener()
        self.keys: asyncio.Queue[str | None] = asyncio.Queue()
        console = Console(
            file=self.paper, force_terminal=terminal, width=120, highlight=False, color_system=None
        )
        self.chat = ConsoleChat(
            files=self.cupboard.files,
            folder=folder / "answers",
            ledger=FakeLedger(),
            console=console,
            lines=self._lines,
        )

    async def _lines(self) -> AsyncIterator[str]:
        while (line := await self.keys.get()) is not None:
            yield line

    async def keep(self, data: bytes) -> FileHash:
        return await self.cupboard.put(data)

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        for each in files:
            path = self.folder / each.name
            path.write_bytes(each.data)
            await self.keys.put(f"/file {path}")
        for earlier in self.listener.received[
            -1:
        ]:  # the terminal takes one message after the other
            await self.chat.follow(*earlier, _nothing())
        await self.keys.put(text)
        return await self.listener.next(len(self.listener.received) + 1)

    async def sees(self, words: str) -> None:
        while words not in self.paper.getvalue():
            self.paper.news.clear()
            await self.paper.news.wait()

    async def posts(self) -> Sequence[Post]:
        blocks = self.paper.getvalue().split("\n\n")[:-1]
        return [_post(block) for block in blocks]


def _post(block: str) -> Post:
    """An answer out of what was printed for it: words, then each file's place and what is in it."""
    words: list[str] = []
    files: list[tuple[str, str, bytes]] = []
    lines = iter(block.splitlines())
    for line in lines:
        if line.startswith("Saved "):
            path = Path(line.removeprefix("Saved "))
            files.append((path.name, next(lines).partition(" (made by")[0], path.read_bytes()))
        elif not _PROGRESS.match(line):
            words.append(line)
    return Post("\n".join(words), tuple(files))


async def _nothing() -> AsyncIterator[Event]:
    return
    yield


@asynccontextmanager
async def console_scene(*, terminal: bool = False) -> AsyncIterator[ConsoleScene]:
    with tempfile.TemporaryDirectory() as folder:
        scene = ConsoleScene(Path(folder), terminal=terminal)
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(scene.chat.listen(scene.listener))
            yield scene
            listening.cancel()
