"""The loop that skips idle waits."""

import asyncio
import threading

from tests.fakes.clock import SkippingLoop


def test_an_hour_without_events_is_skipped() -> None:
    async def sleep() -> float:
        begin = asyncio.get_running_loop().time()
        await asyncio.sleep(3600)
        return asyncio.get_running_loop().time() - begin

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        assert runner.run(sleep()) >= 3600


def test_time_is_not_skipped_while_a_thread_is_at_work() -> None:
    async def work() -> None:
        async with asyncio.timeout(30):
            await asyncio.to_thread(threading.Event().wait, 0.05)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(work())
