"""Loads, runs and drops models, within a worker process."""

import ctypes
import gc
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from adapters.local.inference import (
    InferenceResponse,
    KindTable,
    error_response,
    import_table,
    parse_request,
)
from adapters.local.models_on_disk import ModelOnDisk
from adapters.local.options import GIBIBYTE, ExpertServerOptions
from adapters.workers.process import limit_memory
from pipeline.errors import ExpertError, ExpertUnavailable, WorkerLost

_OUT_OF_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")
_OVERHEAD = 4 * GIBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceCall:
    """One client's request for a model."""

    model: ModelOnDisk
    kind: str
    media_type: str
    body: bytes


def run_model(options: ExpertServerOptions, call: InferenceCall) -> InferenceResponse:
    """Run a model, loading it first if necessary. Every error becomes a response."""
    table, device, models = _open(options)
    kind, name = table.kinds[call.kind], call.model.id
    try:
        if name not in models:
            models[name] = kind.load(call.model, device)
        response = kind.run(models[name], parse_request(call.kind, call.media_type, call.body))
    except ExpertError as error:
        response = error_response(error)
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        traceback.print_exception(error, file=sys.__stderr__)
        response = error_response(_translate(error, call, is_loaded=name in models))
    return replace(response, is_loaded=name in models)


def drop_model(options: ExpertServerOptions, model: str) -> None:
    """Drop a model, and return its memory to the operating system."""
    _open(options)[2].pop(model, None)
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@cache
def _open(options: ExpertServerOptions) -> tuple[KindTable, str, dict[str, Any]]:
    """The table, the device, and the loaded models of this process."""
    table = import_table(options.table)
    device = table.choose_device(options.device)
    if device == "cpu":  # graphics drivers reserve more than they use
        limit_memory(2 * options.memory_bytes + _OVERHEAD)
    return table, device, {}


def _translate(error: Exception, call: InferenceCall, *, is_loaded: bool) -> ExpertError:
    """Our error for a library's exception."""
    message = str(error).casefold()
    if isinstance(error, MemoryError) or any(words in message for words in _OUT_OF_MEMORY):
        gc.collect()
        return WorkerLost("local-out-of-memory", model=call.model.id)
    if not is_loaded:
        return ExpertUnavailable("local-not-loaded", model=call.model.id)
    return ExpertUnavailable("local-failed", model=call.model.id, task=call.kind)
