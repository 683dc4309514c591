"""A model of Troupe on many machines, checked against runs, then asked for 10,000 workspaces.

    python -m benchmarks.scale check     # beside what `benchmarks.replicas --rate` measured
    python -m benchmarks.scale ask       # what breaks first as workspaces grow
    python -m benchmarks.scale draw      # docs/scale.png

Discrete events, by SimPy. People write into threads; a message waits for the one before it in its
thread, then for a place at a replica. There its run uses the replica's processor in pieces (one
event loop, so one piece at a time), the database's processors, and waits for the language model and
the experts, which answer after fixed times. On one machine all of them share its processors.

The single figures in `MEASURED` come from the other benchmarks; docs/scale.md names them.
"""

import argparse
import random
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from statistics import median

import simpy

Steps = Generator[simpy.Event, object, None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one message costs, in seconds, and what there is to do it with."""

    replica: float
    """Of a replica's processor."""
    database: float
    """Of the database server's processors."""
    beside: float = 0.0
    """Of what is on the machine only in a benchmark: the played platforms and the model."""
    waits: tuple[float, ...]
    """For the language model and experts, one after the other."""
    other: float = 0.0
    """Pauses that take no processor: progress that is gathered, notifications on their way."""
    room: int
    """Runs at a time of one replica."""
    cores: int | None
    """Processors that replicas, database and platforms share; None: each has its own."""
    database_cores: int = 8
    threads: int
    """Threads into which people write at random."""


@dataclass(slots=True)
class System:
    """The resources of a run of the model, and the times that it took."""

    figures: Figures
    replicas: int
    env: simpy.Environment = field(default_factory=simpy.Environment)
    answered: list[float] = field(default_factory=list)
    """Seconds from each message to its answer."""

    cores: simpy.Resource = field(init=False)
    database: simpy.Resource = field(init=False)
    loops: list[simpy.Resource] = field(init=False)
    places: simpy.Store = field(init=False)
    lanes: list[simpy.Resource] = field(init=False)

    def __post_init__(self) -> None:
        figures, env = self.figures, self.env
        cores = figures.cores or 10_000
        self.cores = simpy.Resource(env, cores)
        self.database = simpy.Resource(env, min(figures.database_cores, cores))
        self.loops = [simpy.Resource(env, 1) for _ in range(self.replicas)]
        self.places = simpy.Store(env)
        for _ in range(figures.room):
            for number in range(self.replicas):
                self.places.put(number)
        self.lanes = [simpy.Resource(env, 1) for _ in range(figures.threads)]

    def write(self, rate: float, seconds: float) -> Steps:
        """People write so many messages a second."""
        while self.env.now < seconds:
            self.env.process(self.answer(random.choice(self.lanes)))
            yield self.env.timeout(random.expovariate(rate))

    def answer(self, lane: simpy.Resource) -> Steps:
        began, figures = self.env.now, self.figures
        with lane.request() as turn:
            yield turn
            replica = yield self.places.get()
            pieces = len(figures.waits) + 1
            for wait in (*figures.waits, 0.0):
                yield from self._compute(self.loops[replica], figures.replica / pieces)
                yield from self._compute(self.database, figures.database / pieces)
                yield from self._compute(None, figures.beside / pieces)
                yield self.env.timeout(wait + figures.other / pieces)
            self.places.put(replica)
        self.answered.append(self.env.now - began)

    def _compute(self, place: simpy.Resource | None, seconds: float) -> Steps:
        """Use a processor: of the machine, and one at a time of its place."""
        if place is None:
            with self.cores.request() as core:
                yield core
                yield self.env.timeout(seconds)
            return
        with place.request() as turn:
            yield turn
            with self.cores.request() as core:
                yield core
                yield self.env.timeout(seconds)


def simulate(figures: Figures, replicas: int, rate: float, seconds: float = 600.0) -> list[float]:
    """Seconds to the answers of all messages but those of the first fifth, sorted."""
    random.seed(1)
    system = System(figures, replicas)
    system.env.process(system.write(rate, seconds))
    system.env.run(until=seconds)
    return sorted(system.answered[len(system.answered) // 5 :])


# --- what was measured ---

RIG = Figures(
    replica=0.050,
    database=0.012,
    beside=0.019,
    waits=(0.3, 0.3, 0.3),
    other=0.2,
    room=64,
    cores=2,
    threads=24,
)
"""Two shared processors, everything on one machine; see `benchmarks.replicas --fault none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of `benchmarks.replicas` and its figures in seconds."""

    replicas: int
    rate: float
    median: float
    p95: float


MEASURED = (
    Run(replicas=1, rate=4.77, median=1.24, p95=2.36),
    Run(replicas=2, rate=4.72, median=1.24, p95=2.39),
    Run(replicas=3, rate=5.44, median=1.25, p95=2.42),
)


def check() -> None:
    """Print the model beside what was measured."""
    print("replicas  rate  median: measured, model    p95: measured, model")
    for run in MEASURED:
        times = simulate(RIG, run.replicas, run.rate)
        middle, late = median(times), times[int(len(times) * 0.95)]
        print(
            f"{run.replicas:8}{run.rate:6.1f}"
            f"{run.median:19.2f}{middle:7.2f} ({middle / run.median - 1:+.0%})"
            f"{run.p95:12.2f}{late:7.2f} ({late / run.p95 - 1:+.0%})"
        )


# --- many workspaces ---

FIELD = replace(RIG, beside=0.0, waits=(3.0, 4.0, 3.0), cores=None, threads=20_000)
"""Real models take seconds; each replica and the database have machines of their own."""
MESSAGES_A_DAY = 200
"""For the bot, in a workspace of some fifty people."""
BUSIEST_HOUR = 0.15
"""The share of a day's messages that comes in its busiest hour."""
BUSY = 0.7
"""How busy a processor may be before waiting grows."""
CONNECTIONS = 10
"""Of each replica to the database: its pool, and those that listen and lock."""
TRANSACTIONS = 32
"""Of one message, with three calls of the language model."""
COMMITS = 2_400
"""A second with fsync, as measured for a row and a notification."""
NOTIFICATIONS = 4
"""Of one message; the rate at which one server sends them was measured as 4,600 a second."""
GUILDS_A_SHARD = 1_000
COUNTS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Numbers of workspaces that are looked at."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that ends: how much one message a second uses, how much there is, and what then."""

    name: str
    used: float
    most: float
    then: str


def list_limits(figures: Figures = FIELD) -> list[Limit]:
    """The limits of one installation; those of models are the providers' and not in it."""
    replicas = 1 / find_rate(figures)
    return [
        Limit("Slack's Socket Mode: connections", replicas, 10, "HTTP behind a balancer"),
        Limit("PostgreSQL: connections", replicas * CONNECTIONS, 97, "max_connections = 500"),
        Limit("PostgreSQL: processors", figures.database, 8 * BUSY, "a larger server, then cells"),
        Limit("PostgreSQL: commits", TRANSACTIONS, COMMITS, "faster disks, then cells"),
        Limit("PostgreSQL: notifications", NOTIFICATIONS, 4_600, "cells"),
    ]


def find_rate(figures: Figures) -> float:
    """How many messages a second one replica carries: bound by its processor or by its room."""
    lasts = figures.replica + figures.database + figures.other + sum(figures.waits)
    return min(BUSY / figures.replica, figures.room * BUSY / lasts)


def find_load(workspaces: int) -> float:
    """Messages a second of so many workspaces in their busiest hour."""
    return workspaces * MESSAGES_A_DAY * BUSIEST_HOUR / 3600


def ask() -> None:
    """Print what so many workspaces need, and how much of each limit they use."""
    print(f"one replica carries {find_rate(FIELD):.1f} messages a second")
    for workspaces in COUNTS:
        rate = find_load(workspaces)
        replicas = ceil(rate / find_rate(FIELD))
        times = simulate(FIELD, replicas, rate, seconds=300)
        print(
            f"{workspaces:6,} workspaces: {rate:6.1f} a second, {replicas:4} replicas,"
            f" median {median(times):.1f} s, p95 {times[int(len(times) * 0.95)]:.1f} s"
        )
        for limit in list_limits():
            share = rate * limit.used / limit.most
            then = f", then {limit.then}" if share > 1 else ""
            print(f"    {limit.name:34}{share:8.0%}{then}")


def draw(file: Path) -> None:
    """Draw the shares of the limits by the number of workspaces."""
    from matplotlib import pyplot as plt  # noqa: PLC0415 - only for this

    figure, axes = plt.subplots(figsize=(8, 4.5))
    for limit in list_limits():
        shares = [find_load(count) * limit.used / limit.most for count in COUNTS]
        axes.plot(COUNTS, shares, marker="o", label=limit.name)
    axes.axhline(1, color="black", linewidth=1)
    axes.set(xscale="log", yscale="log", xlabel="workspaces", ylabel="share of what there is")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=100)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("check", "ask", "draw"))
    match parser.parse_args().what:
        case "check":
            check()
        case "ask":
            ask()
        case _:
            draw(Path("docs/scale.png"))


if __name__ == "__main__":
    main()
