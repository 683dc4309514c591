"""One pool of processes for everything heavy: each does one piece of work at a time."""

import asyncio
import os
import pickle
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

from adapters.workers.inside import GIBIBYTE, LENGTH
from pipeline.errors import WorkerLost

T = TypeVar("T")
_ROOT = Path(__file__).parents[2]
_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from adapters.workers.inside import main; main(*sys.argv[2:])"
_BUFFER = 1 << 20
_IDLE = 300.0
"""Seconds after which a worker that has nothing to do is ended, when the next work comes."""


@asynccontextmanager
async def process_workers(
    count: int, environment: Mapping[str, str], *, memory_bytes: int = 3 * GIBIBYTE
) -> AsyncIterator["ProcessWorkers"]:
    """At most `count` processes, begun when they are needed, each with at most `memory_bytes` of its own.

    They see nothing of ours but this environment.
    """
    workers = ProcessWorkers(count, environment, memory_bytes)
    try:
        yield workers
    finally:
        await workers.end()


@dataclass(eq=False, slots=True)
class _Worker:
    """A process and the line to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    idle_since: float = 0.0

    @property
    def lives(self) -> bool:
        return self.process.returncode is None

    async def asked(self, request: bytes) -> bytes:
        """Its reply. Raises EOFError or OSError when it is gone."""
        self.writer.write(LENGTH.pack(len(request)))
        self.writer.write(request)
        await self.writer.drain()
        (length,) = LENGTH.unpack(await self.reader.readexactly(LENGTH.size))
        return await self.reader.readexactly(length)

    async def end(self) -> None:
        """With the programs that it has begun."""
        self.writer.close()
        if self.lives:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        with suppress(OSError):
            await self.writer.wait_closed()


class ProcessWorkers:
    """The port `Workers`."""

    def __init__(self, count: int, environment: Mapping[str, str], memory_bytes: int) -> None:
        self._places = asyncio.Semaphore(count)
        self._environment = environment
        self._memory_bytes = memory_bytes
        self._idle: deque[_Worker] = deque()

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)` in another process. Raises what it raises, and WorkerLost when the process died.

        Cancelling kills the process, so `asyncio.timeout` is a limit that hostile input cannot outstay.
        """
        request = pickle.dumps((work, args), pickle.HIGHEST_PROTOCOL)
        async with self._places:
            try:
                reply = await self._replied(request)
            except (EOFError, OSError) as broken:
                raise WorkerLost("worker-lost") from broken
        done, made = pickle.loads(reply)  # noqa: S301 - of a process of ours
        if done:
            return cast("T", made)
        if isinstance(made, MemoryError):
            raise WorkerLost("worker-out-of-memory") from made
        raise made

    async def end(self) -> None:
        while self._idle:
            await self._idle.popleft().end()

    async def _replied(self, request: bytes) -> bytes:
        worker = await self._at_hand()
        try:
            reply = await worker.asked(request)
        except BaseException:
            await worker.end()
            raise
        worker.idle_since = asyncio.get_running_loop().time()
        self._idle.append(worker)
        return reply

    async def _at_hand(self) -> _Worker:
        """The one that was at work last, else a new one. Others that were idle for long are ended."""
        long_ago = asyncio.get_running_loop().time() - _IDLE
        while len(self._idle) > 1 and self._idle[0].idle_since < long_ago:
            await self._idle.popleft().end()
        while self._idle:
            worker = self._idle.pop()
            if worker.lives:
                return worker
            await worker.end()
        return await self._begun()

    async def _begun(self) -> _Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_BUFFER)
            try:
                process = await self._process(theirs)
            except BaseException:
                writer.close()
                raise
        return _Worker(process, reader, writer)

    async def _process(self, line: socket.socket) -> Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _BEGIN, str(_ROOT)),
            *(str(line.fileno()), str(self._memory_bytes)),
            pass_fds=(line.fileno(),),
            env=self._environment,
            stdin=DEVNULL,
            stdout=DEVNULL,
            start_new_session=True,
        )
