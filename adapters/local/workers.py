"""Worker processes as the server sees them, and the pool that decides which holds which model."""

import asyncio
import contextlib
import itertools
import json
import signal
import socket
import struct
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

import structlog

from adapters.local.models_on_disk import ModelOnDisk
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from pipeline.errors import ExpertError, ExpertRefused, ExpertUnavailable, WorkerLost

log = structlog.get_logger()
_ROOT = Path(__file__).parents[2]
_MAIN = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from adapters.local.loaded_models import main; main(sys.argv[2:])"
)
_LENGTHS = struct.Struct(">II")
_READ_BYTES = 1 << 20
_LOADED_BYTES_A_SECOND = 200 * MEBIBYTE
_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_VERBOSITY": "error",
}
_Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRequest:
    """One piece of work. `action` is run, load or drop."""

    action: str
    model: str
    family: str
    kind: str = ""
    path: str = ""
    media_type: str = ""

    @property
    def key(self) -> _Key:
        return self.model, self.family


@dataclass(frozen=True, slots=True)
class WorkerReply:
    """The result. `held_bytes` is what the model weighs in the worker now, 0 when it is gone."""

    status: int
    held_bytes: int
    media_type: str = "application/json"
    body: bytes = b""


def encode_request(request: WorkerRequest, body: bytes) -> bytes:
    """A head in JSON and a body, both after their lengths."""
    return _frame(json.dumps(asdict(request)).encode(), body)


def encode_reply(reply: WorkerReply) -> bytes:
    head = [reply.status, reply.held_bytes, reply.media_type]
    return _frame(json.dumps(head).encode(), reply.body)


def _frame(head: bytes, body: bytes) -> bytes:
    return b"".join((_LENGTHS.pack(len(head), len(body)), head, body))


async def read_reply(reader: asyncio.StreamReader) -> WorkerReply:
    """The next reply. Raises IncompleteReadError when the worker is gone."""
    head, body = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
    status, held_bytes, media_type = json.loads(await reader.readexactly(head))
    return WorkerReply(status, held_bytes, media_type, await reader.readexactly(body))


def receive_request(connection: socket.socket) -> tuple[WorkerRequest, bytes] | None:
    """The next request and its body, in the worker; None when the server is gone."""
    with connection.makefile("rb", buffering=0) as stream:
        lengths = _read_exactly(stream.read, _LENGTHS.size)
        if len(lengths) < _LENGTHS.size:
            return None
        head, body = _LENGTHS.unpack(lengths)
        document = json.loads(_read_exactly(stream.read, head))
        return WorkerRequest(**document), _read_exactly(stream.read, body)


