"""A worker process as the server sees it: one piece of work at a time, started again when it died."""

import asyncio
import contextlib
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from adapters.local.options import Options
from adapters.local.orders import Order, Reply, packed_order, read_reply
from pipeline.errors import WorkerLost

log = structlog.get_logger()
_ROOT = Path(__file__).parents[2]
_BEGIN = "import sys; sys.path.insert(0, sys.argv[1]); from adapters.local.inside import main; main(sys.argv[2:])"
_LIMIT = 1 << 20
_QUIETLY = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}


@dataclass(eq=False, slots=True)
class Work:
    """An order, its body, and who waits for the reply.

    `after` is told how it ended, also when nobody waits any more: the reply, or None when there was none.
    """

    order: Order
    body: bytes
    after: Callable[["Ending"], None]
    done: asyncio.Future[Reply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


@dataclass(frozen=True, slots=True)
class Ending:
    """How work ended: with a reply, with the death of the process, or (neither) before it began."""

    reply: Reply | None = None
    died: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """A running process and the way to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class Worker:
    """A process that holds models. `serve` must run for anything to happen."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._queue: asyncio.Queue[Work] = asyncio.Queue()
        self._line: _Line | None = None
        self._at_work = False
        self._killing: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How much work is begun or waits."""
        return self._queue.qsize() + self._at_work

    @property
    def pid(self) -> int | None:
        return self._line.process.pid if self._line else None

    def put(self, work: Work) -> None:
        self._queue.put_nowait(work)

    async def serve(self) -> None:
        """Does the work in its order, until cancelled."""
        try:
            with contextlib.suppress(OSError, EOFError):  # told to whoever asks for work
                await self._running()
            while True:
                work = await self._queue.get()
                if work.done.cancelled():
                    work.after(Ending())
                else:
                    await self._do(work)
        finally:
            await self._end()

    async def _do(self, work: Work) -> None:
        self._at_work = True
        try:
            reply = await self._replied(work)
        except (OSError, EOFError) as error:
            await self._end()
            log.warning("worker died", model=work.order.model, kind=work.order.kind)
            work.after(Ending(died=True))
            if not work.done.done():
                lost = WorkerLost("local-worker-lost", model=work.order.model)
                lost.__cause__ = error
                work.done.set_exception(lost)
                work.done.exception()  # looked at: nobody may be waiting
        else:
            work.after(Ending(reply))
            if not work.done.done():
                work.done.set_result(reply)
        finally:
            self._at_work = False

    async def _replied(self, work: Work) -> Reply:
        line = await self._running()

        def stop(done: asyncio.Future[Reply]) -> None:
            if done.cancelled():
                self._stop(line.process)

        work.done.add_done_callback(stop)
        try:
            line.writer.write(packed_order(work.order, work.body))
            await line.writer.drain()
            return await read_reply(line.reader)
        finally:
            work.done.remove_done_callback(stop)
            if self._killing:
                self._killing.cancel()
                self._killing = None

    def _stop(self, process: Process) -> None:
        """Nobody waits any more: the worker is asked to stop, and killed when it does not in time."""
        self._killing = asyncio.get_running_loop().call_later(self._options.grace, _kill, process)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGUSR1)

    async def _running(self) -> _Line:
        if self._line is None:
            self._line = await self._begun()
        return self._line

    async def _begun(self) -> _Line:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_LIMIT)
            try:
                process = await self._process(theirs)
            except BaseException:
                writer.close()
                raise
        line = _Line(process, reader, writer)
        try:
            await read_reply(reader)  # it is there: from then on it can be told to stop
        except BaseException:
            await _ended(line)
            raise
        return line

    async def _process(self, line: socket.socket) -> Process:
        options = self._options
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _BEGIN, str(_ROOT), str(line.fileno()), options.table),
            *(str(options.threads), options.device, str(options.memory_bytes)),
            pass_fds=(line.fileno(),),
            env={**options.environment, **_QUIETLY, "OMP_NUM_THREADS": str(options.threads)},
            stdin=DEVNULL,
            stdout=DEVNULL,
        )

    async def _end(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await _ended(line)


async def _ended(line: _Line) -> None:
    line.writer.close()
    _kill(line.process)
    await line.process.wait()
    with contextlib.suppress(OSError):
        await line.writer.wait_closed()


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
