"""The main loop of a worker process: read a call, run it, reply."""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path
from types import FrameType

from adapters.workers.frames import LENGTH, run_call

_PR_SET_PDEATHSIG = 1


class _Stopped(BaseException):
    """The caller was cancelled."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    raise _Stopped


def main(memory_bytes: int) -> None:
    """Run calls until the program closes the pipe. SIGUSR1 stops the current one."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    _die_with_parent()
    if memory_bytes:
        limit_memory(memory_bytes)
    os.nice(5)
    with (
        contextlib.suppress(BrokenPipeError),  # the program is gone, and with it who would read
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as replies,
        Path(os.devnull).open("r+") as null,
        contextlib.redirect_stderr(null),  # warnings of libraries do not belong in our log
    ):
        for descriptor in (0, 1):  # libraries and their child processes may read and print
            os.dup2(null.fileno(), descriptor)
        while head := requests.read(LENGTH.size):
            request, reply = requests.read(*LENGTH.unpack(head)), b"stopped"
            with contextlib.suppress(_Stopped):
                signal.signal(signal.SIGUSR1, _stop)
                reply = run_call(request)
                signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            replies.write(LENGTH.pack(len(reply)))
            replies.write(reply)
            replies.flush()


def limit_memory(memory_bytes: int) -> None:
    """Limit the memory of this process. RLIMIT_AS would also count what is only reserved."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _die_with_parent() -> None:
    """End this process when the program is killed, even in the middle of hostile input.

    Linux only; elsewhere it ends at its next read.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
