"""`troupe files move`: copy all files to another place, however often it is interrupted."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import typer

from adapters.files import FilesPlace, FileStore, name_place, open_files
from bot.home import open_home
from bot.settings import Settings
from pipeline.background import run_beside
from pipeline.domain import FileHash, LocalizedText
from pipeline.errors import SettingsError
from pipeline.outage import Outage
from pipeline.words import say

_AT_ONCE = 4
"""Files that are copied side by side."""
_TELL_EVERY = 5.0
"""Seconds between two lines on how far it is."""
_LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Move:
    """What was done so far. Files that are copied are read back and compared with their hashes."""

    source: FileStore
    target: FileStore
    deletes: bool = False
    copied: int = 0
    copied_bytes: int = 0
    there: int = 0
    gone: int = 0
    """Files that were forgotten meanwhile."""
    damaged: list[FileHash] = field(default_factory=list)
    """Files whose bytes, at the source, are not what their names say."""
    waiting: deque[FileHash] = field(default_factory=deque)

    async def run(self) -> None:
        """Copy what is not there yet, a few files at a time."""
        names = await self.source.hashes(older_than=_LATEST)
        there = await self.target.hashes(older_than=_LATEST)
        self.there = len(names & there)
        self.waiting.extend(sorted(names if self.deletes else names - there))
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(self._work(there))

    async def _work(self, there: frozenset[FileHash]) -> None:
        while self.waiting:
            name = self.waiting.popleft()
            try:
                if name not in there and not await self._copy(name):
                    continue
            except KeyError:
                self.gone += 1
                continue
            if self.deletes and await _is_whole(self.target, name):
                await self.source.discard([name])

    async def _copy(self, name: FileHash) -> bool:
        """Copy a file; False if it is damaged. Raises KeyError if it is gone."""
        if not await _is_whole(self.source, name):
            self.damaged.append(name)
            return False
        await self.target.put_stream(partial(self.source.stream, name))
        if not await _is_whole(self.target, name):
            raise SettingsError("files-move-broken", file=name)
        self.copied += 1
        self.copied_bytes += await self.target.size(name)
        return True


async def move_files(settings: Settings, source: str, target: str, *, delete: bool = False) -> int:
    """Copy all files, and say how far it is. Returns 1 if something could not be copied.

    `source` and `target` are addresses as in TROUPE_FILES_URL; "" are those of the settings. A
    program may run meanwhile. `delete`: delete at the source what is whole at the target. Raises
    SettingsError.
    """
    open_home(settings)
    old, new = _find_places(settings, source, target)
    if old == new:
        raise SettingsError("files-move-where", place=name_place(old))
    if isinstance(old, Path) and not await asyncio.to_thread(old.is_dir):
        raise SettingsError("files-move-nothing", place=name_place(old))
    if delete and old == settings.files_place:
        raise SettingsError("files-move-in-use", place=name_place(old))
    outage = Outage()
    async with (
        open_files(old, outage, is_ours=False) as before,
        open_files(new, outage) as after,
    ):
        move = Move(before, after, deletes=delete)
        async with run_beside(_tell(move)):
            await move.run()
        left = await before.hashes(older_than=_LATEST) - await after.hashes(older_than=_LATEST)
    places = {"source": name_place(old), "target": name_place(new)}
    done = {"copied": move.copied, "megabytes": round(move.copied_bytes / 1e6), "there": move.there}
    _report("files-moved", **places, **done, gone=move.gone, left=len(left))
    for name in move.damaged:
        _report("files-move-damaged", file=name, source=places["source"])
    if not left and new != settings.files_place:
        _report("files-move-next", target=places["target"], source=places["source"])
    return int(bool(left))


def _find_places(settings: Settings, source: str, target: str) -> tuple[FilesPlace, FilesPlace]:
    """Where from and where to. Raises SettingsError."""
    try:
        new = settings.find_files_place(target or settings.troupe_files_url)
        if source or settings.troupe_files_old_url:
            return settings.find_files_place(source or settings.troupe_files_old_url), new
    except ValueError as error:
        raise SettingsError("files-move-where", place=source or target) from error
    return settings.files_place, new


async def _is_whole(files: FileStore, name: FileHash) -> bool:
    digest = sha256()
    async for piece in files.stream(name):
        digest.update(piece)
    return digest.hexdigest() == name


async def _tell(move: Move) -> None:
    while True:
        await asyncio.sleep(_TELL_EVERY)
        megabytes, left = round(move.copied_bytes / 1e6), len(move.waiting)
        _report("files-moving", copied=move.copied, megabytes=megabytes, left=left)


def _report(sentence: str, **args: str | int) -> None:
    typer.echo(say("en", LocalizedText(sentence, args)), err=True)
