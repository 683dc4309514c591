"""The pool of worker processes holds against what happens in its workers."""

import asyncio
import json
import os
import select
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from math import inf
from pathlib import Path

import pytest

from adapters.workers.pool import LIBRARY_SWITCHES, ProcessWorkers, process_workers
from adapters.workers.process import LENGTH, WorkFailed, pack_call, parse_reply, run_call
from pipeline.errors import StoreUnavailable, WorkerLost
from pipeline.queues import Ticket
from tests.adapters.workers import work
from tests.house.source import ROOT


@pytest.fixture
async def workers() -> AsyncIterator[ProcessWorkers]:
    async with process_workers(1, {"GIVEN": "1"}, memory_bytes=1 << 30) as made:
        yield made


async def test_the_next_work_goes_to_the_same_process(workers: ProcessWorkers) -> None:
    first = await workers.run(work.whoami)
    second = await workers.run(work.whoami)

    assert first == second != os.getpid()


async def test_a_crash_is_told_and_the_next_work_is_done(workers: ProcessWorkers) -> None:
    with pytest.raises(WorkerLost) as lost:
        await workers.run(work.crash)

    assert lost.value.sentence.id == "worker-lost"
    assert await workers.run(work.add, 1, 2) == 3


async def test_work_without_room_for_its_files_is_told_as_a_full_disk() -> None:
    reply = run_call(b"".join(pack_call(work.fill, ())))

    with pytest.raises(StoreUnavailable) as full:
        parse_reply(work.fill, reply)

    assert full.value.sentence.id == "store-full"


async def test_work_that_wants_too_much_memory_is_told_and_the_next_is_done(
    workers: ProcessWorkers,
) -> None:
    with pytest.raises(WorkerLost) as lost:
        await workers.run(work.hoard)

    assert lost.value.sentence.id == "worker-out-of-memory"
    assert await workers.run(work.add, 1, 2) == 3


async def test_large_work_arrives_whole_and_spoils_nothing_when_it_is_cancelled(
    workers: ProcessWorkers,
) -> None:
    large = b"0123456789" * 2_000_000
    assert await workers.run(work.measure, large, b"") == (len(large), 0)

    async with asyncio.TaskGroup() as group:
        sending = group.create_task(workers.run(work.measure, large, large))
        while not workers.busy:  # noqa: ASYNC110 - the pool tells nobody
            await asyncio.sleep(0)
        sending.cancel()

    assert await workers.run(work.measure, b"1", large) == (1, len(large))


async def test_what_libraries_and_children_print_does_not_garble_results(
    workers: ProcessWorkers,
) -> None:
    assert await workers.run(work.babble) == "clear"
    assert await workers.run(work.read_standard_input) == b""
    assert await workers.run(work.add, 1, 2) == 3


async def test_what_a_worker_prints_is_not_in_our_log_which_it_cannot_change(
    workers: ProcessWorkers, capfd: pytest.CaptureFixture[str]
) -> None:
    await workers.run(work.reach_log)

    assert capfd.readouterr() == ("", "")


async def test_a_worker_sees_nothing_of_our_environment_but_what_it_is_given(
    workers: ProcessWorkers,
) -> None:
    seen = await workers.run(work.environment)

    own = {"HOME", "TMPDIR", "PYTHONUSERBASE", "LC_CTYPE"}  # the last is set by Python itself
    assert seen - own - LIBRARY_SWITCHES.keys() == {"GIVEN"}
    assert LIBRARY_SWITCHES.keys() <= seen


async def test_cancelling_kills_the_process_and_what_it_began_and_frees_its_place(
    workers: ProcessWorkers,
) -> None:
    note = Path(await workers.run(work.folder), "pid")
    os.mkfifo(note)

    async with asyncio.TaskGroup() as group:
        hanging = group.create_task(workers.run(work.hang, note))
        opened = await asyncio.to_thread(note.open)
        pid = int(await asyncio.to_thread(opened.readline))
        hanging.cancel()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    async with asyncio.timeout(10):  # it ends when nobody is left who could write to it
        assert not await asyncio.to_thread(opened.read)
    opened.close()
    assert await workers.run(work.add, 1, 2) == 3


