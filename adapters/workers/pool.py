"""Worker processes for everything heavy, and a pool of them."""

import asyncio
import json
import signal
import site
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, cast

from adapters.workers.process import LENGTH, MAX_FRAME, pack_call, parse_reply
from adapters.workers.programs import kill_group
from adapters.workers.sandbox import hide_from_children
from pipeline.errors import WorkerLost
from pipeline.outage import wait_for_room
from pipeline.queues import FIRST, PrioritySemaphore, Ticket

T = TypeVar("T")
GIBIBYTE = 1 << 30
_ROOT = Path(__file__).parents[2]
_START = (
    "import json, sys; root, *arguments = json.loads(sys.argv[1]); sys.path.insert(0, root); "
    "from adapters.workers.process import main; main(*arguments)"
)
LIBRARY_SWITCHES = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime reports to its maker
    "HF_HUB_DISABLE_TELEMETRY": "1",  # diffusers reports what it loads
    "HF_HUB_OFFLINE": "1",  # transformers looks for newer files and for converted weights
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
"""What libraries are told in every worker. They have no network, and would wait for it."""
_BUFFER = 1 << 20
_PIECE = 1 << 18
"""Bytes that are written at once: copying large files at once would stop the event loop."""


class Worker:
    """A process that runs one call at a time, in order.

    It starts with the first call, and again after it has died; its memory is kept between calls.
    It has at most `memory_bytes` (0: no limit), and of our variables only those in `environment`.
    It runs in the sandbox, where it can read `readable`, and write `writable` and a folder of its
    own, its home. A cancelled call is asked to stop; after `grace` seconds the process is killed,
    with its children.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        memory_bytes: int = 0,
        grace: float = 0,
        readable: Sequence[str] = (),
        writable: Sequence[str] = (),
    ) -> None:
        self._environment = environment
        self._memory_bytes = memory_bytes
        self._grace = grace
        self._readable = readable
        self._writable = writable
        self._folder: TemporaryDirectory[str] | None = None
        self._lock = asyncio.Lock()
        self._process: Process | None = None
        self._reply_size = 0

    @property
    def pid(self) -> int | None:
        """Changes when the process is replaced, which empties its memory."""
        return self._process.pid if self._process else None

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)`, as `ProcessWorkers.run`."""
        request = pack_call(work, args)
        async with self._lock:
            try:
                reply = await self._send(request)
            except (EOFError, OSError) as broken:
                await self.end()
                raise WorkerLost("worker-lost") from broken
            except BaseException:
                await self._stop()
                raise
        return cast("T", parse_reply(work, reply))

    async def end(self) -> None:
        """Kill the process and its children, and delete its folder."""
        process, folder = self._process, self._folder
        if process is not None:
            kill_group(process)
            await process.wait()
            if self._process is process:
                self._process = None
        if folder is not None:
            await asyncio.to_thread(folder.cleanup)

    async def _send(self, request: Sequence[bytes]) -> bytes:
        if self._process is None or self._process.returncode is not None:
            await self.end()
            self._process = await self._start()
        process, self._reply_size = self._process, 0
        assert process.stdin
        process.stdin.write(LENGTH.pack(sum(map(len, request))))
        try:
            for part in request:
                for start in range(0, len(part), _PIECE):
                    process.stdin.write(part[start : start + _PIECE])
                    await process.stdin.drain()
        except BaseException:
            await self.end()  # half a request: nothing more can be said to this process
            raise
        return await self._receive(process)

    async def _receive(self, process: Process) -> bytes:
        """Read the reply. Can be called again after it was cancelled."""
        assert process.stdout
        if not self._reply_size:
            (self._reply_size,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        if self._reply_size > MAX_FRAME:
            raise EOFError
        return await process.stdout.readexactly(self._reply_size)

    async def _stop(self) -> None:
        stopped = False
        try:
            with suppress(EOFError, OSError):  # a TimeoutError is an OSError
                if self._grace and self._process:
                    self._process.send_signal(signal.SIGUSR1)
                    async with asyncio.timeout(self._grace):
                        await self._receive(self._process)
                    stopped = True
        finally:
            if not stopped:
                await self.end()

    async def _start(self) -> Process:
        hide_from_children()
        self._folder = TemporaryDirectory(prefix="troupe-worker-", ignore_cleanup_errors=True)
        folder = self._folder.name
        own = {"HOME": folder, "TMPDIR": folder, "PYTHONUSERBASE": site.getuserbase()}
        writable = [folder, *self._writable]
        arguments = json.dumps([str(_ROOT), self._memory_bytes, self._readable, writable])
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _START, arguments),
            env={**self._environment, **LIBRARY_SWITCHES, **own},
            stdin=PIPE,
            stdout=PIPE,
            limit=_BUFFER,
            start_new_session=True,
        )


@asynccontextmanager
async def process_workers(
    count: int, environment: Mapping[str, str], *, memory_bytes: int = 3 * GIBIBYTE
) -> AsyncIterator["ProcessWorkers"]:
    """Up to `count` worker processes, started when needed."""
    workers = [Worker(environment, memory_bytes=memory_bytes) for _ in range(count)]
    try:
        yield ProcessWorkers(workers)
    finally:
        for worker in workers:
            await worker.end()


class ProcessWorkers:
    """The `Workers` port."""

    def __init__(self, workers: list[Worker]) -> None:
        self._slots = PrioritySemaphore(len(workers))
        self._idle = workers
        self.count = len(workers)
        self.lost = 0
        """How often a process died over its work."""

    @property
    def busy(self) -> int:
        return self.count - len(self._idle)

    @property
    def waiting(self) -> int:
        """How many calls wait for a process."""
        return self._slots.waiting

    async def run(
        self,
        work: Callable[..., T],
        *args: object,
        ticket: Ticket = FIRST,
        seconds: float | None = None,
    ) -> T:
        """Run `work(*args)`, a module-level function with type hints, in another process.

        Raises its errors, WorkerLost if the process died, WorkFailed for a bug, and TimeoutError
        when the work takes longer than `seconds`. Cancelling kills the process, so that a timeout
        also stops hostile input. Without room for temporary files, it is tried again for a while.
        """
        attempt = partial(self._run, work, *args, ticket=ticket, seconds=seconds)
        return await wait_for_room(attempt)

    async def _run(
        self, work: Callable[..., T], *args: object, ticket: Ticket, seconds: float | None
    ) -> T:
        async with self._slots.slot(ticket):
            worker = self._idle.pop()  # the last one used
            try:
                async with asyncio.timeout(seconds):
                    return await worker.run(work, *args)
            except WorkerLost:
                self.lost += 1
                raise
            finally:
                self._idle.append(worker)
