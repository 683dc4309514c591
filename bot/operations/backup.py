"""`troupe backup` and `troupe restore`: the database, the files and the secret in one tar file."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import typer

from adapters.files import LocalFiles, open_files
from adapters.store import (
    check_copy,
    copy_database,
    exclusive,
    find_database_files,
    has_conversations,
    put_back,
)
from bot.home import name_lock, open_home
from bot.operations.archive import DATABASE, FILES, SECRET, unpack_archive, write_archive
from bot.secret import was_renewed
from bot.settings import Settings
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError
from pipeline.outage import Outage
from pipeline.words import say

_PIECE = 1 << 18
"""Bytes of a file that are read at once."""


async def back_up(settings: Settings, target: str) -> None:
    """Write a backup to a file, or to standard output for "-". Raises SettingsError.

    Troupe may run meanwhile: the database is copied first, so that no file that it refers to is
    missing. One on a server is left out, and so are files in a bucket.
    """
    open_home(settings)
    database = next(iter(find_database_files(settings.database_url)), None)
    if database and not database.exists():
        raise SettingsError("backup-nothing", file=str(database))
    async with open_work_folder(settings) as folder:
        if database:
            await copy_database(settings.database_url, folder / DATABASE)
        own = (folder / DATABASE, settings.home / SECRET)
        kept = settings.files_folder
        files = LocalFiles(kept).list_paths() if kept else ()
        count = await asyncio.to_thread(write_archive, target, own, files, folder)
    _report("backup-done" if database else "backup-done-files", file=target, files=count)
    if not kept:
        _report("backup-bucket", bucket=settings.files_address)


async def restore(settings: Settings, source: str, *, replace: bool) -> None:
    """Put a backup back, from a file or from standard input for "-". Raises SettingsError.

    Refused while a program runs, and without `replace` where there are conversations. Everything
    is unpacked and checked before anything changes; the database is replaced last, at once.
    """
    open_home(settings)
    url = settings.database_url
    own = next(iter(find_database_files(url)), None)
    if own:
        own.parent.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        for lock in (url, name_lock(settings, "console")):
            await stack.enter_async_context(exclusive(lock))
        folder = await stack.enter_async_context(open_work_folder(settings))
        if own and not replace and await has_conversations(url):
            raise SettingsError("restore-not-empty")
        await asyncio.to_thread(unpack_archive, source, folder)
        if own and not (folder / DATABASE).exists():
            raise SettingsError("restore-no-database")
        if own:
            await check_copy(folder / DATABASE)
        count = await _put_back_files(settings, folder)
        if own:
            await put_back(url, folder / DATABASE)
    _report("restore-done" if own else "restore-done-files", file=source, files=count)


async def _read_pieces(path: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while piece := await asyncio.to_thread(file.read, _PIECE):
            yield piece


def _report(sentence: str, **args: str | int) -> None:
    typer.echo(say("en", LocalizedText(sentence, args)), err=True)


@asynccontextmanager
async def open_work_folder(settings: Settings) -> AsyncIterator[Path]:
    """An empty folder in the home folder, for one backup, restore or copy at a time."""
    folder = settings.home / "copying"
    async with exclusive(name_lock(settings, folder.name)):
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _put_back_files(settings: Settings, folder: Path) -> int:
    """Put the files and the secret where they belong; returns the number of files."""
    paths = [*(folder / FILES).iterdir()]
    async with open_files(settings.files_place, Outage()) as files:
        for path in paths:
            await files.put_stream(partial(_read_pieces, path))
    own = settings.home / SECRET
    if (folder / SECRET).exists() and not was_renewed(own):  # who was signed out stays out
        (folder / SECRET).replace(own)
    return len(paths)
