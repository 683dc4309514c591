"""The tar file of a backup: written as a stream, unpacked and checked before anything counts."""

import json
import os
import re
import sys
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

from bot import VERSION
from pipeline.errors import SettingsError

DATABASE = "troupe.db"
SECRET = "secret"  # noqa: S105 - the name of a file
FILES = "files"
"""The folder with the files of the file store, each under its hash."""
_END = "troupe-backup.json"
"""The last member: an archive without it is cut off."""
_MEMBER = re.compile(
    rf"{re.escape(DATABASE)}|{SECRET}|{re.escape(_END)}|{FILES}/(?P<hash>[0-9a-f]{{64}})"
)
_FORMAT = 1
"""Changes when an older program could not read the archive."""
_PIECE = 1 << 20
"""Bytes that are unpacked at once."""
_STREAM = "-"
"""Stands for standard input or output."""


def write_archive(target: str, own: Iterable[Path], files: Iterable[Path], folder: Path) -> int:
    """Write an archive to a file, or to standard output for "-"; returns the number of files.

    `own` are the database and the secret, which may be missing; `files` are those of the file
    store, which may vanish meanwhile. `folder` is for what is written on the way. A killed backup
    leaves only FILE.part. Raises SettingsError.
    """
    count = 0
    try:
        with _open_target(target) as out, tarfile.open(fileobj=out, mode="w|") as archive:
            for path in filter(Path.exists, own):
                archive.add(path, path.name, filter=_make_plain)
            for path in files:
                count += _add(archive, path)
            end = folder / _END
            end.write_text(json.dumps({"format": _FORMAT, "version": VERSION, "files": count}))
            archive.add(end, _END, filter=_make_plain)
    except OSError as error:
        raise SettingsError("backup-unwritable", file=target, problem=str(error)) from error
    return count


def _add(archive: tarfile.TarFile, path: Path) -> bool:
    """Add a file, unless it was forgotten meanwhile."""
    try:
        archive.add(path, f"{FILES}/{path.name}", filter=_make_plain)
    except FileNotFoundError:
        return False
    return True


def _make_plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member that says nothing about this machine's users."""
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


def unpack_archive(source: str, folder: Path) -> None:
    """Unpack an archive into a folder, and check it: "-" is standard input. Raises SettingsError.

    The folder then has `DATABASE` and `SECRET`, if the archive has them, and the folder `FILES`.
    """
    (folder / FILES).mkdir()
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
