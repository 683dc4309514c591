"""One pool of processes for everything heavy, on anyio's."""

from collections.abc import Callable
from typing import TypeVar, cast

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process

from adapters.workers.inside import GIBIBYTE, at_work
from pipeline.errors import WorkerLost

T = TypeVar("T")


class ProcessWorkers:
    """At most `count` processes, begun when they are needed, each with at most `memory_bytes` of its own.

    One that was idle for five minutes is ended when the next work comes.
    """

    def __init__(self, count: int, *, memory_bytes: int = 3 * GIBIBYTE) -> None:
        self._limiter = CapacityLimiter(count)
        self._memory_bytes = memory_bytes

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)` in another process. Raises what it raises, and WorkerLost when the process died.

        Cancelling kills the process, so `asyncio.timeout` is a limit that hostile input cannot outstay.
        """
        try:
            made = await to_process.run_sync(
                at_work, self._memory_bytes, work, args, cancellable=True, limiter=self._limiter
            )
        except BrokenWorkerProcess as broken:
            raise WorkerLost("worker-lost") from broken
        except MemoryError as full:
            raise WorkerLost("worker-out-of-memory") from full
        return cast("T", made)
