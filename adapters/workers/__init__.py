"""Worker processes, and a pool of them: port `Workers`."""

from adapters.workers.frames import WorkFailed
from adapters.workers.inside import limit_memory
from adapters.workers.pool import ProcessWorkers, Worker, process_workers

__all__ = ["ProcessWorkers", "WorkFailed", "Worker", "limit_memory", "process_workers"]
