"""Servers that others wrote, started in an environment of their own: see `make test-engines`."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.source import ROOT

BIN = ROOT / ".venv-engines" / "bin"
PROGRAMS = Path(__file__).with_name("programs")
KEY = "sk-engines-d2VsY29tZQ-81"
CONTEXT = 6_000
_STARTING = 150
"""Seconds."""
_LITELLM = """
model_list:
  - model_name: mock
    litellm_params: {model: openai/mock, api_key: none, mock_response: "Hello there!"}
"""


@dataclass(frozen=True)
class Engine:
    """A server as it is started: its name, the module that it needs, its model."""

    name: str
    module: str
    model: str
    prepare: Callable[[Path, int], Sequence[str]]
    """Writes what it needs into a folder. Returns its command, at a port."""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    engine: Engine
    base: str
    model: str


def _prepare_litellm(folder: Path, port: int) -> Sequence[str]:
    config = folder / "litellm.yaml"
    config.write_text(_LITELLM)
    return (
        str(BIN / "litellm"),
        "--config",
        str(config),
        "--host",
        "127.0.0.1",
        "--port",
        f"{port}",
    )


def _prepare_llama(folder: Path, port: int) -> Sequence[str]:
    program = PROGRAMS / "llama_server.py"
    return (str(BIN / "python"), str(program), str(folder), f"{CONTEXT}", f"{port}")


def _prepare_transformers(folder: Path, port: int) -> Sequence[str]:
    program = PROGRAMS / "tiny_model.py"
    subprocess.run([BIN / "python", program, folder], check=True, env=_environment())
    options = ("--host", "127.0.0.1", "--device", "cpu", "--dtype", "float32")
    return (str(BIN / "transformers"), "serve", str(folder), "--port", f"{port}", *options)


ENGINES = (
    Engine("litellm", "litellm.proxy", "mock", _prepare_litellm),
    Engine("llama.cpp", "xllamacpp", "tiny", _prepare_llama),
    Engine("transformers", "torch", "", _prepare_transformers),
)


def _environment() -> dict[str, str]:
    """Nothing is asked of the network; the answers of litellm's mock need no key of anybody."""
    own = {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}  # noqa: TID251
    return {**kept, **own, "DO_NOT_TRACK": "1", "OMP_NUM_THREADS": "1"}


def require(module: str) -> None:
    """Skip a test whose engine is not installed."""
    if not (BIN / "python").exists():
        pytest.skip("the engines are not installed: make test-engines")
    look = f"import importlib.util as u; raise SystemExit(not u.find_spec({module!r}))"
    found = subprocess.run([BIN / "python", "-c", look], check=False, capture_output=True)
    if found.returncode:
        pytest.skip(f"{module} is not installed in .venv-engines")


def find_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def engine_at_work(engine: Engine, folder: Path) -> Iterator[Running]:
    """The engine, once it takes connections."""
    require(engine.module)
    port = find_port()
    process = subprocess.Popen(
        engine.prepare(folder, port),
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(process, port)
        yield Running(engine, f"http://127.0.0.1:{port}/v1", engine.model or str(folder))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait(process: "subprocess.Popen[bytes]", port: int) -> None:
    for _ in range(_STARTING):
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(1)  # noqa: TID251 - before there is a loop
        else:
            return
    raise AssertionError(f"the engine did not start: {process.poll()}")