async def test_what_a_worker_began_ends_with_it(workers: ProcessWorkers) -> None:
    note = Path(await workers.run(work.folder), "held")
    os.mkfifo(note)

    async with asyncio.TaskGroup() as group:
        reading = group.create_task(asyncio.to_thread(note.read_text))
        watched = os.pidfd_open(await workers.run(work.leave, note))
        await asyncio.to_thread(select.select, [watched], [], [], 20)
        os.close(watched)
        with suppress(WorkerLost):  # that it ended may not have been noticed yet
            await workers.run(work.add, 1, 2)
        async with asyncio.timeout(10):
            assert not await reading


async def test_a_time_limit_is_the_callers_and_holds(workers: ProcessWorkers) -> None:
    note = Path(await workers.run(work.folder), "pid")

    with pytest.raises(TimeoutError):
        await workers.run(work.hang, note, seconds=0.2)

    assert await workers.run(work.add, 1, 2) == 3


async def test_a_time_limit_does_not_count_the_wait_for_a_worker(workers: ProcessWorkers) -> None:
    note = Path(await workers.run(work.folder), "pid")

    async with asyncio.TaskGroup() as group:
        busy = group.create_task(workers.run(work.hang, note))
        late = group.create_task(_fail_late(workers))
        await asyncio.wait({late}, timeout=0.05)
        is_waiting = not late.done()
        busy.cancel()

    assert is_waiting
    assert late.result()


async def _fail_late(workers: ProcessWorkers) -> bool:
    try:
        await workers.run(work.add, 1, 2, seconds=0)
    except TimeoutError:
        return True
    return False


async def test_the_run_that_began_first_gets_the_next_worker(workers: ProcessWorkers) -> None:
    served: list[str] = []

    async def run(name: str, began: float) -> None:
        await workers.run(work.add, 1, 2, ticket=Ticket(began))
        served.append(name)

    async with asyncio.TaskGroup() as group:
        for name, began in (("at once", 9.0), ("second", 2.0), ("first", 1.0), ("short", -inf)):
            group.create_task(run(name, began))

    assert served == ["at once", "short", "first", "second"]


async def test_a_bug_in_the_work_is_told_as_one(workers: ProcessWorkers) -> None:
    with pytest.raises(WorkFailed, match="ZeroDivisionError"):
        await workers.run(work.divide, 1, 0)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\x80\x04K\x01.",
        b"\0" * 16,
        b"\xff" * 64,
        b"\0" * 7 + b"\x02[]",
        b"\0" * 7 + b"\x02{}",
        (100_000).to_bytes(8, "big") + b"[" * 100_000,
    ],
)
def test_a_reply_that_is_no_answer_is_a_lost_worker(reply: bytes) -> None:
    with pytest.raises(WorkerLost):
        parse_reply(work.add, reply)


def test_a_reply_is_json_that_names_no_code_to_run() -> None:
    reply = run_call(b"".join(pack_call(work.add, (1, 2))))

    assert json.loads(reply[8:]) == {"result": 3}
    assert parse_reply(work.add, reply) == 3


_PROGRAM = """
import asyncio, sys
from adapters.workers.pool import Worker
from tests.adapters.workers import work
from tests.house.source import ROOT

async def main():
    worker = Worker({})
    print(await worker.run(work.whoami), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends at its next read")
def test_a_worker_whose_program_is_gone_ends_without_a_word() -> None:
    call = b"".join(pack_call(work.whoami, ()))
    unread, answers = os.pipe()
    os.close(unread)

    ended = subprocess.run(
        [sys.executable, "-c", "from adapters.workers.process import main; main(0)"],
        cwd=ROOT,
        input=LENGTH.pack(len(call)) + call,
        stdout=answers,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(answers)

    assert ended.stderr == b""


async def test_a_worker_goes_when_the_program_is_killed() -> None:
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PROGRAM, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert program.stdout is not None
    pid = int(await program.stdout.readline())
    watched = os.pidfd_open(pid)
    program.kill()
    await program.wait()

    gone, _, _ = await asyncio.to_thread(select.select, [watched], [], [], 20)

    os.close(watched)
    assert gone
