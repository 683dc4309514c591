"""What the running program says of itself, for `troupe status`; and where it says it."""

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any

import structlog

from adapters.web.health import HealthPorts, serve_health
from adapters.workers.pool import ProcessWorkers
from bot.monitoring import Monitor
from bot.recorder import Recorder
from bot.watch import count_seconds_since
from pipeline.words import say

log = structlog.get_logger()

_MOST_TOLD = 200
"""Runs, and messages that wait, in one status."""


async def describe_program(monitor: Monitor) -> Mapping[str, Any]:
    """For `troupe status`: ids and numbers, no words."""
    await monitor.sample()
    ready, problems = await monitor.health.check()
    tools, workers = monitor.tools, monitor.ports.workers
    closed = {place.name: tools.health.explain(place) for place in tools.experts}
    return {
        **monitor.identity,
        "ready": ready,
        "problems": problems,
        "platforms": monitor.connected,
        "changed_at": {name: at.isoformat() for name, at in monitor.changed_at.items()},
        "running": _list_running(monitor),
        "waiting": await _list_waiting(monitor),
        "places": {place: say("en", why) if why else "" for place, why in closed.items()},
        "workers": {
            "count": workers.count,
            "busy": workers.busy,
            "waiting": workers.waiting,
            "lost": workers.lost,
        }
        if isinstance(workers, ProcessWorkers)
        else {},
        "loop_lag": max(monitor.lags, default=0.0),
        "free_bytes": monitor.free_bytes,
        "store_faults": dict(monitor.ports.persistence.faults),
        "store_waiting": monitor.outage.waiting,
    }


async def describe_live(monitor: Monitor) -> Sequence[Mapping[str, Any]]:
    """The runs under way, and those that wait for their turn (their stage is "queued")."""
    begun = _list_running(monitor)
    known = {each["run"] for each in begun}
    waiting = (each for each in await _list_waiting(monitor) if each["run"] not in known)
    return [*begun, *({"stage": "queued", "steps": [], **each} for each in waiting)]


def _list_running(monitor: Monitor) -> list[Mapping[str, Any]]:
    recorders = list(monitor.runner.under_way.values())
    return [_describe_run(each) for each in recorders[:_MOST_TOLD]]


async def _list_waiting(monitor: Monitor) -> list[Mapping[str, Any]]:
    return [
        {"run": each.run, "channel": each.message.thread.channel.key}
        | {"seconds": count_seconds_since(each.accepted_at)}
        for each in (await monitor.list_backlog())[:_MOST_TOLD]
    ]


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


@asynccontextmanager
async def open_health(monitor: Monitor) -> AsyncIterator[None]:
    """Serve health, readiness, metrics and status on loopback, unless that is off.

    A port that is taken is logged, and the program goes on without.
    """
    ports = HealthPorts(
        ready=monitor.health.check,
        registry=monitor.metrics.registry,
        sample=monitor.sample,
        status=partial(describe_program, monitor),
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
