"""What runs in a worker process: it loads models, runs them and drops them."""

import ctypes
import gc
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from adapters.local.inference import (
    InferenceResponse,
    KindTable,
    error_response,
    import_table,
    json_response,
    parse_request,
)
from adapters.local.models_on_disk import ModelOnDisk
from adapters.local.options import GIBIBYTE, ExpertServerOptions
from adapters.workers import limit_memory
from pipeline.errors import ExpertError, ExpertUnavailable, WorkerLost

_OUT_OF_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")
_OVERHEAD = 4 * GIBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One client's request for a model. Without a kind the model is only loaded."""

    model: ModelOnDisk
    family: str
    kind: str
    media_type: str
    body: bytes

    @property
    def key(self) -> tuple[str, str]:
        return self.model.id, self.family


def prepare(options: ExpertServerOptions) -> None:
    """Import what is heavy."""
    _open(options)


def run_model(options: ExpertServerOptions, call: ModelCall) -> InferenceResponse:
    """Run a model, after loading it if need be. Every error becomes a response."""
    table, device, models = _open(options)
    held = 0
    try:
        if call.key not in models:
            loaded = table.loaders[call.family](call.model.path, device)
            models[call.key] = loaded, max(loaded.measure(), 1)
        loaded, held = models[call.key]
        response = json_response({})
        if call.kind:
            request = parse_request(call.kind, call.media_type, call.body)
            response = table.kinds[call.kind].run(loaded, request)
    except ExpertError as error:
        response = error_response(error)
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        traceback.print_exception(error, file=sys.__stderr__)
        response = error_response(_translate(error, call, is_loaded=held > 0))
    return replace(response, held_bytes=held)


def drop_model(options: ExpertServerOptions, model: str, family: str) -> None:
    """Give a model's memory back to the system, not only to Python."""
    _open(options)[2].pop((model, family), None)
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@cache
def _open(
    options: ExpertServerOptions,
) -> tuple[KindTable, str, dict[tuple[str, str], tuple[Any, int]]]:
    """The table, the device, and the models of this process."""
    table = import_table(options.table)
    device = table.start(options.threads, options.device)
    if device == "cpu":  # graphics drivers reserve more than they use
        limit_memory(2 * options.memory_bytes + _OVERHEAD)
    return table, device, {}


def _translate(error: Exception, call: ModelCall, *, is_loaded: bool) -> ExpertError:
    """What a library's exception means."""
    message = str(error).casefold()
    if isinstance(error, MemoryError) or any(words in message for words in _OUT_OF_MEMORY):
        gc.collect()
        return WorkerLost("local-out-of-memory", model=call.model.id)
    if not is_loaded:
        return ExpertUnavailable("local-not-loaded", model=call.model.id)
    return ExpertUnavailable("local-failed", model=call.model.id, task=call.kind)


@dataclass(slots=True)
class LoadedModel:
    """A model on its device, what prepares its input, and a second model that it works with."""

    model: Any
    device: str
    path: Path
    tokenizer: Any = None
    image_processor: Any = None
    feature_extractor: Any = None
    processor: Any = None
    companion: "LoadedModel | None" = None
    pipelines: dict[str, Any] = field(default_factory=dict)

    def pipeline(self, task: str) -> Any:
        """Transformers' pipeline for a task over this model."""
        if task not in self.pipelines:
            from transformers import pipeline

            parts = {"tokenizer": self.tokenizer, "device": self.device}
            self.pipelines[task] = pipeline(task, model=self.model, **parts)
        return self.pipelines[task]

    def measure(self) -> int:
        """The bytes of all weights; those that are shared count once."""
        parts = getattr(self.model, "components", {"": self.model}).values()
        tensors: dict[int, int] = {
            tensor.data_ptr(): tensor.numel() * tensor.element_size()
            for module in parts
            if hasattr(module, "parameters")
            for tensor in (*module.parameters(), *module.buffers())
        }
        return sum(tensors.values()) + (self.companion.measure() if self.companion else 0)

    def generate(self, inputs: Any, *, skip: int = 0, **options: Any) -> tuple[str, Any]:
        """The text that the model writes after its first `skip` tokens, and its raw output."""
        import torch

        with torch.inference_mode():
            output = self.model.generate(**inputs.to(self.device), **options)
        tokens = getattr(output, "sequences", output)[0]
        decoder = self.tokenizer or self.processor
        return str(decoder.decode(tokens[skip:], skip_special_tokens=True)).strip(), output


_Loader = Callable[[Path, str], LoadedModel]


def load_by_pipeline(task: str) -> _Loader:
    """A loader by transformers' pipeline for a task."""

    def load(path: Path, device: str) -> LoadedModel:
        from transformers import pipeline

        pipe = pipeline(task, model=str(path), device=device)
        tokenizer = getattr(pipe, "tokenizer", None)
        return LoadedModel(pipe.model, device, path, tokenizer, pipelines={task: pipe})

    return load


def load_by_class(model: str, *parts: str) -> _Loader:
    """A loader by transformers' classes: the model's, and the Auto class of each part."""

    def load(path: Path, device: str) -> LoadedModel:
        import transformers

        weights = getattr(transformers, model).from_pretrained(path).to(device).eval()
        classes = {part: "Auto" + part.title().replace("_", "") for part in parts}
        loaded = {
            part: getattr(transformers, name).from_pretrained(path)
            for part, name in classes.items()
        }
        return LoadedModel(weights, device, path, **loaded)

    return load


def start_torch(threads: int, device: str) -> str:
    """Import what is heavy once, keep it out of garbage collection, and return the device."""
    import torch
    import transformers
    import transformers.pipelines

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(threads)
    gc.freeze()
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"
