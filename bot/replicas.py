"""The other programs at work on the same database: checked at the start, known ever after."""

import asyncio
import hmac
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import time

import structlog

from adapters.store.opening import Persistence
from adapters.store.programs import ALIVE_SECONDS, Program
from bot import VERSION
from bot.secret import find_secret
from bot.settings import Settings
from pipeline.background import run_beside
from pipeline.errors import SettingsError, TroupeError
from pipeline.ports import RENEWALS, Topic

log = structlog.get_logger()

_RENEW_EVERY = ALIVE_SECONDS / RENEWALS
"""Seconds between two signs of life."""
_LOOK_EVERY = 1.0
"""Seconds between two looks whether a program that differs is alive."""
_MOST_AHEAD = 10.0
"""Seconds by which our clock may differ from the database's."""
_MARKER = "troupe-folder"
"""A file in the folder for files, by which programs know that they have the same one."""
_SECRET, _FILES = "TROUPE_SECRET", "TROUPE_FILES_URL"
_OF_DELETING = ("troupe_retention_days", "troupe_listen")
"""Any program deletes for all of them."""
_OF_PAGES = ("troupe_web_token", "troupe_owner_token", "troupe_public_url", "troupe_sharing")
_OF_SLACK = ("slack_bot_token", "slack_client_id", "slack_signing_secret", "slack_mode")


@dataclass(slots=True, kw_only=True)
class Replicas:
    """Which programs are at work on the database; with SQLite only one can be."""

    settings: Settings
    persistence: Persistence
    others: Sequence[Program] = ()
    """The others at work now, known a moment after they started or some seconds after they died."""
    clock: Callable[[], float] = time
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def id(self) -> str:
        """The id of this program."""
        return self.persistence.program

    def are_there(self) -> bool:
        """Whether other programs are at work."""
        return bool(self.others)

    @asynccontextmanager
    async def take_part(self) -> AsyncIterator[None]:
        """Be one of the programs at work while the context is open.

        Raises SettingsError if another one has other keys or files, or if our clock is off; then
        nothing is left of this start.
        """
        if not self.settings.may_have_replicas:
            yield
            return
        await self._check_clock()
        with ExitStack() as undo:
            program = Program(
                id=self.id,
                host=socket.gethostname(),
                version=VERSION,
                traits=await asyncio.to_thread(read_traits, self.settings, undo),
                started=datetime.now(UTC),
                seen=datetime.now(UTC),
            )
            await self._join(program)
            undo.pop_all()
        notifications = self.persistence.notifications
        with notifications.subscribe(Topic.PROGRAMS, lambda _: self._news.set()):
            async with run_beside(self._keep_alive(program)):
                await notifications.publish(Topic.PROGRAMS)
                try:
                    yield
                finally:
                    await self._leave()

    async def _check_clock(self) -> None:
        began = self.clock()
        there = await self.persistence.programs.read_clock()
        ended = self.clock()
        ahead = began - there if there < began else min(0.0, ended - there)
        if abs(ahead) > _MOST_AHEAD:
            raise SettingsError("replica-clock", seconds=round(abs(ahead)))

    async def _join(self, program: Program) -> None:
        """Wait for one that differs to be gone, if it may have died without a word."""
        first_seen = dict[str, datetime]()

        def check(others: Sequence[Program]) -> None:
            for other in others:
                if differing := compare_traits(program.traits, other.traits):
                    known = first_seen.setdefault(other.id, other.seen)
                    raise _Differs(other, differing, is_alive=other.seen > known)

        while True:
            try:
                await self.persistence.programs.join(program, check)
            except _Differs as error:
                if error.is_alive:
                    raise error.explain() from None
            else:
                return
            await asyncio.sleep(_LOOK_EVERY)

    async def _keep_alive(self, program: Program) -> None:
        """Give signs of life, and see who else does, until cancelled."""
        while True:
            try:
                self.others = await self.persistence.programs.renew(program)
            except TroupeError as error:
                log.warning("other programs not known", why=str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(_RENEW_EVERY):
                    await self._news.wait()
            self._news.clear()

    async def _leave(self) -> None:
        """Say that we are gone, unless the database is."""
        with suppress(TimeoutError, TroupeError):
            async with asyncio.timeout(1.0):
                await self.persistence.programs.leave(self.id)
                await self.persistence.notifications.publish(Topic.PROGRAMS)


class _Differs(Exception):
    """Another program has other settings. `is_alive`: it gave a sign of life meanwhile."""

    def __init__(self, other: Program, names: Sequence[str], *, is_alive: bool) -> None:
        super().__init__(names)
        self.other, self.names, self.is_alive = other, names, is_alive

    def explain(self) -> SettingsError:
        if [*self.names] == [_FILES]:
            return SettingsError("replicas-files", host=self.other.host)
        return SettingsError("replicas-differ", host=self.other.host, names=", ".join(self.names))


def read_traits(settings: Settings, undo: ExitStack) -> Mapping[str, str]:
    """What must be the same for all programs on a database: fingerprints, by setting.

    They are made with the installation's secret, so nobody who reads them can try out tokens. A
    platform that one program does not serve need not be set up there.

    A folder for files that is not there is made and marked; `undo` removes it. Raises
    SettingsError.
    """
    secret = find_secret(settings.home, settings.troupe_secret)()
    values = {_SECRET: "", _FILES: _find_files(settings, undo)}
    names = [*_OF_DELETING]
    names += _OF_PAGES if settings.web else ()
    names += _OF_SLACK if settings.slack else ()
    names += ["troupe_secret_key"] if settings.slack_oauth else []
    names += ["discord_token"] if settings.discord else []
    values |= {name.upper(): str(getattr(settings, name)) for name in names}
    return {
        name: hmac.digest(secret, f"replica {name} {value}".encode(), "sha256").hex()[:32]
        for name, value in values.items()
    }


def compare_traits(ours: Mapping[str, str], theirs: Mapping[str, str]) -> Sequence[str]:
    """The settings in which two programs differ; with other secrets nothing else can be told."""
    differing = [name for name in ours if theirs.get(name, ours[name]) != ours[name]]
    return [_SECRET] if _SECRET in differing else differing


def _find_files(settings: Settings, undo: ExitStack) -> str:
    """The address of the files, or what stands in the marker of the folder. Raises SettingsError.

    So two machines have the same folder if it is the same file system, whatever its path is.
    """
    folder = settings.files_folder
    if folder is None:  # a bucket
        return settings.troupe_files_url
    try:
        undo.callback(_remove, [each for each in (folder, *folder.parents) if not each.exists()])
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _read_marker(folder / _MARKER, undo)
    except OSError as error:
        raise SettingsError("files-unwritable", folder=str(folder)) from error


def _read_marker(path: Path, undo: ExitStack) -> str:
    """The text of a marker, which is written whole and only once."""
    if not path.exists():
        temporary = path.with_name(f"{path.name}-{secrets.token_hex(4)}")
        temporary.write_text(secrets.token_hex(16))
        with suppress(FileExistsError):
            os.link(temporary, path)
            undo.callback(path.unlink, missing_ok=True)
        temporary.unlink()
    return path.read_text()


def _remove(folders: Sequence[Path]) -> None:
    """Remove folders, the innermost first, unless something is in them."""
    for each in folders:
        with suppress(OSError):
            each.rmdir()
