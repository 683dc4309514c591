"""The models that a worker holds."""

import contextlib
import ctypes
import gc
from pathlib import Path
from typing import Any

from adapters.local.asked import read_asked
from adapters.local.orders import Order
from adapters.local.table import Answer, Table, as_json
from pipeline.errors import ExpertError, ExpertUnavailable, WorkerLost

_OUT_OF_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")


class Bench:
    """Loads, answers and lets go, one order at a time."""

    def __init__(self, table: Table, device: str) -> None:
        self._table = table
        self._device = device
        self._held: dict[tuple[str, str], Any] = {}
        self._bytes: dict[tuple[str, str], int] = {}

    def do(self, order: Order, body: bytes) -> Answer:
        """The answer; empty for orders that ask nothing."""
        match order.what:
            case "drop":
                self._drop(order)
                return as_json({})
            case "load":
                self._loaded(order)
                return as_json({})
            case _:
                asked = read_asked(order.kind, order.media_type, body)
                return self._table.rows[order.kind].respond(self._loaded(order), asked)

    def held_bytes(self, order: Order) -> int:
        return self._bytes.get(_key(order), 0)

    def trouble(self, order: Order, error: Exception) -> ExpertError:
        """What an exception out of a library means."""
        said = str(error).casefold()
        if isinstance(error, MemoryError) or any(word in said for word in _OUT_OF_MEMORY):
            _tidy()
            return WorkerLost("local-out-of-memory", model=order.model)
        if _key(order) not in self._held:
            return ExpertUnavailable("local-not-loaded", model=order.model)
        return ExpertUnavailable("local-failed", model=order.model, task=order.kind)

    def _loaded(self, order: Order) -> Any:  # noqa: ANN401 - whatever the family loads
        key = _key(order)
        if key not in self._held:
            model = self._table.families[order.family](Path(order.path), self._device)
            self._bytes[key] = max(self._table.weigh(model), 1)
            self._held[key] = model
        return self._held[key]

    def _drop(self, order: Order) -> None:
        self._held.pop(_key(order), None)
        self._bytes.pop(_key(order), None)
        _tidy()


def _key(order: Order) -> tuple[str, str]:
    return order.model, order.family


def _tidy() -> None:
    """What is free goes back to the system, not only to Python."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
