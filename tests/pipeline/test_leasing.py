"""Doing what one program alone may do, for as long as it has the lease of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext

import pytest

from pipeline.errors import LeaseLost, StoreUnavailable
from pipeline.leasing import hold_lease
from pipeline.ports import LEASE_SECONDS
from tests.fakes.clock import SkippingLoop
from tests.fakes.replicas import FakeLeases, FakeReplicas


def run_with_two(work: Callable[[FakeLeases, FakeLeases], Awaitable[None]]) -> None:
    """Run a test with the leases of two programs; it waits for no timer."""

    async def run() -> None:
        replicas = FakeReplicas(now=asyncio.get_running_loop().time)
        ours, others = replicas.leases(), replicas.leases()
        assert isinstance(ours, FakeLeases)
        assert isinstance(others, FakeLeases)
        await work(ours, others)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(run())


@asynccontextmanager
async def losing(ours: FakeLeases) -> AsyncIterator[None]:
    """Hold a lease, let the block take it away, and wait for the end."""
    with pytest.raises(LeaseLost):  # noqa: PT012 - the context raises, not what the block does
        async with hold_lease(ours, "read"):
            yield
            await asyncio.Event().wait()


def test_a_lease_is_renewed_for_as_long_as_it_is_held() -> None:
    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        async with hold_lease(ours, "read") as is_ours:
            assert is_ours
            for _ in range(50):
                await asyncio.sleep(LEASE_SECONDS / 5)
                assert not await others.acquire("read", 1.0)

    run_with_two(work)


def test_what_another_program_holds_is_not_ours_and_stays_its() -> None:
    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        async with hold_lease(others, "read"), hold_lease(ours, "read") as is_ours:
            assert not is_ours
        async with hold_lease(others, "read"):
            async with hold_lease(ours, "read"):
                pass
            assert not await ours.acquire("read", 1.0)

    run_with_two(work)


@pytest.mark.parametrize("error", [None, KeyError, TimeoutError, asyncio.CancelledError])
def test_a_lease_is_given_back_whatever_ends_it(error: type[BaseException] | None) -> None:
    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        with nullcontext() if error is None else pytest.raises(error):
            async with hold_lease(ours, "read"):
                if error is not None:
                    raise error
        async with hold_lease(others, "read") as is_theirs:
            assert is_theirs

    run_with_two(work)


def test_the_work_is_cancelled_when_another_program_has_the_lease() -> None:
    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        async with losing(ours):
            del ours.rows["read"]
            assert await others.acquire("read", 2 * LEASE_SECONDS)
        assert not await ours.acquire("read", 1.0)

    run_with_two(work)


def test_the_work_is_cancelled_when_the_lease_cannot_be_renewed_in_time() -> None:
    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        async with losing(ours):
            ours.runs.clear()
        await asyncio.sleep(0.1)
        assert await others.acquire("read", 1.0)

    run_with_two(work)


def test_renewing_is_tried_again_while_the_lease_lasts() -> None:
    class Failing(FakeLeases):
        failures = 0

        async def acquire(self, name: str, seconds: float) -> bool:
            if name in self.rows and self.failures < 1:
                self.failures += 1
                raise StoreUnavailable("store-gone")
            return await super().acquire(name, seconds)

    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        failing = Failing(ours.program, ours.rows, ours.now)
        async with hold_lease(failing, "read"):
            await asyncio.sleep(2 * LEASE_SECONDS)
            assert not await others.acquire("read", 1.0)
        assert failing.failures == 1

    run_with_two(work)


def test_a_lease_that_was_waited_for_for_long_is_taken_anew() -> None:
    class Slow(FakeLeases):
        asked = 0

        async def acquire(self, name: str, seconds: float) -> bool:
            self.asked += 1
            is_ours = await super().acquire(name, seconds)
            await asyncio.sleep(2 * LEASE_SECONDS if self.asked == 1 else 0.0)
            return is_ours

    async def work(ours: FakeLeases, others: FakeLeases) -> None:
        async with hold_lease(Slow(ours.program, ours.rows, ours.now), "read"):
            await asyncio.sleep(LEASE_SECONDS / 5)
            assert not await others.acquire("read", 1.0)

    run_with_two(work)