def _read_exactly(read: Callable[[int], bytes | None], count: int) -> bytes:
    """That many bytes; fewer only at the end of the stream."""
    parts = []
    while count and (part := read(min(count, _READ_BYTES))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


@dataclass(frozen=True, slots=True)
class _Ending:
    """How work ended: with a reply, with the worker's death, or (neither) before it began."""

    reply: WorkerReply | None = None
    died: bool = False


@dataclass(eq=False, slots=True)
class _QueuedWork:
    """A request, its body and its client's future; `on_end` is called even without a client."""

    request: WorkerRequest
    body: bytes
    on_end: Callable[[_Ending], None]
    reply: asyncio.Future[WorkerReply] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


@dataclass(frozen=True, slots=True)
class _RunningProcess:
    """A worker process and the connection to it."""

    process: Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


class ModelWorker:
    """A process that holds models, started again when it dies. Nothing happens before `serve`."""

    def __init__(self, options: ExpertServerOptions) -> None:
        self._options = options
        self._queue: asyncio.Queue[_QueuedWork] = asyncio.Queue()
        self._running: _RunningProcess | None = None
        self._busy = False
        self._kill_timer: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many requests are running or queued."""
        return self._queue.qsize() + self._busy

    @property
    def pid(self) -> int | None:
        return self._running.process.pid if self._running else None

    def put(self, work: _QueuedWork) -> None:
        self._queue.put_nowait(work)

    async def serve(self) -> None:
        """Do the queued work in order, until cancelled."""
        try:
            with contextlib.suppress(OSError, EOFError):  # the first request tries again
                await self._ensure_process()
            while True:
                work = await self._queue.get()
                if work.reply.cancelled():
                    work.on_end(_Ending())
                else:
                    await self._do(work)
        finally:
            await self._end()

    async def _do(self, work: _QueuedWork) -> None:
        self._busy = True
        try:
            reply = await self._send(work)
        except (OSError, EOFError) as error:
            await self._end()
            log.warning("worker died", model=work.request.model, kind=work.request.kind)
            work.on_end(_Ending(died=True))
            if not work.reply.done():
                lost = WorkerLost("local-worker-lost", model=work.request.model)
                lost.__cause__ = error
                work.reply.set_exception(lost)
                work.reply.exception()  # retrieved: there may be no client to do so
        else:
            work.on_end(_Ending(reply))
            if not work.reply.done():
                work.reply.set_result(reply)
        finally:
            self._busy = False

    async def _send(self, work: _QueuedWork) -> WorkerReply:
        running = await self._ensure_process()

        def stop_when_cancelled(reply: asyncio.Future[WorkerReply]) -> None:
            if reply.cancelled():
                self._stop(running.process)

        work.reply.add_done_callback(stop_when_cancelled)
        try:
            running.writer.write(encode_request(work.request, work.body))
            await running.writer.drain()
            return await read_reply(running.reader)
        finally:
            work.reply.remove_done_callback(stop_when_cancelled)
            if self._kill_timer:
                self._kill_timer.cancel()
                self._kill_timer = None

    def _stop(self, process: Process) -> None:
        """The client has left: ask the worker to stop, and kill it if it does not in time."""
        loop = asyncio.get_running_loop()
        self._kill_timer = loop.call_later(self._options.grace, _kill, process)
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGUSR1)

    async def _ensure_process(self) -> _RunningProcess:
        if self._running is None:
            self._running = await self._start()
        return self._running

    async def _start(self) -> _RunningProcess:
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=_READ_BYTES)
            try:
                process = await self._create_process(theirs.fileno())
            except BaseException:
                writer.close()
                raise
        running = _RunningProcess(process, reader, writer)
        try:
            await read_reply(reader)  # from now on it understands the signal to stop
        except BaseException:
            await _end_process(running)
            raise
        return running

    async def _create_process(self, descriptor: int) -> Process:
        options = self._options
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _MAIN, str(_ROOT), str(descriptor), options.table),
            *(str(options.threads), options.device, str(options.memory_bytes)),
            pass_fds=(descriptor,),
            env={**options.environment, **_QUIET, "OMP_NUM_THREADS": str(options.threads)},
            stdin=DEVNULL,
            stdout=DEVNULL,
        )

    async def _end(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await _end_process(running)


async def _end_process(running: _RunningProcess) -> None:
    running.writer.close()
    _kill(running.process)
    await running.process.wait()
    with contextlib.suppress(OSError):
        await running.writer.wait_closed()


def _kill(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One client's request for a model."""

    model: ModelOnDisk
    family: str
    kind: str
    media_type: str
    body: bytes

    @property
    def key(self) -> _Key:
        return self.model.id, self.family

    def to_request(self, action: str) -> WorkerRequest:
        return WorkerRequest(
            action=action,
            model=self.model.id,
            family=self.family,
            kind=self.kind,
            path=str(self.model.path),
            media_type=self.media_type,
        )


@dataclass(eq=False, slots=True)
class _Seat:
    """A model's place in a worker. `held_bytes` is a guess until the model is loaded."""

    key: _Key
    worker: ModelWorker
    held_bytes: int
    users: int = 0
    last_used: int = 0
    loaded: bool = False


@asynccontextmanager
async def open_worker_pool(options: ExpertServerOptions) -> AsyncIterator["WorkerPool"]:
    """A pool whose workers run until the block is left."""
    async with asyncio.TaskGroup() as group:
        workers = [ModelWorker(options) for _ in range(options.workers)]
        serving = [group.create_task(worker.serve()) for worker in workers]
        pool = WorkerPool(workers, options, group)
        try:
            yield pool
        finally:
            for task in (*serving, *pool.loading):
                task.cancel()


@dataclass(eq=False)
class WorkerPool:
    """The workers and their models: each model in one worker, all within the memory limit."""

    workers: Sequence[ModelWorker]
    options: ExpertServerOptions
    group: asyncio.TaskGroup
    loading: set[asyncio.Task[None]] = field(default_factory=set)
    _seats: dict[_Key, _Seat] = field(default_factory=dict)
    _leaving: set[_Seat] = field(default_factory=set)
    _placing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _clock: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def held_bytes(self) -> int:
        """What all models weigh that are loaded, being loaded or not yet dropped."""
        return sum(seat.held_bytes for seat in (*self._seats.values(), *self._leaving))

    def is_loaded(self, model: str) -> bool:
        return any(seat.loaded for key, seat in self._seats.items() if key[0] == model)

    async def run(self, call: ModelCall) -> WorkerReply:
        """The worker's reply. Cancelling stops the work.

        Raises ExpertRefused for a model that is too large, ExpertUnavailable when too many requests
        wait, WorkerLost.
        """
        if sum(worker.waiting for worker in self.workers) >= self.options.max_waiting:
            raise ExpertUnavailable("local-busy", retry_after=1)
        seat = self._seats.get(call.key) or await self._place(call)
        return await self._queue(seat, call, "run").reply

    def require_loaded(self, call: ModelCall) -> None:
        """Raises ExpertUnavailable when the model is not loaded, and starts to load it."""
        seat = self._seats.get(call.key)
        if seat is None:
            task = self.group.create_task(self._load(call))
            self.loading.add(task)
            task.add_done_callback(self.loading.discard)
        if seat is None or not seat.loaded:
            seconds = 1 + call.model.weight_bytes / _LOADED_BYTES_A_SECOND
            raise ExpertUnavailable("local-loading", retry_after=seconds, model=call.model.id)

    async def _load(self, call: ModelCall) -> None:
        with contextlib.suppress(ExpertError):  # the next request meets it too
            seat = self._seats.get(call.key) or await self._place(call)
            await self._queue(seat, call, "load").reply

    def _queue(self, seat: _Seat, call: ModelCall, action: str) -> _QueuedWork:
        seat.users += 1
        seat.last_used = next(self._clock)
        body = call.body if action == "run" else b""
        work = _QueuedWork(call.to_request(action), body, partial(self._on_end, seat))
        seat.worker.put(work)
        return work

    def _on_end(self, seat: _Seat, ending: _Ending) -> None:
        seat.users -= 1
        if ending.died:
            for other in self._seats.values():
                other.loaded = other.loaded and other.worker is not seat.worker
        elif ending.reply:
            seat.loaded = ending.reply.held_bytes > 0
            seat.held_bytes = ending.reply.held_bytes or seat.held_bytes
        self._seats = {key: seat for key, seat in self._seats.items() if seat.users or seat.loaded}
        self._shrink()
        self._changed.set()

    def _shrink(self) -> None:
        """A model can weigh more than its files."""
        while sum(seat.held_bytes for seat in self._seats.values()) > self.options.memory_bytes:
            if (victim := self._find_least_recently_used()) is None:
                return
            self._drop(victim)

    async def _place(self, call: ModelCall) -> _Seat:
        async with self._placing:
            if seat := self._seats.get(call.key):
                return seat
            await self._make_room(call)
            worker = min(self.workers, key=lambda one: (one.waiting, self._bytes_in(one)))
            seat = _Seat(call.key, worker, call.model.weight_bytes)
            self._seats[call.key] = seat
            return seat

    async def _make_room(self, call: ModelCall) -> None:
        needed, limit = call.model.weight_bytes, self.options.memory_bytes
        if needed > limit:
            raise ExpertRefused(
                "local-model-too-large",
                model=call.model.id,
                needed=str(needed // MEBIBYTE),
                limit=str(limit // MEBIBYTE),
            )
        while self.held_bytes + needed > limit:
            if not self._leaving and (victim := self._find_least_recently_used()):
                self._drop(victim)
            self._changed.clear()
            await self._changed.wait()

    def _find_least_recently_used(self) -> _Seat | None:
        idle = [seat for seat in self._seats.values() if not seat.users]
        return min(idle, key=lambda seat: seat.last_used, default=None)

    def _drop(self, seat: _Seat) -> None:
        del self._seats[seat.key]
        self._leaving.add(seat)
        model, family = seat.key
        request = WorkerRequest(action="drop", model=model, family=family)
        seat.worker.put(_QueuedWork(request, b"", partial(self._on_dropped, seat)))

    def _on_dropped(self, seat: _Seat, _ending: _Ending) -> None:
        self._leaving.discard(seat)
        self._changed.set()

    def _bytes_in(self, worker: ModelWorker) -> int:
        seats = (*self._seats.values(), *self._leaving)
        return sum(seat.held_bytes for seat in seats if seat.worker is worker)
