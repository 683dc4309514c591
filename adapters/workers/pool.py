"""One pool of processes for everything heavy: each does one piece of work at a time."""

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections import deque
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


@asynccontextmanager
async def process_workers(
    count: int, environment: Mapping[str, str], *, memory_bytes: int = 3 * GIBIBYTE
) -> AsyncIterator["ProcessWorkers"]:
    """At most `count` processes, started when needed, each with at most `memory_bytes` of its own.

    They see nothing of our environment but `environment`.
    """
    workers = ProcessWorkers(count, environment, memory_bytes)
    try:
        yield workers
    finally:
        await workers.end()


@dataclass(eq=False, slots=True)
class _Worker:
    """A process and the connection to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    idle_since: float = 0.0

    @property
    def is_alive(self) -> bool:
        return self.process.returncode is None

    async def send(self, request: bytes) -> bytes:
        """Its reply. Raises EOFError or OSError when it is gone, or replies without end."""
        self.writer.write(LENGTH.pack(len(request)))
        self.writer.write(request)
        await self.writer.drain()
        (length,) = LENGTH.unpack(await self.reader.readexactly(LENGTH.size))
        if length > MAX_FRAME:
            raise EOFError
        return await self.reader.readexactly(length)

    async def end(self) -> None:
        """Kill it, with the programs that it has started."""
        self.writer.close()
        if self.is_alive:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        with suppress(OSError):
            await self.writer.wait_closed()


class ProcessWorkers:
    """The `Workers` port."""

    def __init__(self, count: int, environment: Mapping[str, str], memory_bytes: int) -> None:
        self._slots = asyncio.Semaphore(count)
        self._environment = environment
        self._memory_bytes = memory_bytes
        self._idle: deque[_Worker] = deque()

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)` in another process: a function at the top of a module, with type hints.

        Raises what it raises, WorkerLost when the process died, and WorkFailed for a bug in it.
        Cancelling kills the process, so `asyncio.timeout` is a limit that hostile input cannot
        outstay.
        """
        request = pack_call(work, args)
        async with self._slots:
            try:
                reply = await self._send(request)
            except (EOFError, OSError) as broken:
                raise WorkerLost("worker-lost") from broken
        return cast("T", parse_reply(work, reply))

    async def end(self) -> None:
        """End all processes."""
        while self._idle:
            await self._idle.popleft().end()

    async def _send(self, request: bytes) -> bytes:
        worker = await self._take_idle() or await self._start()
        try:
            reply = await worker.send(request)
        except BaseException:
            await worker.end()
            raise
        worker.idle_since = asyncio.get_running_loop().time()
        self._idle.append(worker)
        return reply

    async def _take_idle(self) -> _Worker | None:
        """The one that worked last. Others that were idle for long are ended."""
        long_ago = asyncio.get_running_loop().time() - _IDLE_SECONDS
        while len(self._idle) > 1 and self._idle[0].idle_since < long_ago:
            await self._idle.popleft().end()
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            await worker.end()
        return None

    async def _start(self) -> _Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_BUFFER)
            try:
                process = await self._start_process(theirs)
            except BaseException:
                writer.close()
                raise
        return _Worker(process, reader, writer)

    async def _start_process(self, connection: socket.socket) -> Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _START, str(_ROOT)),
            *(str(connection.fileno()), str(self._memory_bytes)),
            pass_fds=(connection.fileno(),),
            env=self._environment,
            stdin=DEVNULL,
            stdout=DEVNULL,
            start_new_session=True,
        )
