"""The gauges of /metrics: what changes while runs are under way is read when it is asked for."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from adapters.workers.pool import ProcessWorkers
from bot.monitoring import Monitor
from bot.watch import Stage, count_seconds_since


@dataclass(frozen=True, slots=True, eq=False)
class Gauges(Collector):
    """Reads the gauges off the monitor."""

    monitor: Monitor

    def collect(self) -> Iterator[Metric]:
        """For Prometheus."""
        monitor = self.monitor
        yield from _collect_runs(monitor)
        yield _gauge(
            "troupe_platform_up",
            "Whether a platform's events reach us.",
            "platform",
            values={(platform,): int(is_up) for platform, is_up in monitor.connected.items()},
        )
        health = monitor.tools.health
        is_open = {
            (place.name,): int(health.explain(place) is None) for place in monitor.tools.experts
        }
        yield _gauge(
            "troupe_place_open", "Whether models at a place are called.", "place", values=is_open
        )
        yield from _collect_leases(monitor)
        yield from _collect_workers(monitor)
        free = {(name,): number for name, number in monitor.free_bytes.items()}
        yield _gauge("troupe_disk_free_bytes", "Free space of a folder.", "folder", values=free)
        yield _gauge(
            "troupe_database_bytes",
            "Its size; each replica tells the same.",
            values={(): monitor.database_bytes},
        )
        faults = CounterMetricFamily(
            "troupe_store_faults", "Transactions that failed.", labels=["reason"]
        )
        for reason, number in monitor.ports.persistence.faults.items():
            faults.add_metric([reason], number)
        yield faults
        help_ = "Calls that wait because nothing can be stored."
        yield _gauge("troupe_store_waiting", help_, values={(): monitor.outage.waiting})


def _collect_runs(monitor: Monitor) -> Iterator[Metric]:
    recorders, backlog = list(monitor.runner.under_way.values()), monitor.backlog
    platforms = [chat.platform for chat in monitor.chats]
    stages = Counter({(platform, stage): 0 for platform in platforms for stage in Stage})
    stages.update(
        (each.queued.message.thread.channel.platform, each.watch.stage) for each in recorders
    )
    help_ = "Runs that have begun and not ended."
    yield _gauge("troupe_runs_in_progress", help_, "platform", "stage", values=stages)
    oldest = max((each.watch.seconds for each in recorders), default=0.0)
    help_ = "How long the oldest of them has been going on."
    yield _gauge("troupe_oldest_run_seconds", help_, values={(): oldest})
    waiting = {(platform,): 0 for platform in platforms}
    waiting.update(((platform,), each.count) for platform, each in backlog.items())
    help_ = "Messages whose run has not begun; each replica tells the same number."
    yield _gauge("troupe_inbox_waiting", help_, "platform", values=waiting)
    longest = max((count_seconds_since(each.oldest) for each in backlog.values()), default=0.0)
    help_ = "How long the oldest of them has waited; each replica tells the same."
    yield _gauge("troupe_inbox_oldest_seconds", help_, values={(): longest})


def _collect_leases(monitor: Monitor) -> Iterator[Metric]:
    """How this replica shares the runs with others; all 0 where there is only one program."""
    leases = monitor.ports.persistence.run_leases
    help_ = "Runs that this replica has leased."
    yield _gauge("troupe_leases_held", help_, values={(): len(leases)})
    help_ = "Runs that it took over from a replica that was silent for too long."
    yield CounterMetricFamily("troupe_takeovers", help_, leases.takeovers)
    help_ = "Runs that others took over from it."
    yield CounterMetricFamily("troupe_lease_losses", help_, leases.losses)


def _collect_workers(monitor: Monitor) -> Iterator[Metric]:
    workers = monitor.ports.workers
    if isinstance(workers, ProcessWorkers):
        yield _gauge("troupe_workers", "Processes for heavy work.", values={(): workers.count})
        yield _gauge("troupe_workers_busy", "Those at work.", values={(): workers.busy})
        help_ = "Calls that wait for one."
        yield _gauge("troupe_workers_waiting", help_, values={(): workers.waiting})
        yield CounterMetricFamily("troupe_workers_lost", "Those that died.", workers.lost)


def _gauge(name: str, help_: str, *labels: str, values: Mapping[Any, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_, labels=labels)
    for key, value in values.items():
        family.add_metric([str(part) for part in key], value)
    return family
