"""The home folder: made for its owner only, and mended where others may read what is in it."""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import structlog

from adapters.store import find_database_files
from bot.settings import Settings, find_secret_files
from pipeline.errors import SettingsError

log = structlog.get_logger()

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OURS = re.compile(r"(?:troupe|secret|console|answers|files|models|copying).*|begun|[0-9a-f]{2}")
"""The names of what we make in the home folder and in that for files."""


def open_home(settings: Settings) -> None:
    """Make the home folder, and take the rights of others to what is in it away.

    What is not ours to change is named in the log. Raises SettingsError.
    """
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error
    for path in find_readable(settings):
        if path in find_secret_files() or not _close(path):
            log.warning("others can read this", path=str(path), mend=name_mend(path))


def name_lock(settings: Settings, name: str) -> str:
    """The address of a lock of the home folder, for `exclusive`."""
    return f"sqlite:///{quote(str(settings.home / name))}"


def find_readable(settings: Settings) -> Sequence[Path]:
    """The folders and files with data or secrets to which others have rights."""
    return [path for path in _list_private(settings) if _is_open(path)]


def name_mend(path: Path) -> str:
    """The command that takes the rights of others away."""
    return f"chmod {'700' if path.is_dir() else '600'} {path}"


def _list_private(settings: Settings) -> Iterator[Path]:
    """In a closed home folder nobody else reaches anything, whatever its own rights are."""
    home = settings.home
    yield home
    for path in (
        home / "secret",
        settings.files_folder,
        *find_database_files(settings.database_url),
    ):
        if _is_open(home) or not path.is_relative_to(home):
            yield path
    yield from find_secret_files()


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:  # not there, or not even for us
        return False


def _close(path: Path) -> bool:
    """Take the rights of others away. False if that is not possible, or not ours to do."""
    try:
        if not _is_ours(path):
            return False
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)
    except OSError:
        return False
    return not _is_open(path)  # some file systems have no rights


def _is_ours(path: Path) -> bool:
    """Whether nobody else uses a file or folder.

    TROUPE_HOME may name any folder: one that holds something of another user, or that is shared by
    design, such as /tmp, is left as it is, and as root every folder that holds more than ours.
    """
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & stat.S_ISVTX:
        return False
    entries = [*os.scandir(path)] if path.is_dir() else []
    are_own = all(entry.stat(follow_symlinks=False).st_uid == status.st_uid for entry in entries)
    return are_own and (status.st_uid != 0 or all(_OURS.fullmatch(each.name) for each in entries))
