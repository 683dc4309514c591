"""Tries, in a worker, to leave the sandbox."""

import os
import socket
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path


def find_reachable(pid: int, paths: Sequence[str]) -> list[str]:
    """In a worker: which of "network", "signals", "memory" and "files" it reaches.

    It opens a socket, asks whether it may send a signal to `pid`, reads its environment, and opens
    each of `paths`.
    """
    reaches = {
        "network": _succeeds(lambda: socket.socket().close()),
        "signals": _succeeds(lambda: os.kill(pid, 0)),
        "memory": _succeeds(lambda: Path(f"/proc/{pid}/environ").read_bytes()),
        "files": any(_succeeds(partial(_open, path)) for path in paths),
    }
    return [name for name, is_reached in reaches.items() if is_reached]


def _open(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True
