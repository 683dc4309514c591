"""The clock of the work stands still while it waits in a queue."""

import asyncio

import pytest

from pipeline.execution.work_clock import WorkClock


async def _pass_time() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_the_timeout_does_not_run_while_the_work_waits() -> None:
    clock, is_late = WorkClock(), True

    async with clock.timeout(0):
        clock.note_place(2)
        await _pass_time()
        clock.note_place(1)
        await _pass_time()
        is_late = False

    assert not is_late


async def test_the_timeout_goes_on_when_the_work_begins() -> None:
    clock = WorkClock()

    async def wait_and_hang() -> None:
        async with clock.timeout(0):
            clock.note_place(1)
            await _pass_time()
            clock.note_place(0)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await wait_and_hang()


async def test_the_clock_stands_still_in_a_queue() -> None:
    clock = WorkClock()

    async with clock.timeout(60):
        clock.note_place(1)
        before = clock.now(), clock.left()
        await _pass_time()
        after = clock.now(), clock.left()

    assert before == after
