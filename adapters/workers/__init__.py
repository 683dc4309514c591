"""The pool of worker processes: port `Workers`."""

from adapters.workers.pool import ProcessWorkers, process_workers

__all__ = ["ProcessWorkers", "process_workers"]
