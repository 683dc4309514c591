"""Several replicas on one PostgreSQL, killed, frozen and cut off while people write.

    python -m benchmarks.replicas --replicas 2 --minutes 5 --fault kill --every 5
    python -m benchmarks.replicas --replicas 3 --minutes 5 --fault freeze --every 30
    python -m benchmarks.replicas --minutes 3 --fault cut      # the way to the database is cut off
    python -m benchmarks.replicas --minutes 3 --fault net      # the whole network is (needs root)
    python -m benchmarks.replicas --minutes 3 --fault database # the server is restarted
    python -m benchmarks.replicas --clients 48 --share 0.3     # how much they carry (needs root)

Each replica is the whole program in its own process. A played Slack, a played Discord and a played
language model are in this one. People write in threads, the next message of a thread often before
the last one is answered; on Slack every tenth event is sent twice. Each message has a mark, which
the answer repeats. At the end each mark must be answered once, and in the order of its thread.
Takeovers are timed in the database: from the fault until another program has the run.

Needs TROUPE_TEST_POSTGRES_URL, a server where databases may be made. It is restarted by
TROUPE_TEST_POSTGRES_CONTROL, a command that is called with "stop" and "start"; without it, all its
connections are ended.
"""

import argparse
import asyncio
import json
import os
import random
import re
import shlex
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import monotonic

import sqlalchemy as sa
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from yarl import URL

from adapters.slack.connecting.manifest import SCOPES
from adapters.store import upgrade
from benchmarks.namespaces import Namespace
from pipeline.background import run_beside
from tests.e2e.program import Program, at_work
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, BOT_USER, Channel

