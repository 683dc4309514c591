"""What the running program is doing now: the gauges of /metrics, and what `troupe status` reads."""

import asyncio
import json
import os
import secrets
import shutil
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from adapters.store.overview import PROGRAM
from adapters.web.health import HealthPorts, serve_health
from adapters.workers.pool import ProcessWorkers
from bot import VERSION
from bot.metrics import Metrics
from bot.providers import Ports
from bot.recorder import Recorder
from bot.runner import Runner
from bot.settings import Settings
from bot.watch import Stage
from pipeline.domain import LocalizedText
from pipeline.outage import Outage, limit_patience
from pipeline.ports import Chat, QueuedMessage
from pipeline.tools import Tools
from pipeline.words import say

log = structlog.get_logger()

_LAG_EVERY, _LAGS_KEPT = 0.25, 240
"""Seconds between two measurements of the event loop, and how many a minute has."""
_MOST_TOLD = 200


@dataclass(slots=True, kw_only=True, eq=False)
class Monitor(Collector):
    """Reads the state of the program where it is kept; what is slow to read is sampled."""

    settings: Settings
    ports: Ports
    tools: Tools
    runner: Runner
    metrics: Metrics
    down: Mapping[str, LocalizedText]
    """Why a platform is down."""
    check: Callable[[], Awaitable[tuple[bool, Mapping[str, str]]]]
    """Whether messages can be accepted, and what is down."""
    chats: Sequence[Chat] = ()
    instance: str = field(default_factory=lambda: secrets.token_hex(8))
    """Tells this process from others that may answer at the same address."""
    started_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    address: str = ""
    """Where health is served; "" if it is not."""
    connected: dict[str, bool] = field(default_factory=dict)
    changed_at: dict[str, datetime] = field(default_factory=dict)
    """Since when a platform is connected, or not."""
    free_bytes: dict[str, int] = field(default_factory=dict)
    """By folder: "home" and "files"."""
    database_bytes: int = 0
    lags: deque[float] = field(default_factory=lambda: deque(maxlen=_LAGS_KEPT))
    """How late the event loop was, of the last minute."""

    # --- sampling ---

    async def sample(self) -> None:
        """Ask the chats whether they are connected."""
        for chat in self.chats:
            try:
                is_up = chat.platform not in self.down and await chat.is_connected()
            except Exception:  # boundary: a library in disorder is not connected
                log.exception("connection not known", platform=chat.platform)
                is_up = False
            if self.connected.get(chat.platform) is not is_up:
                self.changed_at[chat.platform] = datetime.now(UTC)
            self.connected[chat.platform] = is_up

    async def sample_storage(self) -> None:
        """Measure disks and database, and leave a sign of life in it."""
        folders = {"home": self.settings.home, "files": self.settings.files_folder}
        for name, folder in folders.items():
            self.free_bytes[name] = (await asyncio.to_thread(shutil.disk_usage, folder)).free
        persistence = self.ports.persistence
        with limit_patience(0):  # the disks are measured meanwhile
            self.database_bytes = await persistence.overview.measure()
            await persistence.cache.put(PROGRAM, json.dumps({**self._identity, "at": self.address}))

    async def measure_lag(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_EVERY
            await asyncio.sleep(_LAG_EVERY)
            self.lags.append(max(0.0, loop.time() - due))
            self.metrics.loop_lag.observe(self.lags[-1])

    # --- telling ---

    def collect(self) -> Iterator[Metric]:
        """For Prometheus."""
        yield from self._collect_runs()
        yield _gauge(
            "troupe_platform_up",
            "Whether a platform's events reach us.",
            "platform",
            values={(platform,): int(is_up) for platform, is_up in self.connected.items()},
        )
        health = self.tools.health
        is_open = {
            (place.name,): int(health.explain(place) is None) for place in self.tools.experts
        }
        yield _gauge(
            "troupe_place_open", "Whether models at a place are called.", "place", values=is_open
        )
        yield from self._collect_workers()
        free = {(name,): number for name, number in self.free_bytes.items()}
        yield _gauge("troupe_disk_free_bytes", "Free space of a folder.", "folder", values=free)
        yield _gauge("troupe_database_bytes", "Its size.", values={(): self.database_bytes})
        faults = CounterMetricFamily(
            "troupe_store_faults", "Transactions that failed.", labels=["reason"]
        )
        for reason, number in self.ports.persistence.faults.items():
            faults.add_metric([reason], number)
        yield faults
        help_ = "Calls that wait because nothing can be stored."
        yield _gauge("troupe_store_waiting", help_, values={(): self._outage.waiting})

    def _collect_runs(self) -> Iterator[Metric]:
        recorders, backlog = list(self.runner.under_way.values()), self._backlog
        platforms = [chat.platform for chat in self.chats]
        stages = Counter({(platform, stage): 0 for platform in platforms for stage in Stage})
        stages.update(
            (each.queued.message.thread.channel.platform, each.watch.stage) for each in recorders
        )
        help_ = "Runs that have begun and not ended."
        yield _gauge("troupe_runs_in_progress", help_, "platform", "stage", values=stages)
        oldest = max((each.watch.seconds for each in recorders), default=0.0)
        help_ = "How long the oldest of them has been going on."
        yield _gauge("troupe_oldest_run_seconds", help_, values={(): oldest})
        waiting = Counter({(platform,): 0 for platform in platforms})
        waiting.update((each.message.thread.channel.platform,) for each in backlog)
        help_ = "Messages whose run has not begun."
        yield _gauge("troupe_inbox_waiting", help_, "platform", values=waiting)
        longest = max((_since(each.accepted_at) for each in backlog), default=0.0)
        help_ = "How long the oldest of them has waited."
        yield _gauge("troupe_inbox_oldest_seconds", help_, values={(): longest})

    def _collect_workers(self) -> Iterator[Metric]:
        workers = self.ports.workers
        if isinstance(workers, ProcessWorkers):
            yield _gauge("troupe_workers", "Processes for heavy work.", values={(): workers.count})
            yield _gauge("troupe_workers_busy", "Those at work.", values={(): workers.busy})
            help_ = "Calls that wait for one."
            yield _gauge("troupe_workers_waiting", help_, values={(): workers.waiting})
            yield CounterMetricFamily("troupe_workers_lost", "Those that died.", workers.lost)

    async def tell_status(self) -> Mapping[str, Any]:
        """For `troupe status`: ids and numbers, no words."""
        await self.sample()
        ready, problems = await self.check()
        tools, workers = self.tools, self.ports.workers
        recorders = list(self.runner.under_way.values())
        closed = {place.name: tools.health.explain(place) for place in tools.experts}
        return {
            **self._identity,
            "ready": ready,
            "problems": problems,
            "platforms": self.connected,
            "changed_at": {name: at.isoformat() for name, at in self.changed_at.items()},
            "running": [_describe_run(each) for each in recorders[:_MOST_TOLD]],
            "waiting": [
                {"run": each.run, "channel": each.message.thread.channel.key}
                | {"seconds": _since(each.accepted_at)}
                for each in self._backlog[:_MOST_TOLD]
            ],
            "places": {place: say("en", why) if why else "" for place, why in closed.items()},
            "workers": {
                "count": workers.count,
                "busy": workers.busy,
                "waiting": workers.waiting,
                "lost": workers.lost,
            }
            if isinstance(workers, ProcessWorkers)
            else {},
            "loop_lag": max(self.lags, default=0.0),
            "free_bytes": self.free_bytes,
            "store_faults": dict(self.ports.persistence.faults),
            "store_waiting": self._outage.waiting,
        }

    @property
    def _identity(self) -> Mapping[str, Any]:
        return {
            "instance": self.instance,
            "version": VERSION,
            "pid": os.getpid(),
            "started_at": self.started_at.isoformat(),
        }

    @property
    def _outage(self) -> Outage:
        return self.ports.persistence.outage

    @property
    def _backlog(self) -> Sequence[QueuedMessage]:
        return self.ports.persistence.inbox.backlog()


def _since(moment: datetime | None) -> float:
    return max(0.0, (datetime.now(UTC) - moment).total_seconds()) if moment else 0.0


def _describe_run(recorder: Recorder) -> Mapping[str, Any]:
    watch, now = recorder.watch, time.monotonic()
    kinds = {task.id: task.kind.name for task in watch.plan.tasks}
    return {
        "run": recorder.queued.run,
        "channel": recorder.queued.message.thread.channel.key,
        "thread": recorder.queued.message.thread.root,
        "seconds": watch.seconds,
        "stage": watch.stage,
        "steps": [
            {"kind": kinds.get(task, ""), "place": attempt.place.name, "model": attempt.model}
            | {"seconds": now - began}
            for task, (attempt, began) in watch.steps.items()
        ],
    }


def _gauge(name: str, help_: str, *labels: str, values: Mapping[Any, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_, labels=labels)
    for key, value in values.items():
        family.add_metric([str(part) for part in key], value)
    return family


@asynccontextmanager
async def open_health(monitor: Monitor) -> AsyncIterator[None]:
    """Serve health, readiness, metrics and status on loopback, unless that is off.

    A port that is taken is logged, and the program goes on without.
    """
    ports = HealthPorts(
        ready=monitor.check,
        registry=monitor.metrics.registry,
        sample=monitor.sample,
        status=monitor.tell_status,
    )
    port = monitor.settings.troupe_health_port
    if monitor.settings.web and port == monitor.settings.troupe_web_port:
        port = 0  # the page serves the same there
    async with AsyncExitStack() as stack:
        if port != "off":
            try:
                monitor.address = await stack.enter_async_context(serve_health(ports, port))
                log.info("health open", at=monitor.address)
            except OSError as error:
                why = error.strerror or str(error)
                log.warning("health is not served: set TROUPE_HEALTH_PORT", port=port, why=why)
        yield
