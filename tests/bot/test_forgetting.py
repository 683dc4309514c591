"""Forgetting deletes from the real store and file store, also for unfinished runs."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from adapters.files import LocalFiles
from adapters.store import open_persistence
from bot.conversation import Conversation
from bot.intake import Intake
from bot.message_files import FileReceiver
from bot.thread_log import ThreadLog
from pipeline.domain import Answer, Blob, Event, ExpertOutput, Incoming, Invocation, Link, RunId
from pipeline.ports import Job, Ledger
from tests.bot.scenes import Scene, message
from tests.fakes.chat import FakeChat
from tests.fakes.stages import ANN, ActingExpert, Bench, model, never, planning, ref, task

EMPTY_INDEX = {"words_search_config": 1, "words_search_data": 2}
"""Rows that SQLite's index of words has while it holds no word."""
OURS = {
    "alembic_version",
    "compatibility",
    "catalogue",
    "installations",
    "interactions",
}
"""Tables without personal data."""


@dataclass
class LedgerChat(FakeChat):
    """Records posts in the ledger, as real platforms do."""

    ledger: Ledger | None = None

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        assert self.ledger is not None
        await self.ledger.begin(f"{run}:answer:0")
        await FakeChat.follow(self, message, run, events)
        await self.ledger.done(f"{run}:answer:0", "1")


class House:
    """A conversation on a real store. Its expert makes one picture, then never finishes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.idle = 0
        self.second = asyncio.Event()
        self.chat = LedgerChat(files={"u:1": Blob(b"sent", "image/png")})
        paint = task(0, "text-to-image", text="a cat")
        caption = task(1, "image-to-text", image=ref(0, "image"))
        self.bench = Bench(
            planners=[planning(paint, caption)],
            experts=[ActingExpert(self._act)],
            models=[model("painter", "text-to-image"), model("captioner", "image-to-text")],
        )

    async def _act(self, job: Job) -> ExpertOutput:
        if job.kind.name == "text-to-image":
            return ExpertOutput({"image": Blob(b"made", "image/png")})
        self.second.set()
        await never()
        raise AssertionError

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[Conversation]:
        files = LocalFiles(self.folder / "files")
        async with open_persistence(f"sqlite:///{self.folder / 'troupe.db'}") as lasting:
            self.chat.ledger = lasting.ledger
            conversation, runner = Scene(self.bench, chat=self.chat).parts()
            inbox = lasting.inbox
            tools = replace(runner.context.tools, files=files, journal=lasting.journal)
            context = replace(runner.context, store=lasting.store, inbox=inbox, tools=tools)
            receiver = FileReceiver(files, self.bench.media, max_bytes=1000)
            thread_log = ThreadLog(
                store=lasting.store, receiver=receiver, max_text=500, turns=20, tail=10
            )
            intake = Intake(lasting.store, thread_log, receiver)
            talk = replace(conversation, context=context, intake=intake)
            runner = replace(runner, context=context, intake=intake, listener=talk)
            async with asyncio.TaskGroup() as group:
                serving = group.create_task(runner.serve())
                await asyncio.sleep(0)
                self.idle = len(asyncio.all_tasks())
                yield talk
                serving.cancel()

    async def settled(self) -> None:
        """Wait until only the tasks that wait for messages are left."""
        while len(asyncio.all_tasks()) > self.idle:  # noqa: ASYNC110 - nothing reports it
            await asyncio.sleep(0)

    def left(self) -> dict[str, int]:
        """The number of rows by table, and of files."""
        with closing(sqlite3.connect(self.folder / "troupe.db")) as database:
            names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            counts = {
                name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for (name,) in names.fetchall()
                if name not in OURS
            }
        counts["files"] = len(list((self.folder / "files").glob("??/??/*")))
        return {name: count for name, count in counts.items() if count != EMPTY_INDEX.get(name, 0)}


SENT = message("my secret", files=[Link("u:1", "cat.png")])


@pytest.mark.parametrize("what", ["me", "thread", "channel"])
async def test_what_was_under_way_leaves_nothing(tmp_path: Path, what: str) -> None:
    house = House(tmp_path)

    async with house.at_work() as conversation:
        await conversation.on_message(SENT)
        await house.second.wait()
        boss = replace(ANN, roles=frozenset({"admin"}))
        forget = Invocation(
            id="i", command="forget", args={"what": what}, person=boss, thread=SENT.thread
        )
        await conversation.on_command(forget)
        await house.settled()

    assert house.left() == {}


@pytest.mark.parametrize("what", ["me", "thread"])
async def test_a_message_that_says_so_leaves_nothing_either(tmp_path: Path, what: str) -> None:
    house = House(tmp_path)

    async with house.at_work() as conversation:
        await conversation.on_message(SENT)
        await house.second.wait()
        await conversation.on_message(message(f"forget {what}", id="002"))
        await house.settled()

    assert house.left() == {}


async def test_a_deleted_message_leaves_nothing(tmp_path: Path) -> None:
    house = House(tmp_path)

    async with house.at_work() as conversation:
        await conversation.on_message(SENT)
        await house.second.wait()
        await conversation.on_delete(SENT.thread, SENT.id)
        await house.settled()

    assert house.left() == {}
    assert [isinstance(end, Answer) and end.is_silent for end in house.chat.transcript] == [True]
