"""The loops whose time is that of the test."""

import asyncio
import threading
import time

from tests.fakes.clock import PatientLoop, SkippingLoop, Starvation


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


class Hungry(Starvation):
    """A minute without a processor each time that it is asked."""

    minutes = 0

    def seconds(self) -> float:
        self.minutes += 1
        return 60.0 * self.minutes


def test_time_without_a_processor_does_not_count() -> None:
    loop = PatientLoop(starvation=Hungry())
    times = [loop.time() for _ in range(3)]
    loop.close()

    assert times == sorted(times, reverse=True)


def test_a_thread_is_starved_for_no_longer_than_it_lives() -> None:
    starvation = Starvation()
    before = starvation.seconds(), time.monotonic()
    after = starvation.seconds(), time.monotonic()
    starvation.close()

    assert 0 <= after[0] - before[0] <= after[1] - before[1]
