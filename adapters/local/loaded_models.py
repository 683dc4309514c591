"""The worker process: it loads models, runs them one request at a time, and drops them."""

import contextlib
import ctypes
import gc
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from adapters.local.inference import (
    InferenceResponse,
    KindTable,
    error_response,
    import_table,
    json_response,
    parse_request,
)
from adapters.local.options import GIBIBYTE
from adapters.local.workers import WorkerReply, WorkerRequest, encode_reply, receive_request
from pipeline.errors import ExpertError, ExpertUnavailable, WorkerLost

_PARTS = ("tokenizer", "image_processor", "feature_extractor", "processor", "video_processor")
_OUT_OF_MEMORY = ("can't allocate memory", "not enough memory", "out of memory")
_PR_SET_PDEATHSIG = 1
_OVERHEAD = 4 * GIBIBYTE


@dataclass(slots=True)
class LoadedModel:
    """A model on its device and what prepares its input. Its pipelines share the weights."""

    model: Any
    device: str
    path: Path
    tokenizer: Any = None
    image_processor: Any = None
    feature_extractor: Any = None
    processor: Any = None
    video_processor: Any = None
    pipelines: dict[str, Any] = field(default_factory=dict)

    def pipeline(self, task: str) -> Any:
        """Transformers' pipeline for a task over this model."""
        if task not in self.pipelines:
            from transformers import pipeline

            parts = {name: part for name in _PARTS if (part := getattr(self, name)) is not None}
            self.pipelines[task] = pipeline(task, model=self.model, device=self.device, **parts)
        return self.pipelines[task]

    def modules(self) -> list[Any]:
        """Everything that has weights."""
        return [self.model]


_Loader = Callable[[Path, str], LoadedModel]


def load_by_pipeline(task: str) -> _Loader:
    """A loader by transformers' pipeline for a task."""

    def load(path: Path, device: str) -> LoadedModel:
        from transformers import pipeline

        pipe = pipeline(task, model=str(path), device=device)
        parts = {name: getattr(pipe, name, None) for name in _PARTS}
        return LoadedModel(pipe.model, device, path, pipelines={task: pipe}, **parts)

    return load


def load_by_class(model: str, **parts: str) -> _Loader:
    """A loader by transformers' classes: the model's, and one for each part that it needs."""

    def load(path: Path, device: str) -> LoadedModel:
        import transformers

        weights = getattr(transformers, model).from_pretrained(path).to(device).eval()
        made = {
            name: getattr(transformers, cls).from_pretrained(path) for name, cls in parts.items()
        }
        return LoadedModel(weights, device, path, **made)

    return load


def start_torch(threads: int, device: str) -> str:
    """Import what is heavy once, keep it out of garbage collection, and return the device."""
    import torch
    import transformers
    import transformers.modeling_utils
    import transformers.pipelines

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    torch.set_num_threads(threads)
    gc.freeze()
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"


def measure_weights(loaded: Any) -> int:
    """The bytes of all weights; those that are shared count once."""
    tensors = {
        tensor.data_ptr(): tensor.numel() * tensor.element_size()
        for module in loaded.modules()
        for tensor in (*module.parameters(), *module.buffers())
    }
    return sum(tensors.values())


class LoadedModels:
    """The models that this process holds."""

    def __init__(self, table: KindTable, device: str) -> None:
        self._table = table
        self._device = device
        self._models: dict[tuple[str, str], tuple[Any, int]] = {}

    def handle(self, request: WorkerRequest, body: bytes) -> InferenceResponse:
        """Run, load or drop a model; only running one has an answer."""
        if request.action == "drop":
            self._models.pop(request.key, None)
            _release_memory()
            return json_response({})
        model = self._load(request)
        if request.action == "load":
            return json_response({})
        call = parse_request(request.kind, request.media_type, body)
        return self._table.kinds[request.kind].run(model, call)

    def held_bytes(self, request: WorkerRequest) -> int:
        """The weight of the request's model; 0 when it is not loaded."""
        return self._models.get(request.key, (None, 0))[1]

    def translate(self, request: WorkerRequest, error: Exception) -> ExpertError:
        """What a library's exception means."""
        message = str(error).casefold()
        if isinstance(error, MemoryError) or any(words in message for words in _OUT_OF_MEMORY):
            _release_memory()
            return WorkerLost("local-out-of-memory", model=request.model)
        if request.key not in self._models:
            return ExpertUnavailable("local-not-loaded", model=request.model)
        return ExpertUnavailable("local-failed", model=request.model, task=request.kind)

    def _load(self, request: WorkerRequest) -> Any:
        if request.key not in self._models:
            model = self._table.loaders[request.family](Path(request.path), self._device)
            self._models[request.key] = model, max(self._table.measure(model), 1)
        return self._models[request.key][0]


def _release_memory() -> None:
    """Give free memory back to the system, not only to Python."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class _Stopped(BaseException):
    """The client has left."""


class _StopSignal:
    """SIGUSR1 stops the current request; between requests it does nothing."""

    def __init__(self) -> None:
        self._listening = False
        signal.signal(signal.SIGUSR1, self._on_signal)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        self._listening = True
        try:
            yield
        finally:
            self._listening = False

    def _on_signal(self, _signal: int, _frame: FrameType | None) -> None:
        if self._listening:
            self._listening = False
            raise _Stopped


def main(arguments: Sequence[str]) -> None:
    """Work until the server closes the connection."""
    descriptor, table_name, threads, wanted_device, memory = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop_signal = _StopSignal()
    _die_with_the_server()
    with socket.socket(fileno=int(descriptor)) as connection:
        connection.sendall(encode_reply(WorkerReply(200, 0)))
        table = import_table(table_name)
        device = table.start(int(threads), wanted_device)
        if device == "cpu":  # graphics drivers reserve more than they use
            _limit_memory(2 * int(memory) + _OVERHEAD)
        models = LoadedModels(table, device)
        while (received := receive_request(connection)) is not None:
            connection.sendall(encode_reply(_reply(models, stop_signal, *received)))


def _reply(
    models: LoadedModels, stop_signal: _StopSignal, request: WorkerRequest, body: bytes
) -> WorkerReply:
    """The one boundary: every error becomes a reply."""
    try:
        with stop_signal.listening():
            status, response = 200, models.handle(request, body)
    except _Stopped:
        return WorkerReply(499, models.held_bytes(request))
    except ExpertError as error:
        status, response = error_response(error)
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        sys.excepthook(type(error), error, error.__traceback__)
        status, response = error_response(models.translate(request, error))
    return WorkerReply(status, models.held_bytes(request), response.media_type, response.body)


def _limit_memory(memory_bytes: int) -> None:
    """RLIMIT_DATA counts memory in use; RLIMIT_AS would count address space only reserved."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _die_with_the_server() -> None:
    """Do not outlive a server that was killed. Elsewhere than on Linux, the next read ends us."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
