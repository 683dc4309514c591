"""A worker process: its loop, and its protocol with the program: JSON and raw bytes, never pickle.

Workers decode hostile files, so their replies are only data: a value of the return type that the
work declares, or the name of one of our errors.
"""

import contextlib
import json
import os
import resource
import signal
import struct
import typing
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from adapters.workers.sandbox import confine
from pipeline import errors
from pipeline.codec import from_plain, to_plain
from pipeline.domain import LocalizedText

LENGTH = struct.Struct(">Q")
"""Every frame begins with the number of bytes that follow."""
MAX_FRAME = 1 << 30
_MARK = "$bytes"

Work = Callable[..., Any]


class WorkFailed(Exception):
    """The work raised an exception that is not one of our errors: a bug."""


def pack_call(work: Work, args: tuple[object, ...]) -> Sequence[bytes]:
    """Encode a call of a module-level function; its type hints say how.

    The parts of a frame, to be sent one after another: large ones are not copied.
    """
    names = work.__code__.co_varnames[: len(args)]
    hints = typing.get_type_hints(work)
    plain = [to_plain(arg, hints[name]) for name, arg in zip(names, args, strict=True)]
    return _pack({"module": work.__module__, "name": work.__qualname__, "args": plain})


def run_call(frame: bytes) -> bytes:
    """In the worker: run a call, and encode its result or error."""
    try:
        call = _unpack(frame)
        work: Work = getattr(import_module(call["module"]), call["name"])
        hints = typing.get_type_hints(work)
        names = work.__code__.co_varnames[: len(call["args"])]
        pairs = zip(names, call["args"], strict=True)
        result = work(*(from_plain(hints[name], plain) for name, plain in pairs))
        return b"".join(_pack({"result": to_plain(result, hints["return"])}))
    except errors.TroupeError as error:
        return b"".join(_pack({"error": type(error).__name__, "text": to_plain(error.sentence)}))
    except MemoryError:
        return b"".join(_pack({"error": "MemoryError"}))
    except Exception as error:  # noqa: BLE001 - handed to the caller
        if errors.is_disk_full(error):  # that of its temporary files
            sentence = LocalizedText("store-full")
            return b"".join(_pack({"error": "StoreUnavailable", "text": to_plain(sentence)}))
        problem = f"{type(error).__name__}: {error}"[:1000]
        return b"".join(_pack({"error": "", "problem": problem}))


def parse_reply(work: Work, frame: bytes) -> Any:  # noqa: ANN401 - what the work returns
    """Decode the result of the work. Raises its error, WorkerLost, WorkFailed."""
    try:
        reply = _unpack(frame)
        if "result" in reply:
            of = typing.get_type_hints(work)["return"]
            return None if of is type(None) else from_plain(of, reply["result"])
        error = _parse_error(reply)
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        struct.error,
    ) as broken:
        raise errors.WorkerLost("worker-lost") from broken
    raise error


def _parse_error(reply: dict[str, Any]) -> Exception:
    if reply["error"] == "":
        return WorkFailed(str(reply["problem"]))
    if reply["error"] == "MemoryError":
        return errors.WorkerLost("worker-out-of-memory")
    cls = getattr(errors, reply["error"])
    if not issubclass(cls, errors.TroupeError):
        raise TypeError(cls)
    text: LocalizedText = from_plain(LocalizedText, reply["text"])
    error: errors.TroupeError = cls(text.id, **text.args)
    return error


def _pack(document: object) -> Sequence[bytes]:
    """The length of the JSON, the JSON, and the bytes that it refers to."""
    blobs: list[bytes] = []
    size = 0

    def extract_bytes(value: object) -> object:
        nonlocal size
        if isinstance(value, bytes | bytearray | memoryview):
            blobs.append(bytes(value))
            size += len(blobs[-1])
            return {_MARK: [size - len(blobs[-1]), size]}
        return list(value) if isinstance(value, set | frozenset) else str(value)

    head = json.dumps(document, default=extract_bytes).encode()
    return LENGTH.pack(len(head)), head, *blobs


def _unpack(frame: bytes) -> Any:  # noqa: ANN401 - JSON
    (length,) = LENGTH.unpack_from(frame)
    blobs = memoryview(frame)[LENGTH.size + length :]

    def restore_bytes(value: dict[str, Any]) -> object:
        return bytes(blobs[slice(*value[_MARK])]) if value.keys() == {_MARK} else value

    return json.loads(frame[LENGTH.size : LENGTH.size + length], object_hook=restore_bytes)


class _Stopped(BaseException):
    """The caller was cancelled."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    raise _Stopped


def main(memory_bytes: int, readable: Sequence[str] = (), writable: Sequence[str] = ()) -> None:
    """Run calls in the sandbox until the program closes the pipe. SIGUSR1 stops the current one."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    if memory_bytes:
        limit_memory(memory_bytes)
    os.nice(5)
    confine(readable, writable)
    with (
        contextlib.suppress(BrokenPipeError),  # the program is gone, and with it who would read
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as replies,
        Path(os.devnull).open("r+") as null,
    ):
        for descriptor in (0, 1, 2):  # libraries and their child processes may read and print
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
