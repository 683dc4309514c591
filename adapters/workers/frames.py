"""The protocol between the program and its worker processes: JSON and raw bytes, never pickle.

Workers decode hostile files, so their replies are only data: a value of the return type that the
work declares, or the name of one of our errors.
"""

import json
import struct
import typing
from collections.abc import Callable
from importlib import import_module
from typing import Any

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


def pack_call(work: Work, args: tuple[object, ...]) -> bytes:
    """Encode a call of a module-level function; its type hints say how."""
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
        return _pack({"result": to_plain(result, hints["return"])})
    except errors.TroupeError as error:
        return _pack({"error": type(error).__name__, "text": to_plain(error.sentence)})
    except MemoryError:
        return _pack({"error": "MemoryError"})
    except Exception as error:  # noqa: BLE001 - handed to the caller
        return _pack({"error": "", "problem": f"{type(error).__name__}: {error}"[:1000]})


def parse_reply(work: Work, frame: bytes) -> Any:  # noqa: ANN401 - what the work returns
    """Decode the result of the work. Raises its error, WorkerLost, WorkFailed."""
    try:
        reply = _unpack(frame)
        if "result" in reply:
            of = typing.get_type_hints(work)["return"]
            return None if of is type(None) else from_plain(of, reply["result"])
        error = _parse_error(reply)
    except (ValueError, LookupError, TypeError, AttributeError, struct.error) as broken:
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


def _pack(document: object) -> bytes:
    """The length of the JSON, the JSON, and the bytes that it refers to."""
    blobs = bytearray()

    def extract_bytes(value: object) -> object:
        if isinstance(value, bytes | bytearray | memoryview):
            blobs.extend(value)
            return {_MARK: [len(blobs) - len(value), len(blobs)]}
        return list(value) if isinstance(value, set | frozenset) else str(value)

    head = json.dumps(document, default=extract_bytes).encode()
    return b"".join((LENGTH.pack(len(head)), head, blobs))


def _unpack(frame: bytes) -> Any:  # noqa: ANN401 - JSON
    (length,) = LENGTH.unpack_from(frame)
    blobs = memoryview(frame)[LENGTH.size + length :]

    def restore_bytes(value: dict[str, Any]) -> object:
        return bytes(blobs[slice(*value[_MARK])]) if value.keys() == {_MARK} else value

    return json.loads(frame[LENGTH.size : LENGTH.size + length], object_hook=restore_bytes)
