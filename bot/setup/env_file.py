"""Writes settings into `.env`: atomically, with its rights kept and all other lines untouched."""

import io
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from pipeline.errors import SettingsError

ENV = Path(".env")
"""The file that the program reads, in the folder in which it is started."""
_NEW_RIGHTS = 0o600
_ALL_RIGHTS = 0o777
_PLAIN = re.compile(r"[\w.,:/@%+=~-]+", re.ASCII)
"""Values that need no quotation marks."""

Changes = Mapping[str, str]
"""Settings by their names in upper case, with what they are to be; "" takes one out."""


def read_env(path: Path) -> str | None:
    """The text of the file; None if there is none. Raises SettingsError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _explain(path, error) from error


def find_values(text: str, names: Sequence[str]) -> Changes:
    """What a text sets of these, as the program reads it: the last of each name, in any case."""
    values = {name: value or "" for name, value in _parse(text).items()}
    return {name: _find_value(values, name) for name in names}


def rewrite(text: str, changes: Changes) -> str:
    """The text with these settings changed in their place, or added at the end.

    Raises SettingsError for a value that would not be read back as it is.
    """
    left, pieces = dict(changes), list[str]()
    bindings = list(parse_stream(io.StringIO(text, newline="")))
    names = [(binding.key or "").upper() for binding in bindings]
    for place, (name, binding) in enumerate(zip(names, bindings, strict=True)):
        if name not in changes:
            pieces.append(binding.original.string)
        elif name not in names[place + 1 :]:  # of several, the last one counts
            before = binding.original.string
            blank = before[: len(before) - len(before.lstrip())]
            value = left.pop(name)
            pieces.append(blank + (_format(name, value) if value else ""))
    whole = "".join(pieces)
    added = "".join(_format(name, value) for name, value in left.items() if value)
    if added and whole and not whole.endswith("\n"):
        whole += "\n"
    whole += added
    if (told := find_values(whole, tuple(changes))) != dict(changes):
        wrong = [name for name in changes if told[name] != changes[name]]
        raise SettingsError("setup-unreadable-value", name=wrong[0])
    return whole


def write_env(path: Path, text: str | None) -> None:
    """Replace the file at once; None deletes it. A new one is only for its owner.

    Raises SettingsError.
    """
    try:
        target = path.resolve()
        if text is None:
            target.unlink(missing_ok=True)
            return
        handle, name = tempfile.mkstemp(prefix=".env.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                _copy_rights(target, handle)
                file.write(text)
                file.flush()
                os.fsync(handle)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _explain(path, error) from error


def _copy_rights(target: Path, handle: int) -> None:
    """Owner and rights of the file before; nobody may read more of it than could."""
    try:
        before = target.stat()
    except FileNotFoundError:
        os.fchmod(handle, _NEW_RIGHTS)
        return
    own = os.fstat(handle)
    if (before.st_uid, before.st_gid) != (own.st_uid, own.st_gid):
        os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, before.st_mode & _ALL_RIGHTS)


def _parse(text: str) -> Mapping[str, str | None]:
    return dotenv_values(stream=io.StringIO(text, newline=""))


def _find_value(values: Mapping[str, str], name: str) -> str:
    """Of the same name in several cases, lower case counts, as in `bot.setting_sources`."""
    by_case = sorted(values, key=str.islower)
    said = [values[each] for each in by_case if each.upper() == name and values[each]]
    return said[-1] if said else ""


def _format(name: str, value: str) -> str:
    if _PLAIN.fullmatch(value):
        return f"{name}={value}\n"
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"{name}='{escaped}'\n"


def _explain(path: Path, error: Exception) -> SettingsError:
    problem = error.strerror if isinstance(error, OSError) else None
    return SettingsError("setup-file-away", file=str(path), problem=problem or str(error))
