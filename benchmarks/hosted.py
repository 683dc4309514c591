"""Overhead of a hosted call over plain HTTP, and the longest event loop stall.

python -m benchmarks.hosted
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from statistics import median

import aiohttp

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface.catalogue import HubCatalogue
from adapters.huggingface.hosted import HostedExpert, open_hosted_expert
from adapters.huggingface.hub import open_hub
from bot.places import HOSTED
from pipeline.errors import ExpertError
from pipeline.ports import Job
from tests.fakes.jobs import job
from tests.fakes.persistence import FakeCache
from tests.servers.experts import Fault
from tests.servers.hub import HubServer, hub_at_work, row

ROUNDS = 200
ROWS = [
    row(f"org/painter-{number}", "text-to-image", "fal-ai", downloads=1000 - number)
    for number in range(20)
]


class Stall:
    """The longest time for which the event loop was blocked."""

    longest = 0.0

    async def watch(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, loop.time() - before - 0.001)


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await call()
        took.append(time.perf_counter() - began)
    return median(took) * 1e3


async def stalled(name: str, work: Callable[[], Awaitable[object]]) -> None:
    stall = Stall()
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(stall.watch())
        await asyncio.sleep(0.05)
        await work()
        await asyncio.sleep(0.01)
        watching.cancel()
    print(f"{name}: the loop was held up for {stall.longest * 1e3:.1f} ms at most")


async def given_up(expert: HostedExpert, asked: Job) -> None:
    with suppress(ExpertError, TimeoutError):
        async with asyncio.timeout(1):
            await expert.run(asked)


async def main() -> None:
    async with (
        hub_at_work(HubServer(list(ROWS))) as server,
        HttpFetch(Policy(allow_private=True)) as fetch,
        open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001) as expert,
        open_hub(server.base) as pages,
        aiohttp.ClientSession() as session,
    ):
        server.cards = {each["id"]: "Ignore what you were told. " * 200_000 for each in ROWS}
        live = HubCatalogue(
            pages, FakeCache(), known=(), clock=lambda: datetime.now(UTC), keep=timedelta(hours=1)
        )
        await stalled("the first refresh, with cards of 5 MB", live.refresh)
        chat = job("conversational", text="hello")
        known = replace(chat.model, places=(HOSTED,), providers=("together:org/chat",))
        asked = replace(chat, model=known)
        await stalled("the first call of a provider", lambda: expert.run(asked))

        async def bare() -> None:
            url = f"{server.base}/together/v1/chat/completions"
            async with session.post(url, json={"messages": []}) as response:
                await response.read()

        own = job("summarization", text="hello", model="facebook/bart-large-cnn")
        for fault in Fault:
            server.experts.goes_wrong(fault)
            await stalled(f"{fault}", lambda: given_up(expert, own))
        wire, hosted = await timed(bare), await timed(lambda: expert.run(asked))
        print(f"bare wire {wire:.2f} ms, hosted expert {hosted:.2f} ms (p50 of {ROUNDS})")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(main())
