"""The home folder: made for its owner only, and mended where others may read what is in it."""

import os
import re
import socket
import stat
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

import structlog

from adapters.store import find_database_files
from adapters.store.overview import PROGRAM
from bot.setting_sources import find_secret_files
from bot.settings import Settings
from pipeline.errors import SettingsError

log = structlog.get_logger()

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""The rights of the group and of everybody."""
_OURS = re.compile(r"(?:troupe|secret|console|answers|files|models|copying).*|begun|[0-9a-f]{2}")
"""The names of what we make in the home folder and in that for files."""


def open_home(settings: Settings) -> None:
    """Make the home folder, and revoke other users' access to its contents.

    What is not ours to change is named in the log. Raises SettingsError.
    """
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error
    for path in _list_data(settings):
        _close(path)
    for path in find_readable(settings):
        log.warning("others can read this", path=str(path), mend=name_mend(path))


def name_lock(settings: Settings, name: str) -> str:
    """The address of a lock of the home folder, for `exclusive`."""
    return f"sqlite:///{quote(str(settings.home / name))}"


def name_sign_of_life(settings: Settings) -> str:
    """Where in the database the program of this home folder leaves a sign of life.

    Replicas have one each: its address means something on its own machine only.
    """
    if not settings.may_have_replicas:
        return PROGRAM
    home = f"{socket.gethostname()} {settings.home.absolute()}"
    return f"{PROGRAM} {sha256(home.encode()).hexdigest()[:16]}"


def find_readable(settings: Settings) -> Sequence[Path]:
    """The folders and files with data or secrets that others can reach and have rights to."""
    home = settings.home
    data = (path for path in _list_data(settings) if _is_open(home) or home not in path.parents)
    return [path for path in (*data, *find_secret_files()) if _is_open(path)]


def name_mend(path: Path) -> str:
    """The command that takes the rights of others away."""
    return f"chmod {'700' if path.is_dir() else '600'} {path}"


def _list_data(settings: Settings) -> Sequence[Path]:
    home, database = settings.home, find_database_files(settings.database_url)
    files = settings.files_folder
    return [home, home / "secret", *([files] if files else []), *database]


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:  # not there, or not even for us
        return False


def _close(path: Path) -> None:
    """Take the rights of others away, if that is ours to do and the file system has rights."""
    with suppress(OSError):
        if _is_open(path) and _is_ours(path):
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


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
