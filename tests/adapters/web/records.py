"""A store as small as the web adapter needs it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pipeline.domain import Context, FileHash, Run, RunId, Thread, Turn
from pipeline.ports import Files, Store


@dataclass
class Records:
    """Runs and turns of threads."""

    kept: list[tuple[Thread, Run]] = field(default_factory=list)
    turns: list[tuple[Thread, Turn]] = field(default_factory=list)
    told: dict[RunId, list[str]] = field(default_factory=dict)

    async def load(self, run: RunId) -> Run | None:
        return next((each for _, each in self.kept if each.id == run), None)

    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        found = [run for where, run in self.kept if where == thread]
        return found[::-1][:limit]

    async def events(self, run: RunId) -> Sequence[str]:
        return self.told.get(run, [])

    async def events_of(self, runs: Sequence[RunId]) -> dict[RunId, Sequence[str]]:
        return {run: self.told.get(run, []) for run in runs}

    async def context(self, thread: Thread, *, before: str = "", turns: int, tail: int) -> Context:
        return Context(tuple(turn for where, turn in self.turns if where == thread)[-turns:])

    @property
    def store(self) -> Store:
        return cast("Store", self)


@dataclass
class Cupboard:
    """Files in a folder."""

    folder: Path

    async def put(self, data: bytes) -> FileHash:
        key = FileHash(hashlib.sha256(data).hexdigest())
        self.path(key).write_bytes(data)
        return key

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's
        try:
            return self.path(hash).read_bytes()
        except FileNotFoundError as error:
            raise KeyError(hash) from error

    def path(self, key: str) -> Path:
        return self.folder / key

    @property
    def files(self) -> Files:
        return cast("Files", self)
