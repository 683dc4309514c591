"""The pool of worker processes holds against what happens in its workers."""

import asyncio
import os
from pathlib import Path

import pytest

from adapters.workers import ProcessWorkers
from pipeline.errors import WorkerLost
from tests.adapters.workers import work


async def test_the_next_work_goes_to_the_same_process() -> None:
    workers = ProcessWorkers(1)

    first = await workers.run(work.whoami)
    second = await workers.run(work.whoami)

    assert first == second != os.getpid()


async def test_a_crash_is_told_and_the_next_work_is_done() -> None:
    workers = ProcessWorkers(1)

    with pytest.raises(WorkerLost) as lost:
        await workers.run(work.crash)

    assert lost.value.sentence.id == "worker-lost"
    assert await workers.run(work.add, 1, 2) == 3


async def test_work_that_wants_too_much_memory_is_told_and_the_next_is_done() -> None:
    workers = ProcessWorkers(1, memory_bytes=1 << 30)

    with pytest.raises(WorkerLost) as lost:
        await workers.run(work.hoard)

    assert lost.value.sentence.id == "worker-out-of-memory"
    assert await workers.run(work.add, 1, 2) == 3


async def test_what_libraries_and_children_print_does_not_garble_results() -> None:
    workers = ProcessWorkers(1)

    assert await workers.run(work.babble) == "clear"
    assert await workers.run(work.read_standard_input) == b""
    assert await workers.run(work.add, 1, 2) == 3


async def test_cancelling_kills_the_process_and_frees_its_place(tmp_path: Path) -> None:
    workers = ProcessWorkers(1)
    note = tmp_path / "pid"
    os.mkfifo(note)

    async with asyncio.TaskGroup() as group:
        hanging = group.create_task(workers.run(work.hang, note))
        pid = int(await asyncio.to_thread(note.read_text))
        hanging.cancel()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert await workers.run(work.add, 1, 2) == 3


async def test_a_time_limit_is_the_callers_and_holds(tmp_path: Path) -> None:
    workers = ProcessWorkers(1)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await workers.run(work.hang, tmp_path / "pid")
