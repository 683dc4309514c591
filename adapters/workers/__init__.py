"""Worker processes: a single one, and the pool of them that is the port `Workers`."""

from adapters.workers.frames import WorkFailed
from adapters.workers.inside import limit_memory
from adapters.workers.pool import ProcessWorkers, Worker, process_workers

__all__ = ["ProcessWorkers", "WorkFailed", "Worker", "limit_memory", "process_workers"]
