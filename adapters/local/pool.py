"""Places models in worker processes: each in one, all within the memory limit."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from adapters.local.inference import InferenceResponse
from adapters.local.loaded_models import InferenceCall, drop_model, run_model
from adapters.local.models_on_disk import ModelOnDisk, find_files, find_hub_cache
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from adapters.workers.pool import Worker
from adapters.workers.process import WorkFailed
from pipeline.errors import ExpertRefused, ExpertUnavailable, WorkerLost

log = structlog.get_logger()
_GRAPHICS = ("nvidia*", "dri", "kfd", "dxg")
"""The devices of graphics cards, in /dev."""


@dataclass(eq=False, slots=True)
class _Seat:
    """A model's place in a worker."""

    worker: Worker
    weight_bytes: int
    users: int = 0
    process: int | None = None
    """Id of the process that loaded it; if the worker has another one, the model is gone."""

    @property
    def is_loaded(self) -> bool:
        return self.process is not None and self.process == self.worker.pid

    @property
    def is_taken(self) -> bool:
        return self.users > 0 or self.is_loaded


@asynccontextmanager
async def open_model_pool(options: ExpertServerOptions) -> AsyncIterator["ModelPool"]:
    """Open a pool; its workers end when the context exits."""
    folders = (*options.folders, find_hub_cache())
    pool = ModelPool(options, await asyncio.to_thread(find_files, folders))
    try:
        yield pool
    finally:
        for worker in pool.workers:
            await worker.end()


class ModelPool:
    """The workers, and the seats of the models, the least recently used one first."""

    def __init__(self, options: ExpertServerOptions, readable: Sequence[str]) -> None:
        devices = [str(device) for name in _GRAPHICS for device in Path("/dev").glob(name)]
        environment = {
            **options.environment,
            "OMP_NUM_THREADS": str(options.threads),
            "HF_HUB_CACHE": str(find_hub_cache()),  # their home is another folder
        }
        self.workers = [
            Worker(environment, grace=options.grace, readable=readable, writable=devices)
            for _ in range(options.workers)
        ]
        self.waiting = 0
        self._options = options
        self._worker_options = replace(options, environment={}, token="")
        self._seats: dict[str, _Seat] = {}
        self._placing = asyncio.Lock()
        self._changed = asyncio.Event()

    @property
    def held_bytes(self) -> int:
        """The bytes of all models that are loaded or in use."""
        return sum(seat.weight_bytes for seat in self._seats.values() if seat.is_taken)

    def is_loaded(self, model: str) -> bool:
        return model in self._seats and self._seats[model].is_loaded

    def count_users(self, worker: Worker) -> int:
        """How many requests the worker has, the running one included."""
        return sum(seat.users for seat in self._seats.values() if seat.worker is worker)

    @contextmanager
    def admit(self) -> Iterator[None]:
        """Count a request until it ends. Raises ExpertUnavailable when too many wait."""
        if self.waiting >= self._options.max_waiting:
            raise ExpertUnavailable("local-busy")
        self.waiting += 1
        try:
            yield
        finally:
            self.waiting -= 1

    async def run(self, call: InferenceCall) -> InferenceResponse:
        """Run a model. Cancelling stops it.

        Raises ExpertRefused for a model that is too large, WorkerLost.
        """
        seat = await self._take_seat(call.model)
        try:
            return await self._call_worker(seat, call)
        finally:
            seat.users -= 1
            self._changed.set()

    async def _call_worker(self, seat: _Seat, call: InferenceCall) -> InferenceResponse:
        try:
            reply = await seat.worker.run(run_model, self._worker_options, call)
        except (WorkerLost, WorkFailed) as error:
            log.warning("worker died", model=call.model.id, kind=call.kind, problem=str(error))
            raise WorkerLost("local-worker-lost", model=call.model.id) from error
        except asyncio.CancelledError:
            seat.process = seat.worker.pid  # if the process lives, the model may be loaded by now
            raise
        seat.process = seat.worker.pid if reply.is_loaded else None
        return reply

    async def _take_seat(self, model: ModelOnDisk) -> _Seat:
        seat = self._seats.get(model.id)
        if seat is None or not seat.is_taken:
            async with self._placing:
                seat = self._seats.get(model.id)
                if seat is None or not seat.is_taken:
                    seat = await self._place(model)
        self._seats.pop(model.id, None)
        self._seats[model.id] = seat  # the last one used
        seat.users += 1
        return seat

    async def _place(self, model: ModelOnDisk) -> _Seat:
        """Wait for room, then take a seat. Raises ExpertRefused if the model is too large."""
        needed, limit = model.weight_bytes, self._options.memory_bytes
        if needed > limit:
            sizes = {"needed": str(needed // MEBIBYTE), "limit": str(limit // MEBIBYTE)}
            raise ExpertRefused("local-model-too-large", model=model.id, **sizes)
        self._changed.clear()
        while not await self._evict(needed):
            await self._changed.wait()
            self._changed.clear()
        return _Seat(min(self.workers, key=self._weigh), needed)

    def _weigh(self, worker: Worker) -> tuple[bool, int]:
        """Whether the worker is busy, for who knows how long, and how many bytes it holds."""
        seats = [seat for seat in self._seats.values() if seat.worker is worker]
        held = sum(seat.weight_bytes for seat in seats if seat.is_taken)
        return self.count_users(worker) > 0, held

    async def _evict(self, needed: int) -> bool:
        """Drop unused models, the least recently used first. True if enough bytes are free.

        Those of busy workers come last: they are dropped once the call that runs has ended.
        """
        seats = list(self._seats.items())
        for model, seat in sorted(seats, key=lambda each: self.count_users(each[1].worker) > 0):
            if self.held_bytes + needed <= self._options.memory_bytes:
                break
            if seat.is_loaded and not seat.users:
                with contextlib.suppress(WorkerLost, WorkFailed):  # gone in any case
                    await seat.worker.run(drop_model, self._worker_options, model)
                if not seat.users:
                    seat.process = None
        return self.held_bytes + needed <= self._options.memory_bytes
