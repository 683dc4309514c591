"""Which worker holds which model: each in one only, and all together within the memory limit."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from adapters.local.options import MEBIBYTE, Options
from adapters.local.orders import Order, Reply
from adapters.local.shelf import Entry
from adapters.local.worker import Ending, Work, Worker
from pipeline.errors import ExpertError, ExpertRefused, ExpertUnavailable

_Key = tuple[str, str]
_BYTES_A_SECOND = 200 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class Call:
    """One request for a model."""

    entry: Entry
    family: str
    kind: str
    media_type: str
    body: bytes

    @property
    def key(self) -> _Key:
        return self.entry.id, self.family

    def order(self, what: str) -> Order:
        entry = self.entry
        return Order(what, entry.id, self.family, self.kind, str(entry.path), self.media_type)


@dataclass(eq=False, slots=True)
class _Seat:
    """A model's place in a worker. `held_bytes` is a guess until it is loaded."""

    key: _Key
    worker: Worker
    held_bytes: int
    users: int = 0
    last_used: int = 0
    loaded: bool = False


@asynccontextmanager
async def pool_at_work(options: Options) -> AsyncIterator["Pool"]:
    """A pool whose workers run."""
    async with asyncio.TaskGroup() as group:
        workers = [Worker(options) for _ in range(options.workers)]
        serving = [group.create_task(worker.serve()) for worker in workers]
        pool = Pool(workers, options, group)
        try:
            yield pool
        finally:
            for task in (*serving, *pool.loading):
                task.cancel()


@dataclass(eq=False)
class Pool:
    """The workers, and what each of them holds."""

    workers: Sequence[Worker]
    options: Options
    group: asyncio.TaskGroup
    loading: set[asyncio.Task[None]] = field(default_factory=set)
    _seats: dict[_Key, _Seat] = field(default_factory=dict)
    _leaving: set[_Seat] = field(default_factory=set)
    _placing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _change: asyncio.Event = field(default_factory=asyncio.Event)
    _clock: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def held_bytes(self) -> int:
        """What all models weigh that are loaded, being loaded or not yet gone."""
        return sum(seat.held_bytes for seat in (*self._seats.values(), *self._leaving))

    def loaded(self, model: str) -> bool:
        return any(seat.loaded for key, seat in self._seats.items() if key[0] == model)

    async def answer(self, call: Call) -> Reply:
        """The worker's reply. Cancelling stops the work.

        Raises ExpertRefused for a model that is too large, ExpertUnavailable when too much waits, WorkerLost.
        """
        if sum(worker.waiting for worker in self.workers) >= self.options.most_waiting:
            raise ExpertUnavailable("local-busy", retry_after=1)
        seat = self._seats.get(call.key) or await self._placed(call)
        return await self._at(seat, call, "run").done

    def ask_for(self, call: Call) -> None:
        """Raises ExpertUnavailable when the model is not loaded, and has it loaded meanwhile."""
        seat = self._seats.get(call.key)
        if seat is None or not seat.loaded:
            if seat is None:
                task = self.group.create_task(self._load(call))
                self.loading.add(task)
                task.add_done_callback(self.loading.discard)
            needed = 1 + call.entry.weight_bytes / _BYTES_A_SECOND
            raise ExpertUnavailable("local-loading", retry_after=needed, model=call.entry.id)

    async def _load(self, call: Call) -> None:
        try:
            seat = self._seats.get(call.key) or await self._placed(call)
            await self._at(seat, call, "load").done
        except ExpertError:
            return  # told to whoever asks next

    def _at(self, seat: _Seat, call: Call, what: str) -> Work:
        seat.users += 1
        seat.last_used = next(self._clock)
        body = call.body if what == "run" else b""
        work = Work(call.order(what), body, partial(self._ended, seat))
        seat.worker.put(work)
        return work

    def _ended(self, seat: _Seat, ending: Ending) -> None:
        seat.users -= 1
        if ending.died:
            for other in self._seats.values():
                other.loaded = other.loaded and other.worker is not seat.worker
        elif ending.reply:
            seat.loaded = ending.reply.held_bytes > 0
            seat.held_bytes = ending.reply.held_bytes or seat.held_bytes
        self._forget_what_is_gone()
        self._shrink()
        self._change.set()

    def _forget_what_is_gone(self) -> None:
        gone = [key for key, seat in self._seats.items() if not seat.users and not seat.loaded]
        for key in gone:
            del self._seats[key]

    def _shrink(self) -> None:
        """A model can weigh more than its files."""
        while sum(seat.held_bytes for seat in self._seats.values()) > self.options.memory_bytes:
            if (victim := self._longest_unused()) is None:
                return
            self._drop(victim)

    async def _placed(self, call: Call) -> _Seat:
        async with self._placing:
            if seat := self._seats.get(call.key):
                return seat
            await self._make_room(call)
            seat = _Seat(call.key, self._least_busy(), call.entry.weight_bytes)
            self._seats[call.key] = seat
            return seat

    async def _make_room(self, call: Call) -> None:
        needed, limit = call.entry.weight_bytes, self.options.memory_bytes
        if needed > limit:
            raise ExpertRefused(
                "local-model-too-large",
                model=call.entry.id,
                needed=str(needed // MEBIBYTE),
                limit=str(limit // MEBIBYTE),
            )
        while self.held_bytes + needed > limit:
            if not self._leaving and (victim := self._longest_unused()):
                self._drop(victim)
            self._change.clear()
            await self._change.wait()

    def _longest_unused(self) -> _Seat | None:
        idle = [seat for seat in self._seats.values() if not seat.users]
        return min(idle, key=lambda seat: seat.last_used, default=None)

    def _drop(self, seat: _Seat) -> None:
        del self._seats[seat.key]
        self._leaving.add(seat)
        model, family = seat.key
        seat.worker.put(Work(Order("drop", model, family), b"", partial(self._left, seat)))

    def _left(self, seat: _Seat, _ending: Ending) -> None:
        self._leaving.discard(seat)
        self._change.set()

    def _least_busy(self) -> Worker:
        return min(self.workers, key=lambda worker: (worker.waiting, self._bytes_in(worker)))

    def _bytes_in(self, worker: Worker) -> int:
        seats = (*self._seats.values(), *self._leaving)
        return sum(seat.held_bytes for seat in seats if seat.worker is worker)
