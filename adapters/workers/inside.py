"""What runs inside a worker process."""

import contextlib
import ctypes
import io
import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import cache

GIBIBYTE = 1 << 30
_PR_SET_PDEATHSIG = 1


def at_work(memory_bytes: int, work: Callable[..., object], args: tuple[object, ...]) -> object:
    """Settle in once, then do the work."""
    _settle_in(memory_bytes)
    return work(*args)


@cache
def _settle_in(memory_bytes: int) -> None:
    _keep_the_pipes_private()
    _limit_memory(memory_bytes)
    _die_with_the_program()
    os.nice(5)


def _keep_the_pipes_private() -> None:
    """Move anyio's pipes off the standard descriptors: native libraries and child processes write and read there."""
    for stream, mode in ((sys.__stdin__, "rb"), (sys.__stdout__, "wb")):
        raw = getattr(stream.buffer, "raw", stream.buffer) if stream else None
        if isinstance(raw, io.FileIO):
            standard = raw.fileno()
            raw.__init__(os.dup(standard), mode)  # type: ignore[misc]  # re-opened in place: anyio holds this object
            _point_at_nothing(standard)


def _point_at_nothing(descriptor: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)


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
