"""The pool of worker processes: port `Workers`."""

from adapters.workers.pool import ProcessWorkers

__all__ = ["ProcessWorkers"]
