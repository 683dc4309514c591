"""A program that keeps things, and says so, until it is killed. Started by test_kill."""

import asyncio
import sys
from itertools import count

from adapters.store import open_persistence
from pipeline.domain import RunId
from tests.contracts.messages import message


async def main(url: str, begin: int) -> None:
    async with open_persistence(url) as kept, asyncio.TaskGroup() as group:

        async def keep(worker: int) -> None:
            for number in count(begin):
                run = RunId(f"{worker}-{number}")
                await kept.inbox.accept(message(run), run)
                print("accepted", run, flush=True)  # noqa: T201 - heard by the test
                await kept.journal.record(run, "step", "1")
                print("recorded", run, flush=True)  # noqa: T201

        for worker in range(3):
            group.create_task(keep(worker))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
