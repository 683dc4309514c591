"""A table of kinds without torch: its models are files that answer, wait, crash or fill memory."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from adapters.local.inference import (
    InferenceRequest,
    InferenceResponse,
    KindTable,
    LocalKind,
    Run,
    json_response,
)
from adapters.local.models_on_disk import ModelOnDisk
from pipeline.errors import BadInput


@dataclass
class Played:
    """A loaded model: where it lies."""

    path: Path


def _load(model: ModelOnDisk, device: str) -> Played:
    """Every load leaves a line, so that a test can count them."""
    path = model.path
    with (path / "loads.txt").open("a") as log:
        log.write(f"{os.getpid()}\n")
    if (path / "broken").exists():
        raise ValueError("broken weights")
    while (path / "slow").exists():
        time.sleep(0.005)  # noqa: TID251 - in a worker process
    return Played(path)


def _echo(model: Played, asked: InferenceRequest) -> InferenceResponse:
    if isinstance(asked.inputs, bytes):
        return InferenceResponse(asked.inputs, "application/octet-stream")
    return json_response([{"generated_text": asked.text(), "pid": os.getpid()}])


def _wait(model: Played, asked: InferenceRequest) -> InferenceResponse:
    """Wait for the file `go`; leave `begun`, and `stopped` when told to stop."""
    (model.path / "begun").touch()
    try:
        while not (model.path / "go").exists():
            time.sleep(0.005)  # noqa: TID251 - in a worker process
    except BaseException:
        (model.path / "stopped").touch()
        raise
    return json_response([{"label": "waited", "score": 1.0}])


def _deaf(model: Played, asked: InferenceRequest) -> InferenceResponse:
    """Does not stop when told to."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    return _wait(model, asked)


def _crash(model: Played, asked: InferenceRequest) -> InferenceResponse:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("not reached")


def _greedy(model: Played, asked: InferenceRequest) -> InferenceResponse:
    return json_response(len(bytearray(1 << 40)))


def _clumsy(model: Played, asked: InferenceRequest) -> InferenceResponse:
    raise KeyError("a bug, with words that nobody should see")


def _speak(model: Played, asked: InferenceRequest) -> InferenceResponse:
    """Has one voice."""
    unused = frozenset({"voice"} & asked.parameters.keys())
    return InferenceResponse(b"RIFF\0\0\0\0WAVE", "audio/wav", unused=unused)


def _converse(model: Played, asked: InferenceRequest) -> InferenceResponse:
    """Says the last message again; a long one is too long."""
    text = asked.field("messages")[-1]["content"]
    if len(text) > 1000:
        raise BadInput("local-chat-long", length=str(len(text)), room="1000")
    if text == "wait":
        _wait(model, asked)
    cut = int(asked.numbers()["max_new_tokens"])
    counts = {"prompt_tokens": len(text), "completion_tokens": len(text[:cut])}
    return json_response({"text": text[:cut], "is_cut": cut < len(text), **counts})


_RUNS: dict[str, Run] = {
    "text2text-generation": _echo,
    "text-classification": _wait,
    "token-classification": _deaf,
    "summarization": _crash,
    "translation": _greedy,
    "question-answering": _clumsy,
}
_ROWS = (
    *(LocalKind(kind, _load, run, tuple(_RUNS)) for kind, run in _RUNS.items()),
    LocalKind("fill-mask", _load, _echo),
    LocalKind("text-to-speech", _load, _speak),
    LocalKind("conversational", _load, _converse, ("text-generation",)),
)
TABLE = KindTable({row.kind: row for row in _ROWS}, lambda _wanted: "cpu")
