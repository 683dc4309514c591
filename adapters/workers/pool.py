"""Processes for everything heavy, and the pool that shares them out."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from adapters.workers.frames import LENGTH, MAX_FRAME, pack_call, parse_reply
from pipeline.errors import WorkerLost

T = TypeVar("T")
GIBIBYTE = 1 << 30
_ROOT = Path(__file__).parents[2]
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from adapters.workers.inside import main; main(*sys.argv[2:])"
)
_BUFFER = 1 << 20
_IDLE_SECONDS = 300.0
"""After which an idle worker is ended, when the next work comes."""


@dataclass(frozen=True, slots=True)
class _Running:
    """A process and the connection to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None and not self.writer.is_closing()


class Worker:
    """A process that does one piece of work at a time, in order.

    It is started when there is work, and again when it has died; what work leaves in its memory
    stays for the next. It sees nothing of our environment but `environment`, and gets at most
    `memory_bytes` of its own (0: any). Cancelled work is asked to stop; after `grace` seconds the
    process is killed, with the programs that it has started.
    """

    def __init__(
        self, environment: Mapping[str, str], *, memory_bytes: int = 0, grace: float = 0
    ) -> None:
        self._environment = environment
        self._memory_bytes = memory_bytes
        self._grace = grace
        self._turn = asyncio.Lock()
        self._running: _Running | None = None
        self._announced = 0
        self.idle_since = 0.0

    @property
    def pid(self) -> int | None:
        """Another number means another process, with nothing in its memory."""
        return self._running.process.pid if self._running else None

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)`, as `ProcessWorkers.run`."""
        request = pack_call(work, args)
        async with self._turn:
            try:
                reply = await self._send(request)
            except (EOFError, OSError) as broken:
                await self.end()
                raise WorkerLost("worker-lost") from broken
            except BaseException:
                await self._stop()
                raise
            self.idle_since = asyncio.get_running_loop().time()
        return cast("T", parse_reply(work, reply))

    async def end(self) -> None:
        """Kill the process, with the programs that it has started."""
        if (running := self._running) is None:
            return
        running.writer.close()
        if running.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(running.process.pid, signal.SIGKILL)
        await running.process.wait()
        with suppress(OSError):
            await running.writer.wait_closed()
        if self._running is running:
            self._running = None

    async def _send(self, request: bytes) -> bytes:
        if self._running is None or not self._running.is_alive:
            await self.end()
            self._running = await self._start()
        writer = self._running.writer
        self._announced = 0
        writer.write(LENGTH.pack(len(request)))
        writer.write(request)
        await writer.drain()
        return await self._receive(self._running.reader)

    async def _receive(self, reader: asyncio.StreamReader) -> bytes:
        """The reply. May be called again after it was cancelled."""
        if not self._announced:
            (self._announced,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
        if self._announced > MAX_FRAME:
            raise EOFError
        return await reader.readexactly(self._announced)

    async def _stop(self) -> None:
        stopped = False
        try:
            with suppress(EOFError, OSError):  # a TimeoutError is an OSError
                if self._grace and self._running:
                    self._running.process.send_signal(signal.SIGUSR1)
                    async with asyncio.timeout(self._grace):
                        await self._receive(self._running.reader)
                    stopped = True
        finally:
            if not stopped:
                await self.end()

    async def _start(self) -> _Running:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_BUFFER)
            try:
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-c", _START, str(_ROOT)),
                    *(str(theirs.fileno()), str(self._memory_bytes)),
                    pass_fds=(theirs.fileno(),),
                    env=self._environment,
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                    start_new_session=True,
                )
            except BaseException:
                writer.close()
                raise
        return _Running(process, reader, writer)


@asynccontextmanager
async def process_workers(
    count: int, environment: Mapping[str, str], *, memory_bytes: int = 3 * GIBIBYTE
) -> AsyncIterator["ProcessWorkers"]:
    """At most `count` processes, started when needed: see Worker."""
    workers = [Worker(environment, memory_bytes=memory_bytes) for _ in range(count)]
    try:
        yield ProcessWorkers(workers)
    finally:
        for worker in workers:
            await worker.end()


class ProcessWorkers:
    """The `Workers` port."""

    def __init__(self, workers: list[Worker]) -> None:
        self._slots = asyncio.Semaphore(len(workers))
        self._idle = workers

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)` in another process: a function at the top of a module, with type hints.

        Raises what it raises, WorkerLost when the process died, and WorkFailed for a bug in it.
        Cancelling kills the process, so `asyncio.timeout` is a limit that hostile input cannot
        outstay.
        """
        async with self._slots:
            worker = self._idle.pop()  # the one that worked last
            try:
                await self._end_idle()
                return await worker.run(work, *args)
            finally:
                self._idle.append(worker)

    async def _end_idle(self) -> None:
        long_ago = asyncio.get_running_loop().time() - _IDLE_SECONDS
        for worker in [worker for worker in self._idle if worker.idle_since < long_ago]:
            await worker.end()
