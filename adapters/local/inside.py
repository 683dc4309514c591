"""What runs inside a worker process: read an order, do it, reply."""

import contextlib
import ctypes
import resource
import signal
import socket
import sys
from collections.abc import Iterator, Sequence
from types import FrameType

from adapters.local.bench import Bench
from adapters.local.options import GIBIBYTE
from adapters.local.orders import Order, Reply, next_order, packed_reply
from adapters.local.refusals import refused
from adapters.local.table import named_table
from pipeline.errors import ExpertError

_PR_SET_PDEATHSIG = 1
_OVERHEAD = 4 * GIBIBYTE


class _Stopped(BaseException):
    """Nobody waits for the answer any more."""


class _Bell:
    """The signal to stop counts only while work is being done."""

    def __init__(self) -> None:
        self._listening = False
        signal.signal(signal.SIGUSR1, self._rung)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        self._listening = True
        try:
            yield
        finally:
            self._listening = False

    def _rung(self, _signal: int, _frame: FrameType | None) -> None:
        if self._listening:
            self._listening = False
            raise _Stopped


def main(arguments: Sequence[str]) -> None:
    """Works until the server closes the line."""
    descriptor, table_name, threads, wished, memory = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    bell = _Bell()
    _die_with_the_server()
    with socket.socket(fileno=int(descriptor)) as line:
        line.sendall(packed_reply(Reply(200, 0)))
        table = named_table(table_name)
        device = table.settle(int(threads), wished)
        if device == "cpu":  # graphics drivers reserve more than they use
            _limit_memory(2 * int(memory) + _OVERHEAD)
        bench = Bench(table, device)
        while (given := next_order(line)) is not None:
            line.sendall(packed_reply(_done(bench, bell, *given)))


def _done(bench: Bench, bell: _Bell, order: Order, body: bytes) -> Reply:
    """The one boundary: whatever goes wrong becomes a reply."""
    try:
        with bell.listening():
            status, answer = 200, bench.do(order, body)
    except _Stopped:
        return Reply(499, bench.held_bytes(order))
    except ExpertError as error:
        status, answer = refused(error)
    except Exception as error:  # noqa: BLE001 - libraries raise anything
        sys.excepthook(type(error), error, error.__traceback__)
        status, answer = refused(bench.trouble(order, error))
    return Reply(status, bench.held_bytes(order), answer.media_type, answer.body)


def _limit_memory(memory_bytes: int) -> None:
    """RLIMIT_DATA counts what was really asked for; RLIMIT_AS would count address space that is only reserved."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def _die_with_the_server() -> None:
    """A worker must not outlive a server that was killed. Linux only; elsewhere it ends at its next read."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
