"""What runs inside a worker process: read a call, do it, reply."""

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
    """Nobody waits for the work any more."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    raise _Stopped


def main(memory_bytes: int) -> None:
    """Work until the program closes the pipe. SIGUSR1 stops the work of the moment."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    _die_with_the_program()
    if memory_bytes:
        limit_memory(memory_bytes)
    os.nice(5)
    with (
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as replies,
        Path(os.devnull).open("r+") as nothing,
        contextlib.redirect_stderr(nothing),  # what libraries complain of is not for the log
    ):
        for standard in (0, 1):  # libraries and the programs that they start read and print
            os.dup2(nothing.fileno(), standard)
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
    """RLIMIT_DATA counts what was asked for; RLIMIT_AS would count what libraries only reserve."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def _die_with_the_program() -> None:
    """A worker amid hostile input must not outlive a killed program.

    Linux only; elsewhere it ends at its next read.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
