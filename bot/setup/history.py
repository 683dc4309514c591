"""What the set-up has changed in `.env`, so that it can be undone, also after a restart.

It holds what was there before, so secrets, too: only its owner may read it.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.setup.env_file import Changes, find_values, read_env, rewrite, write_env
from pipeline.errors import SettingsError

_FILE = "troupe-setup.json"
"""In the home folder."""
_MOST = 10
"""Changes that can be undone, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvChange:
    """One change of `.env`. `values` are those of before, "" for none; `before` the whole text."""

    at: str
    step: str
    values: Changes
    before: str | None
    after: str
    """A hash of the text that was written."""


class SettingsHistory:
    """`.env`, and the changes that the set-up has made of it."""

    def __init__(self, home: Path, env: Path) -> None:
        self.env = env
        self._file = home / _FILE

    def change(self, step: str, changes: Changes) -> Sequence[str]:
        """Change settings; what was there before is kept first. Raises SettingsError.

        Returns the names of those that are now others.
        """
        before = read_env(self.env)
        was = find_values(before or "", tuple(changes))
        changes = {name: value for name, value in changes.items() if value != was[name]}
        if not changes:
            return ()
        after = rewrite(before or "", changes)
        change = EnvChange(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            step=step,
            values={name: was[name] for name in changes},
            before=before,
            after=_hash(after),
        )
        known = self._read()
        self._write([*known, change][-_MOST:])
        try:
            write_env(self.env, after)
        except SettingsError:
            self._write(known)
            raise
        return tuple(changes)

    @property
    def last(self) -> EnvChange | None:
        """The change that can be undone next, if there is one."""
        return next(reversed(self._read()), None)

    def undo(self) -> EnvChange | None:
        """Take the last change back; None if there is none. Raises SettingsError.

        A file that was edited since keeps its other lines; else all is put back as it was.
        """
        known = self._read()
        if not known:
            return None
        change, text = known[-1], read_env(self.env)
        is_ours = text is not None and _hash(text) == change.after
        write_env(self.env, change.before if is_ours else rewrite(text or "", change.values))
        self._write(known[:-1])
        return change

    def _read(self) -> Sequence[EnvChange]:
        try:
            return [EnvChange(**row) for row in json.loads(self._file.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError):  # none yet, or of another version
            return []

    def _write(self, changes: Sequence[EnvChange]) -> None:
        temporary = self._file.with_suffix(".new")
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.unlink(missing_ok=True)
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump([asdict(change) for change in changes], file)
            temporary.replace(self._file)
        except OSError as error:
            folder, problem = str(self._file.parent), error.strerror or str(error)
            raise SettingsError("home-unwritable", folder=folder, problem=problem) from error


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
