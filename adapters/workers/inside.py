"""What runs inside a worker process: read what to do, do it, reply."""

import contextlib
import ctypes
import os
import pickle
import resource
import signal
import socket
import struct
import sys
from pathlib import Path

GIBIBYTE = 1 << 30
LENGTH = struct.Struct(">Q")
"""What requests and replies begin with: how many bytes follow."""
_PR_SET_PDEATHSIG = 1


def main(descriptor: str, memory_bytes: str) -> None:
    """Works until the program closes the line."""
    _die_with_the_program()
    _limit_memory(int(memory_bytes))
    os.nice(5)
    with (
        socket.socket(fileno=int(descriptor)) as line,
        line.makefile("rwb") as stream,
        Path(os.devnull).open("w") as nothing,
        contextlib.redirect_stderr(nothing),  # what libraries complain of is not for the log
    ):
        while head := stream.read(LENGTH.size):
            reply = _done(stream.read(*LENGTH.unpack(head)))
            stream.write(LENGTH.pack(len(reply)))
            stream.write(reply)
            stream.flush()


def _done(request: bytes) -> bytes:
    """Whether the work was done, and what it returned or raised."""
    try:
        work, args = pickle.loads(request)  # noqa: S301 - from our own program
        return pickle.dumps((True, work(*args)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - handed to whoever asked
        return pickle.dumps((False, error))


def _limit_memory(memory_bytes: int) -> None:
    """RLIMIT_DATA counts what was really asked for; RLIMIT_AS would count address space that libraries only reserve."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def _die_with_the_program() -> None:
    """A worker amid hostile input must not outlive a program that was killed. Linux only; elsewhere it ends at its next read."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
