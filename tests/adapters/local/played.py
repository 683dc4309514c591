"""A table of kinds that needs no torch: its models are files, and it answers, waits, crashes and fills the memory as told."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.local.asked import Asked
from adapters.local.table import Answer, Row, Table, as_json


@dataclass
class Played:
    """A loaded model: how much it weighs, and where it lies."""

    weight: int
    path: Path


def _load(path: Path, device: str) -> Played:
    """Every load leaves a line, so that a test can count them."""
    with (path / "loads.txt").open("a") as log:
        log.write(f"{os.getpid()}\n")
    if (path / "broken").exists():
        raise ValueError("broken weights")
    while (path / "slow").exists():
        time.sleep(0.005)  # noqa: TID251 - in a worker process
    return Played((path / "model.safetensors").stat().st_size, path)


def _echo(model: Played, asked: Asked) -> Answer:
    if isinstance(asked.inputs, bytes):
        return Answer(asked.inputs, "application/octet-stream")
    return as_json([{"generated_text": asked.text(), "pid": os.getpid()}])


def _wait(model: Played, asked: Asked) -> Answer:
    """Until the file named `go` is there; leaves `begun`, and `stopped` when it was told to stop."""
    (model.path / "begun").touch()
    try:
        while not (model.path / "go").exists():
            time.sleep(0.005)  # noqa: TID251 - in a worker process
    except BaseException:
        (model.path / "stopped").touch()
        raise
    return as_json([{"label": "waited", "score": 1.0}])


def _deaf(model: Played, asked: Asked) -> Answer:
    """Does not stop when told to."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    return _wait(model, asked)


def _crash(model: Played, asked: Asked) -> Answer:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("not reached")


def _greedy(model: Played, asked: Asked) -> Answer:
    return as_json(len(bytearray(1 << 40)))


def _clumsy(model: Played, asked: Asked) -> Answer:
    raise KeyError("a bug, with words that nobody should see")


def _weigh(model: Any) -> int:
    return int(model.weight)


def _settle(threads: int, wished: str) -> str:
    return "cpu"


TABLE = Table(
    rows={
        kind: Row(kind, "played", respond)
        for kind, respond in {
            "text2text-generation": _echo,
            "text-classification": _wait,
            "token-classification": _deaf,
            "summarization": _crash,
            "translation": _greedy,
            "question-answering": _clumsy,
        }.items()
    }
    | {"fill-mask": Row("fill-mask", "other", _echo)},
    families={"played": _load, "other": _load},
    settle=_settle,
    weigh=_weigh,
)
