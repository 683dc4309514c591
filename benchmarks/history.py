"""How long a person with 1,000 conversations of 20 turns waits for the list, and for a search.

python -m benchmarks.history [database address]
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from statistics import median

from adapters.store import Persistence, open_persistence
from pipeline.domain import Channel, Person, Thread, Turn
from pipeline.ports import Scope

THREADS = 1000
TURNS = 20
WORDS = 60
ROUNDS = 30
ANN = Person("ann", "you")
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
VOCABULARY = [
    "".join(word)
    for word in product("bcdfglmnprst", "aeiou", ("ra", "to", "min", "kel", "sor", "ven", "li"))
]
QUERIES = {
    "list": "",
    "two words": f"{VOCABULARY[10]} {VOCABULARY[20]}",
    "a word as it is typed": VOCABULARY[30][:3],
    "a word that is everywhere": "the",
    "one letter": "t",
    "a phrase": f'"the {VOCABULARY[40]}"',
    "a word that is nowhere": "zzzz",
}


def thread(number: int) -> Thread:
    return Thread(Channel("web", ANN.id, f"t{number}"), f"t{number}")


async def fill(kept: Persistence) -> None:
    chosen = random.Random(1)
    for number in range(THREADS):
        where = thread(number)
        for turn in range(TURNS):
            said = Turn(
                key=f"{where.channel.key}:{turn}",
                person=ANN,
                text=" ".join(["the", *chosen.choices(VOCABULARY, k=WORDS)]),
                files=(),
                at=BEGUN + timedelta(minutes=number * TURNS + turn),
            )
            await kept.store.log(where, said)


async def measure(what: str, ask: Callable[[], Awaitable[object]], rounds: int = ROUNDS) -> None:
    took, used = [], []
    for _ in range(rounds):
        begun, before = time.perf_counter(), time.process_time()
        await ask()
        took.append((time.perf_counter() - begun) * 1000)
        used.append((time.process_time() - before) * 1000)
    print(f"{what:26} {median(took):6.1f} ms, of them {median(used):6.1f} ms of our processor time")


async def main(url: str) -> None:
    async with open_persistence(url) as kept:
        await fill(kept)
        store = kept.store
        for what, query in QUERIES.items():
            await measure(
                what, lambda query=query: store.list_threads("web:ann", query=query, limit=40)
            )
        where = thread(THREADS // 2)
        await measure(
            "forget", lambda: store.forget(Scope.THREAD, thread=where, person=ANN.id), rounds=1
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", default="")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(parser.parse_args().url or f"sqlite:///{folder}/troupe.db"))
