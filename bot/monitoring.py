"""What the running program is doing now."""

import asyncio
import json
import os
import shutil
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog

from bot import VERSION
from bot.health import Health
from bot.home import name_sign_of_life
from bot.metrics import Metrics
from bot.ports import Ports
from bot.runner import Runner
from bot.settings import Settings
from pipeline.errors import StoreUnavailable
from pipeline.outage import Outage, limit_patience
from pipeline.ports import Backlog, Chat, QueuedMessage, read_clock
from pipeline.tools import Tools

log = structlog.get_logger()

_LAG_EVERY = 0.25
"""Seconds between two measurements of the event loop."""
_LAGS_KEPT = 240
"""As many as a minute has."""
_PATIENCE = 0.5
"""Seconds that the database may be away before the program tells of itself without it."""


@dataclass(slots=True, kw_only=True)
class Monitor:
    """Reads the state of the program where it is kept; what is slow to read is sampled."""

    settings: Settings
    ports: Ports
    tools: Tools
    runner: Runner
    metrics: Metrics
    health: Health
    chats: Sequence[Chat] = ()
    started_at: datetime = field(default_factory=read_clock)
    address: str = ""
    """Where health is served; "" if it is not."""
    connected: dict[str, bool] = field(default_factory=dict)
    changed_at: dict[str, datetime] = field(default_factory=dict)
    """Since when a platform is connected, or not."""
    free_bytes: dict[str, int] = field(default_factory=dict)
    """By folder: "home", and "files" unless they are in a bucket."""
    database_bytes: int = 0
    backlog: Mapping[str, Backlog] = field(default_factory=dict)
    """The messages whose run has not begun, by platform, as they were when last asked for."""
    lags: deque[float] = field(default_factory=lambda: deque(maxlen=_LAGS_KEPT))
    """How late the event loop was, of the last minute."""

    async def sample(self) -> None:
        """Ask the chats whether they are connected, and the inbox what waits."""
        with suppress(StoreUnavailable), limit_patience(_PATIENCE):
            self.backlog = await self.ports.persistence.inbox.measure_backlog()
        for chat in self.chats:
            try:
                is_up = chat.platform not in self.health.down and await chat.is_connected()
            except Exception:  # boundary: a library in disorder is not connected
                log.exception("connection not known", platform=chat.platform)
                is_up = False
            if self.connected.get(chat.platform) is not is_up:
                self.changed_at[chat.platform] = datetime.now(UTC)
            self.connected[chat.platform] = is_up

    async def list_backlog(self) -> Sequence[QueuedMessage]:
        """The messages whose run has not begun; none if the database is away."""
        with suppress(StoreUnavailable), limit_patience(_PATIENCE):
            return await self.ports.persistence.inbox.list_backlog()
        return ()

    async def sample_storage(self) -> None:
        """Measure disks and database, and leave a sign of life in it."""
        folders = {"home": self.settings.home}
        if folder := self.settings.files_folder:
            folders["files"] = folder
        for name, folder in folders.items():
            self.free_bytes[name] = (await asyncio.to_thread(shutil.disk_usage, folder)).free
        persistence = self.ports.persistence
        with limit_patience(0):  # the disks are measured meanwhile
            self.database_bytes = await persistence.overview.measure()
            sign = json.dumps({**self.identity, "at": self.address})
            await persistence.cache.put(name_sign_of_life(self.settings), sign)

    async def measure_lag(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_EVERY
            await asyncio.sleep(_LAG_EVERY)
            self.lags.append(max(0.0, loop.time() - due))
            self.metrics.loop_lag.observe(self.lags[-1])

    @property
    def identity(self) -> Mapping[str, Any]:
        """Which process this is."""
        return {
            "instance": self.instance,
            "version": VERSION,
            "pid": os.getpid(),
            "started_at": self.started_at.isoformat(),
        }

    @property
    def instance(self) -> str:
        """Tells this process from others that may answer at the same address."""
        return self.ports.persistence.program

    @property
    def outage(self) -> Outage:
        return self.ports.persistence.outage