MARK = re.compile(r"mark-\d{5}")
FROZEN = 20.0
"""Seconds for which a replica is frozen or cut off: longer than a lease."""
AWAY = 3.0
"""Seconds for which the database server is away when it is restarted."""
SETTLING = 120.0
"""Seconds after the last message within which everything has to be answered."""
SHARDS = 2
SETTLED = 3.0
"""Seconds until discord.py is ready: it waits for further servers."""
WARMING = 0.25
"""Minutes in which clients ask before it is measured."""
THREADS = 12
"""Threads of each platform."""
_OPEN_RUNS = sa.text(
    "SELECT run, attempts, owner FROM inbox WHERE owner IS NOT NULL AND NOT finished"
)
_BODIES = sa.text("SELECT number, body FROM inbox ORDER BY number")
_TRANSACTIONS = sa.text(
    "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
)
_END_CONNECTIONS = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def reply(asked: Asked) -> str:
    """A plan of one task, or words that repeat the mark of the request."""
    marks = MARK.findall(asked.text)
    mark = marks[-1] if marks else ""
    if "response_format" in asked.body:
        text = f"Sales rose in Europe, says {mark}."
        return json.dumps([{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": text}}])
    return f"Sales rose: {mark}"


# --- people ---


@dataclass
class Threads:
    """What was written, by thread, in order, and when each message was written and answered."""

    written: dict[str, list[str]] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)

    def write(self, thread: str, mark: str) -> str:
        self.written.setdefault(thread, []).append(mark)
        self.began[mark] = monotonic()
        return f"Summarize this: sales rose in Europe ({mark})."


@dataclass
class SlackPeople:
    """Writes into threads of a played Slack; every tenth event comes twice."""

    slack: SlackServer
    threads: Threads = field(default_factory=Threads)
    roots: dict[str, str] = field(default_factory=dict)

    def settings(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.slack.bot_token,
            "SLACK_APP_TOKEN": self.slack.app_token,
            "SLACK_API_BASE_URL": self.slack.api,
            "SLACK_FILE_HOSTS": "127.0.0.1",
        }

    def write(self, number: int, mark: str) -> None:
        channel, people = f"C0CHANNEL{number}", self.slack.people
        if channel not in self.slack.space.channels:
            self.slack.space.channels[channel] = Channel(channel, channel, members={ANNA, BOT_USER})
        people.times = 2 if random.random() < 0.1 else 1
        text = f"<@{BOT_USER}> {self.threads.write(channel, mark)}"
        ts = people.say(text, channel=channel, thread=self.roots.get(channel, ""))
        self.roots.setdefault(channel, ts)

    def read(self) -> Iterator[tuple[str, str]]:
        for channel in self.threads.written:
            for message in self.slack.space.channels[channel].messages.values():
                if message.by_bot and not self.slack.streams.is_open(message):
                    yield channel, json.dumps(message.body)

    def count_begun(self) -> int:
        """The messages with which runs were shown; notices are no streams and have no buttons."""
        channels = [self.slack.space.channels[channel] for channel in self.threads.written]
        bodies = [m.body for each in channels for m in each.messages.values() if m.by_bot]
        return sum("streaming_state" in b or '"button"' in json.dumps(b) for b in bodies)


@dataclass
class DiscordPeople:
    """Writes into threads of a played Discord."""

    server: DiscordServer
    threads: Threads = field(default_factory=Threads)
    rooms: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ada = self.server.people.person("ada")
        self.guild = self.server.people.guild("team", self.ada)
        self.places = [
            self.server.people.channel(self.guild, f"room{number}") for number in range(THREADS)
        ]

    def settings(self) -> dict[str, str]:
        return {
            "DISCORD_TOKEN": self.server.world.token,
            "DISCORD_API_BASE_URL": self.server.api,
            "DISCORD_GATEWAY_URL": self.server.gateway.address,
            "DISCORD_CDN_HOSTS": "127.0.0.1",
        }

    def write(self, number: int, mark: str) -> None:
        name, people = f"room{number}", self.server.people
        text = f"<@{self.server.bot.id}> {self.threads.write(name, mark)}"
        if name not in self.rooms:
            root = people.say(self.ada, self.places[number], "Hello, all")
            self.rooms[name] = people.thread(self.ada, root, name).id
        people.say(self.ada, self.server.world.channels[self.rooms[name]], text)

    def read(self) -> Iterator[tuple[str, str]]:
        for name, room in self.rooms.items():
            for message in self.server.world.channels[room].by(self.server.bot):
                if any(button["label"] in ("Retry", "Details") for button in message.buttons):
                    yield name, message.text

    def count_begun(self) -> int:
        """The messages with which runs were shown; notices have no buttons."""
        rooms = [self.server.world.channels[room] for room in self.rooms.values()]
        return sum(bool(message.buttons) for room in rooms for message in room.by(self.server.bot))


People = SlackPeople | DiscordPeople


async def time_answers(people: Sequence[People]) -> None:
    """Note when each answer can be read; for ever."""
    while True:
        for each in people:
            for _, text in each.read():
                for mark in MARK.findall(text)[-1:]:
                    each.threads.ended.setdefault(mark, monotonic())
        await asyncio.sleep(0.1)


def format_times(people: Sequence[People]) -> str:
    """The median and the 95th percentile from message to answer, without the first fifth."""
    seconds = [
        threads.ended[mark] - at
        for threads in (each.threads for each in people)
        for mark, at in threads.began.items()
        if mark in threads.ended
    ]
    late = sorted(seconds[len(seconds) // 5 :])
    if not late:
        return "no answers"
    return f"median {median(late):.2f} s, p95 {late[int(len(late) * 0.95)]:.2f} s"


@dataclass
class Verdict:
    """What became of the messages of one platform."""

    written: int
    lost: int
    doubled: int
    unfinished: int
    """Posts without an answer: begun, then begun again in another one."""
    out_of_order: int
    overtaken: int
    """Answered after a later message of the thread, which was accepted before it came: its replica
    died before it had accepted it, and the platform told of it anew."""


def judge(people: People, accepted: Mapping[str, int]) -> Verdict:
    """`accepted`: the place of each mark in the order in which messages were accepted."""
    answers: dict[str, list[str]] = {}
    for thread, text in people.read():
        if marks := MARK.findall(text):
            answers.setdefault(thread, []).append(marks[-1])
    counts = Counter(mark for marks in answers.values() for mark in marks)
    written = [mark for marks in people.threads.written.values() for mark in marks]
    disorder = [
        accepted.get(earlier, 0) < accepted.get(later, 0)
        for marks in answers.values()
        for number, later in enumerate(marks)
        for earlier in marks[number + 1 :]
        if earlier < later
    ]
    return Verdict(
        written=len(written),
        lost=sum(not counts[mark] for mark in written),
        doubled=sum(counts[mark] > 1 for mark in written),
        unfinished=people.count_begun() - counts.total(),
        out_of_order=sum(disorder),
        overtaken=len(disorder) - sum(disorder),
    )


def is_all_answered(people: People) -> bool:
    answered = {mark for _, text in people.read() for mark in MARK.findall(text)[-1:]}
    return all(answered.issuperset(marks) for marks in people.threads.written.values())


def list_wrong(people: People, accepted: Mapping[str, int]) -> Iterator[str]:
    """The messages without an answer, and all answers of those with several."""
    answers: dict[str, list[str]] = {}
    for _, text in people.read():
        for mark in MARK.findall(text)[-1:]:
            answers.setdefault(mark, []).append(text)
    for thread, marks in people.threads.written.items():
        for mark in marks:
            match answers.get(mark, []):
                case []:
                    yield f"{thread} {mark}: lost, {'never ' * (mark not in accepted)}accepted"
                case [_]:
                    pass
                case texts:
                    yield f"{thread} {mark}: {texts}"


# --- replicas ---


@dataclass
class Gate:
    """The way from one replica to the database: a TCP relay that can stop to pass anything on."""

    port: int = 0
    _open: asyncio.Event = field(default_factory=asyncio.Event)

    def shut(self) -> None:
        self._open.clear()

    def unlock(self) -> None:
        self._open.set()

    @asynccontextmanager
    async def serve(self, host: str, port: int) -> AsyncIterator[None]:
        self._open.set()

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                there, back = await asyncio.open_connection(host, port)
            except OSError:
                writer.close()
                return
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass_on(reader, back))
                group.create_task(self._pass_on(there, writer))

        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@contextmanager
def limit_processor(number: int, share: float) -> Iterator[tuple[str, ...]]:
    """What stands before a command that may use only a share of one processor; 0: no limit.

    By cgroups, version 1.
    """
    if not share:
        yield ()
        return
    group = Path(f"/sys/fs/cgroup/cpu/drill{number}")
    group.mkdir(exist_ok=True)
    (group / "cpu.cfs_quota_us").write_text(str(int(share * 100_000)))
    try:
        yield ("sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh")
    finally:
        group.rmdir()


@dataclass
class Replica:
    """A program that is started again when it is killed."""

    number: int
    folder: Path
    settings: dict[str, str]
    gate: Gate
    namespace: Namespace | None = None
    """Where it runs, if it has a network of its own."""
    before: tuple[str, ...] = ()
    """What stands before its command."""
    program: Program | None = None
    is_struck: bool = False

    async def keep_running(self) -> None:
        while True:
            home = self.folder / f"replica{self.number}"
            try:
                async with at_work(home, self.before, **self.settings) as self.program:
                    await self.program.process.wait()
            except (AssertionError, TimeoutError) as error:
                print(f"replica {self.number} did not start: {error}")
            self.program = None
            await asyncio.sleep(1)

    @contextmanager
    def struck_by(self, fault: str) -> Iterator[None]:
        """Be frozen, or cut off from the database or from everything, for a while."""
        match fault:
            case "freeze":
                self.send(signal.SIGSTOP)
                yield
                self.send(signal.SIGCONT)
            case "cut":
                self.gate.shut()
                yield
                self.gate.unlock()
            case _:
                assert self.namespace is not None
                self.namespace.cut()
                yield
                self.namespace.mend()

    @property
    def is_up(self) -> bool:
        return self.program is not None and not self.is_struck

    @property
    def id(self) -> str:
        """The id under which the program holds leases, as it logs at its start."""
        lines = self.program.lines if self.program else ()
        found = (re.search(r'"program": ?"(\w+)"', line) for line in lines)
        return next((match[1] for match in found if match), "")

    def send(self, what: signal.Signals) -> None:
        if self.program and self.program.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.program.process.pid, what)


@dataclass
class Takeovers:
    """How long runs were without a program after a fault, as the database shows it."""

    engine: AsyncEngine
    struck: dict[str, float] = field(default_factory=dict)
    """When each program was struck, by its id."""
    seconds: list[float] = field(default_factory=list)
    most_at_once: int = 0
    _last: dict[str, tuple[int, str]] = field(default_factory=dict)

    async def watch(self) -> None:
        while True:
            with suppress(sa.exc.SQLAlchemyError, OSError):
                async with self.engine.connect() as connection:
                    rows = (await connection.execute(_OPEN_RUNS)).all()
                self.most_at_once = max(self.most_at_once, len(rows))
                for run, attempt, owner in rows:
                    self._note(run, attempt, owner)
            await asyncio.sleep(0.25)

    def _note(self, run: str, attempt: int, owner: str) -> None:
        before_attempt, before_owner = self._last.get(run, (attempt, owner))
        self._last[run] = (attempt, owner)
        if before_attempt < attempt and (at := self.struck.get(before_owner)):
            self.seconds.append(monotonic() - at)


@dataclass
class Drill:
    """The replicas, the people, and what is done to the replicas."""

    replicas: Sequence[Replica]
    people: Sequence[People]
    takeovers: Takeovers
    faults: int = 0

    async def write(self, until: float, rate: float) -> None:
        number = 0
        while monotonic() < until:
            for people in self.people:
                people.write(random.randrange(THREADS), f"mark-{number:05}")
                number += 1
            await asyncio.sleep(random.expovariate(rate / len(self.people)))

    async def strike(self, fault: str, every: float, until: float) -> None:
        while monotonic() + every < until:
            await asyncio.sleep(every * random.uniform(0.5, 1.5))
            if fault != "none" and (up := [each for each in self.replicas if each.is_up]):
                self.faults += 1
                await self._strike(random.choice(up), fault)

    async def _strike(self, replica: Replica, fault: str) -> None:
        if fault == "database":
            await self._take_database_away()
            return
        self.takeovers.struck[replica.id] = monotonic()
        if fault == "kill":
            replica.send(signal.SIGKILL)
            return
        replica.is_struck = True
        with replica.struck_by(fault):
            await asyncio.sleep(FROZEN)
        replica.is_struck = False

    async def _take_database_away(self) -> None:
        """Restart the server where we may, else end all connections to it."""
        if control := shlex.split(os.environ.get("TROUPE_TEST_POSTGRES_CONTROL", "")):  # noqa: TID251 - a benchmark's
            for what in ("stop", "start"):
                await asyncio.to_thread(subprocess.run, [*control, what], check=True)
                await asyncio.sleep(AWAY)
            return
        async with self.takeovers.engine.connect() as connection:
            await connection.execute(_END_CONNECTIONS)

    async def settle(self) -> None:
        """Wait until all is answered, and then for what comes twice."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLING):
                await wait_until(lambda: all(map(is_all_answered, self.people)))
        await asyncio.sleep(5)


@asynccontextmanager
async def make_database() -> AsyncIterator[str]:
    """The address of a database of our own."""
    server = make_url(os.environ["TROUPE_TEST_POSTGRES_URL"])  # noqa: TID251 - a benchmark's
    name = f"troupe_drill_{os.getpid()}"
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(sa.text(f"CREATE DATABASE {name}"))
    try:
        yield server.set(database=name).render_as_string(hide_password=False)
    finally:
        await engine.dispose()  # the server may have been restarted
        async with engine.connect() as connection:
            await connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
        await engine.dispose()


@asynccontextmanager
async def open_drill(options: argparse.Namespace) -> AsyncIterator[Drill]:
    """Start the platforms, the model and the replicas, and wait until all listen."""
    async with AsyncExitStack() as stack:
        enter, enter_now = stack.enter_async_context, stack.enter_context
        folder = Path(enter_now(tempfile.TemporaryDirectory(prefix="drill-")))
        url = make_url(await enter(make_database()))
        await upgrade(url.render_as_string(hide_password=False))
        llm = await enter(openai_at_work(OpenAiServer(reply=reply, latency=options.latency)))
        slack = SlackPeople(await enter(SlackServer()))
        slack.slack.calls.granted = set(SCOPES)
        people = (slack, DiscordPeople(await enter(play_discord(shards=SHARDS))))
        settings = {"OPENAI_BASE_URL": llm.base, "TROUPE_SECRET": "drill" * 10}
        settings |= people[0].settings() | people[1].settings()
        settings["TROUPE_FILES_URL"] = f"file://{folder}/files"
        numbers = range(options.replicas)
        limits = [enter_now(limit_processor(each, options.share)) for each in numbers]
        group = await enter(asyncio.TaskGroup())
        replicas = []
        for number, before in zip(numbers, limits, strict=True):
            gate = Gate()
            await enter(gate.serve(str(url.host), url.port or 5432))
            through = url.set(host="127.0.0.1", port=gate.port)
            own = {**settings, "TROUPE_DATABASE_URL": through.render_as_string(hide_password=False)}
            replica = Replica(number, folder, own, gate, before=before)
            if options.fault == "net":
                replica.namespace = Namespace(number)
                addresses = (llm.base, slack.slack.api, people[1].server.api)
                ports = [gate.port, *(URL(address).port or 0 for address in addresses)]
                await enter(replica.namespace.open(ports))
                replica.before = replica.namespace.before
            stack.callback(group.create_task(replica.keep_running()).cancel)
            replicas.append(replica)
        engine = create_async_engine(url)
        stack.push_async_callback(engine.dispose)
        drill = Drill(replicas, people, Takeovers(engine))
        async with asyncio.timeout(60):
            await wait_until(lambda: all(replica.is_up for replica in replicas))
            await wait_until(lambda: len(slack.slack.socket.lines) >= options.replicas)
            await wait_until(lambda: people[1].server.gateway.identified >= SHARDS)
        await asyncio.sleep(SETTLED)
        async with run_beside(drill.takeovers.watch()), run_beside(time_answers(people)):
            yield drill


async def read_accepted(drill: Drill) -> dict[str, int]:
    """The place of each mark in the order in which messages were accepted."""
    async with drill.takeovers.engine.connect() as connection:
        rows = (await connection.execute(_BODIES)).all()
    return {mark: number for number, body in rows for mark in MARK.findall(body)[-1:]}


async def read_costs(drill: Drill) -> dict[str, float]:
    """What was used so far: seconds of processor time by whom, and transactions."""
    groups = {each.program.process.pid for each in drill.replicas if each.program}
    async with drill.takeovers.engine.connect() as connection:
        transactions = (await connection.execute(_TRANSACTIONS)).scalar_one()
    return {**read_processors(groups), "transactions": float(transactions)}


def read_processors(groups: Collection[int]) -> dict[str, float]:
    """Seconds of processor time of process groups, of PostgreSQL and of this process."""
    tick = os.sysconf("SC_CLK_TCK")
    sums = {"replicas": 0.0, "database": 0.0, "beside": sum(os.times()[:2])}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            head, _, rest = stat.read_text().rpartition(") ")
            values = rest.split()
            seconds = sum(map(int, values[11:13])) / tick
            if int(values[2]) in groups:
                sums["replicas"] += seconds
            elif "(postgres" in head:
                sums["database"] += seconds
    return sums


async def run_drill(options: argparse.Namespace) -> None:
    """Let people write while replicas are struck, and print what became of it."""
    async with open_drill(options) as drill:
        before = await read_costs(drill)
        until = monotonic() + options.minutes * 60
        async with asyncio.TaskGroup() as group:
            group.create_task(drill.write(until, options.rate))
            group.create_task(drill.strike(options.fault, options.every, until))
        await drill.settle()
        accepted = await read_accepted(drill)
        print(f"{options.replicas} replicas, {drill.faults} × {options.fault}")
        print(f"  to the answer: {format_times(drill.people)}")
        if options.fault == "none":
            written = len(accepted)
            after = await read_costs(drill)
            costs = {name: (after[name] - before[name]) / written for name in after}
            for name in ("replicas", "database", "beside"):
                print(f"  processor of {name}: {costs[name] * 1000:.0f} ms a message")
            print(f"  transactions: {costs['transactions']:.0f} a message")
        for people in drill.people:
            print(f"  {type(people).__name__:14} {judge(people, accepted)}")
            for wrong in list_wrong(people, accepted):
                print(f"  {'':14} {wrong}")
            for complaint, times in count_violations(people).most_common():
                print(f"  {'':14} the platform complains {times} times: {complaint}")
        for replica in drill.replicas:
            for line in replica.program.lines if replica.program else ():
                if '"exception"' in line:
                    print(f"  replica {replica.number}: {line.strip()}")
        if waits := sorted(drill.takeovers.seconds):
            figures = f"median {median(waits):.1f}, longest {waits[-1]:.1f} s"
            print(f"  {len(waits)} takeovers: {figures}")


async def run_clients(options: argparse.Namespace) -> None:
    """Let clients of the API ask all the time, at all replicas; print answers a second."""
    async with open_drill(options) as drill:
        programs = [each.program for each in drill.replicas if each.program]
        seconds: list[float] = []

        async def ask(program: Program, until: float) -> None:
            while (began := monotonic()) < until:
                answer = await program.ask("Summarize this: sales rose in Europe.")
                assert answer["status"] == 200, answer
                seconds.append(monotonic() - began)

        async def ask_all(minutes: float) -> float:
            began = monotonic()
            async with asyncio.TaskGroup() as group:
                for number in range(options.clients):
                    program = programs[number % len(programs)]
                    group.create_task(ask(program, began + minutes * 60))
            return monotonic() - began

        await ask_all(WARMING)
        seconds.clear()
        before = await read_costs(drill)
        took = await ask_all(options.minutes)
        after = await read_costs(drill)
        print(f"{options.replicas} replicas: {len(seconds) / took:.1f} a second", end="; ")
        print(f"median {median(seconds):.2f} s, {options.clients} clients", end="; ")
        print({name: round((after[name] - before[name]) / took, 2) for name in after}, "a second")


async def wait_until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 - what happens in other processes sets no event
        await asyncio.sleep(0.2)


def count_violations(people: People) -> Counter[str]:
    """What the platform found wrong, without numbers, and how often."""
    played = people.slack if isinstance(people, SlackPeople) else people.server
    return Counter(re.sub(r"[0-9.]+", "N", each) for each in played.violations)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument(
        "--fault", choices=("none", "kill", "freeze", "cut", "net", "database"), default="kill"
    )
    parser.add_argument("--every", type=float, default=10, help="seconds between two faults")
    parser.add_argument("--rate", type=float, default=2, help="messages a second")
    parser.add_argument("--latency", type=float, default=0.3, help="of the language model")
    parser.add_argument("--clients", type=int, default=0, help="of the API, without a fault")
    parser.add_argument("--share", type=float, default=0, help="of a processor, for each replica")
    options = parser.parse_args()
    asyncio.run(run_clients(options) if options.clients else run_drill(options))


if __name__ == "__main__":
    main()
