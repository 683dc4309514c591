"""A store and an inbox as small as the web adapter needs them."""

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from pipeline.domain import (
    Action,
    Branches,
    Exchange,
    FileHash,
    Incoming,
    Run,
    RunId,
    SentPrompt,
    Thread,
    Turn,
    connect,
)
from pipeline.errors import RequestError
from pipeline.ports import (
    Files,
    HistoryPosition,
    Inbox,
    ListedThread,
    QueuedMessage,
    ReadPieces,
    Store,
)
from tests.fakes.store import FakeStore


@dataclass
class Records:
    """Runs and turns of threads; the messages that were taken stand in `received`.

    `shown`: the files that a person may have; "" stands for everybody. `known`: who was here.
    `linked`: the files of runs that were not forgotten. `waiting`: the runs that are not over;
    the first of them has begun.
    """

    received: Sequence[tuple[Incoming, RunId]] = ()
    kept: list[tuple[Thread, Run]] = field(default_factory=list)
    turns: list[tuple[Thread, Turn]] = field(default_factory=list)
    told: dict[RunId, list[str]] = field(default_factory=dict)
    shown: set[tuple[str, FileHash]] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    leaves: dict[Thread, str] = field(default_factory=dict)
    linked: set[tuple[RunId, FileHash]] = field(default_factory=set)
    waiting: list[RunId] = field(default_factory=list)
    votes: dict[tuple[RunId, str], Action] = field(default_factory=dict)
    """By run and person."""

    history: FakeStore = field(default_factory=FakeStore)
    """The conversations that are listed, and the runs of all platforms for the owner."""
    _logged: int = 0

    async def list_threads(
        self,
        workspace: str,
        *,
        query: str = "",
        before: HistoryPosition | None = None,
        limit: int,
    ) -> Sequence[ListedThread]:
        await self._log_received()
        found = await self.history.list_threads(workspace, query=query, before=before, limit=limit)
        return [self._count_runs(each) for each in found]

    async def find_votes(self, runs: Sequence[RunId], person: str) -> Mapping[RunId, Action]:
        votes = {run: self.votes.get((run, person)) for run in runs}
        return {run: vote for run, vote in votes.items() if vote}

    async def find_thread(self, thread: Thread) -> ListedThread | None:
        await self._log_received()
        listed = await self.history.find_thread(thread)
        return listed and self._count_runs(listed)

    def _count_runs(self, listed: ListedThread) -> ListedThread:
        runs = (run for message, run in self.received if message.thread == listed.thread)
        return replace(listed, waiting=tuple(runs))

    async def change_thread(
        self, thread: Thread, *, title: str | None = None, pinned: bool | None = None
    ) -> None:
        await self.history.change_thread(thread, title=title, pinned=pinned)

    async def _log_received(self) -> None:
        """The messages that were taken are turns, as they are in the program."""
        for message, run in self.received[self._logged :]:
            turn = Turn(
                key=message.key,
                person=message.person,
                text=message.text,
                files=(),
                at=message.at,
            )
            await self.history.log(message.thread, turn, run=run)
        self._logged = len(self.received)

    async def message(self, run: RunId) -> Incoming | None:
        threads = {record.id: thread for thread, record in self.kept}
        for message, known in self.received:
            if run in (known, *threads):
                return replace(message, thread=threads.get(run, message.thread))
        return None

    async def of(self, message: str) -> Sequence[QueuedMessage]:
        return [
            QueuedMessage(run, known, 1, known.at)
            for known, run in self.received
            if known.key == message
        ]

    async def list_waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        return self.waiting

    async def list_backlog(self, thread: Thread | None = None) -> Sequence[QueuedMessage]:
        return [
            QueuedMessage(run, message, 0, message.at)
            for message, run in self.received
            if run in self.waiting[1:] and thread in (None, message.thread)
        ]

    async def is_shown_file(self, workspace: str, file: FileHash) -> bool:
        sent = {
            (f"web:{message.thread.channel.workspace}", link.url.removeprefix("file:"))
            for message, _ in self.received
            for link in message.files
        }
        return bool({(workspace, file), ("", file)} & (self.shown | sent))

    async def is_file_of(self, run: RunId, file: FileHash) -> bool:
        return (run, file) in self.linked

    async def is_known(self, workspace: str) -> bool:
        return workspace.removeprefix("web:") in self.known

    async def load(self, run: RunId) -> Run | None:
        return next((each for _, each in self.kept if each.id == run), None)

    async def load_all(self, runs: Sequence[RunId]) -> Sequence[Run]:
        return [run for _, run in self.kept if run.id in runs]

    async def branches(self, thread: Thread) -> Branches:
        kept = [run for where, run in self.kept if where == thread]
        old = [
            Exchange(run=run.id, message=run.message or run.id, is_answered=True) for run in kept
        ]
        taken = [
            Exchange(run=run, message=message.key, after=message.after, is_open=True)
            for message, run in self.received
            if message.thread == thread and run not in {each.id for each in kept}
        ]
        return connect((*old, *taken), self.leaves.get(thread, ""))

    async def open_at(self, thread: Thread, leaf: str) -> None:
        self.leaves[thread] = leaf

    async def find_turns(self, keys: Sequence[str]) -> Sequence[Turn]:
        return [turn for _, turn in self.turns if turn.key in keys]

    async def events(self, *runs: RunId) -> dict[RunId, Sequence[str]]:
        kept = await self.history.events(*runs)
        return {run: self.told.get(run) or kept[run] for run in runs}

    async def prompts(self, run: RunId) -> Sequence[SentPrompt]:
        return await self.history.prompts(run)

    @property
    def store(self) -> Store:
        return cast("Store", self)

    @property
    def inbox(self) -> Inbox:
        return cast("Inbox", self)


@dataclass
class Cupboard:
    """Files in a folder."""

    folder: Path
    is_full: bool = False
    is_far: bool = False
    """Whether its folder is to be taken for one that cannot be reached directly."""
    signs: str = ""
    """The address of a store that signs links."""

    async def put(self, data: bytes) -> FileHash:
        if self.is_full:
            raise RequestError("store-full")
        key = FileHash(hashlib.sha256(data).hexdigest())
        self.path(key).write_bytes(data)
        return key

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's
        try:
            return self.path(hash).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(hash) from error

    async def put_stream(self, read: ReadPieces) -> FileHash:
        return await self.put(b"".join([piece async for piece in read()]))

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - the port's
        return len(await self.get(hash))

    async def stream(
        self,
        hash: FileHash,  # noqa: A002 - the port's
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        yield (await self.get(hash))[offset : None if length is None else offset + length]

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002
        return f"{self.signs}/{hash}?{media_type}&{disposition}" if self.signs else ""

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002 - the port's
        return None if self.is_far else self.path(hash)

    def path(self, key: str) -> Path:
        return self.folder / key

    @property
    def files(self) -> Files:
        return cast("Files", self)
