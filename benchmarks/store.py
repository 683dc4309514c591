"""The cost of the store: wall and CPU milliseconds per request.

    python benchmarks/store.py [database address]

A request is: accept, hand out, 9 journal steps, save, finish. "everything" adds the other rows of
a request: turns, events and posts.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from statistics import median, quantiles

from adapters.store import Persistence, open_persistence
from bot.places import HOSTED
from pipeline.domain import (
    Addressing,
    Answer,
    Channel,
    Done,
    Incoming,
    Model,
    Output,
    Person,
    Plan,
    Run,
    RunId,
    RunState,
    Task,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.task_kinds import KINDS

ANN = Person("U1", "Ann")
BOT = Person("troupe", "Troupe", is_bot=True)
STEPS = [f"task:{number}" for number in range(9)]
VALUE = '{"is":"Done","output":{"slots":{"text":{"is":"Text","text":"' + "word " * 80 + '"}}}}'
MODEL = Model("org/model", "summarization", (HOSTED,))
Request = Callable[[Persistence, int], Awaitable[None]]


def message(number: int) -> Incoming:
    thread = Thread(Channel("slack", "T1", f"C{number % 7}"), f"{number:012}")
    now = datetime.now(UTC)
    return Incoming(
        id=f"{number:012}",
        thread=thread,
        person=ANN,
        text="sum this up",
        files=(),
        at=now,
        addressing=Addressing(mentioned=True),
    )


def record(run: RunId, thread: Thread) -> Run:
    tasks = tuple(
        Task(TaskId(number), KINDS["summarization"], {"text": (Text("word " * 80),)})
        for number in range(1, 9)
    )
    done = Done(Output({"text": Text("word " * 80)}), took=0.5, model=MODEL, place=HOSTED)
    outcomes = {task.id: done for task in tasks}
    answer = Answer(run, "word " * 80)
    state = RunState.ANSWERED
    return Run(
        id=run,
        thread=thread.key,
        person=ANN.id,
        text="sum this up",
        state=state,
        plan=Plan(tasks),
        repairs=(),
        outcomes=outcomes,
        answer=answer,
    )


async def request(kept: Persistence, number: int) -> None:
    """The inbox, the journal and the run."""
    said, run = message(number), RunId(f"run{number}")
    await kept.inbox.accept(said, run)
    for step in STEPS:
        await kept.journal.record(run, step, VALUE)
    await kept.store.keep(record(run, said.thread), said.thread)
    await kept.inbox.finish(run)


async def everything(kept: Persistence, number: int) -> None:
    """All store calls of a request with 8 tasks."""
    said, run = message(number), RunId(f"run{number}")
    await kept.inbox.accept(said, run)
    await kept.journal.recall(run)
    await kept.store.settings(said.thread.channel)
    await kept.store.context(said.thread, before=said.key, turns=20, tail=10)
    await kept.store.log(
        said.thread, Turn(key=said.key, person=ANN, text=said.text, files=(), at=said.at)
    )
    await kept.ledger.begin(f"{run}:plan")
    await kept.ledger.done(f"{run}:plan", "1")
    for step in STEPS:
        await kept.journal.record(run, step, VALUE)
    await kept.ledger.begin(f"{run}:answer")
    await kept.ledger.done(f"{run}:answer", "2")
    turn = Turn(key=run, person=BOT, text="word " * 80, files=(), at=said.at)
    events = [(number, VALUE) for number in range(30)]
    await kept.store.keep(record(run, said.thread), said.thread, turn, events)
    await kept.inbox.finish(run)


async def accept(kept: Persistence, number: int) -> None:
    await kept.inbox.accept(message(number), RunId(f"run{number}"))


async def step(kept: Persistence, number: int) -> None:
    await kept.journal.record(RunId(f"run{number}"), "step", VALUE)


async def timed(one: Request, kept: Persistence, numbers: list[int], *, at_once: int) -> None:
    took: list[float] = []
    room = asyncio.Semaphore(at_once)

    async def run(number: int) -> None:
        async with room:
            begun = time.perf_counter()
            await one(kept, number)
            took.append((time.perf_counter() - begun) * 1000)

    begun, used = time.perf_counter(), processor()
    async with asyncio.TaskGroup() as group:
        for number in numbers:
            group.create_task(run(number))
    wall, cpu = time.perf_counter() - begun, processor() - used
    print(
        f"{one.__name__:12} {at_once:4} at once: "
        f"p50 {median(took):7.2f} ms, p95 {quantiles(took, n=20)[-1]:7.2f} ms, "
        f"processor {cpu * 1000 / len(numbers):6.2f} ms each, {len(numbers) / wall:6.0f}/s"
    )


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def main(url: str) -> None:
    begun = time.perf_counter()
    async with open_persistence(url) as kept:
        print(f"opened, tables made: {(time.perf_counter() - begun) * 1000:.0f} ms")
        first = int(time.time()) * 10_000
        for one in (accept, step, request, everything):
            await one(kept, first)
            for at_once, count in ((1, 200), (64, 640)):
                numbers = list(range(first + 1, first + 1 + count))
                await timed(one, kept, numbers, at_once=at_once)
                first += count + 1
    begun = time.perf_counter()
    async with open_persistence(url):
        print(f"opened again: {(time.perf_counter() - begun) * 1000:.0f} ms")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("address", nargs="?", help="of the database; SQLite by default")
    given = options.parse_args().address
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(given or f"sqlite:///{folder}/troupe.db"))
