"""`troupe backup` and `troupe restore`: the database, the files and the secret in one tar file."""

import asyncio
import json
import os
import re
import shutil
import sys
import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

import typer

from adapters.files import LocalFiles
from adapters.store import (
    check_copy,
    copy_database,
    exclusive,
    find_database_files,
    has_conversations,
    put_back,
)
from bot import VERSION
from bot.home import name_lock, open_home
from bot.secret import was_renewed
from bot.settings import Settings
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError
from pipeline.words import say

_DATABASE, _SECRET, _FILES, _END = "troupe.db", "secret", "files", "troupe-backup.json"
_MEMBER = re.compile(
    rf"{re.escape(_DATABASE)}|{_SECRET}|{re.escape(_END)}|{_FILES}/(?P<hash>[0-9a-f]{{64}})"
)
_FORMAT = 1
_PIECE = 1 << 20
_STREAM = "-"


async def back_up(settings: Settings, target: str) -> None:
    """Write a backup to a file, or to standard output for "-". Raises SettingsError.

    Troupe may run meanwhile: the database is copied first, so that no file that it refers to is
    missing. One on a server is left out.
    """
    open_home(settings)
    database = next(iter(find_database_files(settings.database_url)), None)
    if database and not database.exists():
        raise SettingsError("backup-nothing", file=str(database))
    async with _open_folder(settings) as folder:
        if database:
            await copy_database(settings.database_url, folder / _DATABASE)
        count = await asyncio.to_thread(_write, settings, folder / _DATABASE, target)
    _report("backup-done" if database else "backup-done-files", file=target, files=count)


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
        folder = await stack.enter_async_context(_open_folder(settings))
        if own and not replace and await has_conversations(url):
            raise SettingsError("restore-not-empty")
        await asyncio.to_thread(_unpack, source, folder)
        if own and not (folder / _DATABASE).exists():
            raise SettingsError("restore-no-database")
        if own:
            await check_copy(folder / _DATABASE)
        count = await _put_back_files(settings, folder)
        if own:
            await put_back(url, folder / _DATABASE)
    _report("restore-done" if own else "restore-done-files", file=source, files=count)


def _report(sentence: str, **args: str | int) -> None:
    typer.echo(say("en", LocalizedText(sentence, args)), err=True)


@asynccontextmanager
async def _open_folder(settings: Settings) -> AsyncIterator[Path]:
    """An empty folder in the home folder, for one backup or restore at a time."""
    folder = settings.home / "copying"
    async with exclusive(name_lock(settings, folder.name)):
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


# --- the archive ---


def _write(settings: Settings, database: Path, target: str) -> int:
    """Write the archive; returns the number of files. A killed backup leaves only FILE.part."""
    count = 0
    try:
        with _open_target(target) as out, tarfile.open(fileobj=out, mode="w|") as archive:
            for path in (database, settings.home / _SECRET):
                if path.exists():
                    archive.add(path, path.name, filter=_make_plain)
            for path in LocalFiles(settings.files_folder).list_paths():
                count += _add(archive, path)
            end = settings.home / "copying" / _END
            end.write_text(json.dumps({"format": _FORMAT, "version": VERSION, "files": count}))
            archive.add(end, _END, filter=_make_plain)
    except OSError as error:
        raise SettingsError("backup-unwritable", file=target, problem=str(error)) from error
    return count


def _add(archive: tarfile.TarFile, path: Path) -> bool:
    """Add a file, unless it was forgotten meanwhile."""
    try:
        archive.add(path, f"{_FILES}/{path.name}", filter=_make_plain)
    except FileNotFoundError:
        return False
    return True


def _make_plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o600
    return member


@contextmanager
def _open_target(target: str) -> Iterator[IO[bytes]]:
    """A file that appears under its name once it is whole, for its owner only."""
    if target == _STREAM:
        yield sys.stdout.buffer
        return
    part = Path(f"{target}.part")
    part.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _unpack(source: str, folder: Path) -> None:
    """Unpack an archive under names of our own, and check it. Raises SettingsError."""
    (folder / _FILES).mkdir()
    try:
        with _open_source(source) as archive:
            count = sum(_unpack_member(archive, member, folder) for member in archive)
        _check_end(folder / _END, count)
    except OSError as error:
        raise SettingsError("backup-unreadable", file=source, problem=str(error)) from error
    except (AttributeError, ValueError, EOFError, tarfile.TarError) as error:
        raise SettingsError("backup-wrong", file=source) from error


def _check_end(end: Path, count: int) -> None:
    """Raises ValueError if the archive is cut off, or in a format that is not known here."""
    found = json.loads(end.read_bytes()) if end.exists() else {}
    if (found.get("format"), found.get("files")) != (_FORMAT, count):
        raise ValueError(found)


def _unpack_member(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> bool:
    """Returns whether it is one of the files. Raises ValueError if it is not what its name says."""
    name, content = _MEMBER.fullmatch(member.name), archive.extractfile(member)
    if name is None or content is None:
        raise ValueError(member.name)
    digest = sha256()
    descriptor = os.open(folder / name[0], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while piece := content.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    if name["hash"] not in (None, digest.hexdigest()):
        raise ValueError(member.name)
    return name["hash"] is not None


@contextmanager
def _open_source(source: str) -> Iterator[tarfile.TarFile]:
    if source == _STREAM:
        with tarfile.open(fileobj=sys.stdin.buffer, mode="r|") as archive:
            yield archive
    else:
        with tarfile.open(source, mode="r|") as archive:
            yield archive


async def _put_back_files(settings: Settings, folder: Path) -> int:
    """Put the files and the secret where they belong; returns the number of files."""
    files, paths = LocalFiles(settings.files_folder), [*(folder / _FILES).iterdir()]
    await files.prepare()
    for path in paths:
        await files.put(await asyncio.to_thread(path.read_bytes))
    own = settings.home / _SECRET
    if (folder / _SECRET).exists() and not was_renewed(own):  # who was signed out stays out
        (folder / _SECRET).replace(own)
    return len(paths)
