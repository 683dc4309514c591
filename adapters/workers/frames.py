"""What goes between the program and its worker processes: JSON with bytes beside it, never pickle.

Workers decode hostile files, so what they answer is data: values of the type that the work declares
to return, or an error of ours by its name.
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
    """The work raised something that is no error of ours: a bug, told in the worker's words."""


def pack_call(work: Work, args: tuple[object, ...]) -> bytes:
    """A call of a function at the top of a module, with arguments of the types it declares."""
    names = work.__code__.co_varnames[: len(args)]
    hints = typing.get_type_hints(work)
    plain = [to_plain(arg, hints[name]) for name, arg in zip(names, args, strict=True)]
    return _pack({"module": work.__module__, "name": work.__qualname__, "args": plain})


def run_call(frame: bytes) -> bytes:
    """In the worker: do what a frame asks for, and pack what it returned or raised."""
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
    """What the work returned. Raises what it raised, WorkerLost, WorkFailed."""
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
    """The length of the JSON, the JSON, and the bytes that it points into."""
    blobs = bytearray()

    def set_aside(value: object) -> object:
        if isinstance(value, bytes | bytearray | memoryview):
            blobs.extend(value)
            return {_MARK: [len(blobs) - len(value), len(blobs)]}
        return list(value) if isinstance(value, set | frozenset) else str(value)

    head = json.dumps(document, default=set_aside).encode()
    return b"".join((LENGTH.pack(len(head)), head, blobs))


def _unpack(frame: bytes) -> Any:  # noqa: ANN401 - JSON
    (length,) = LENGTH.unpack_from(frame)
    blobs = memoryview(frame)[LENGTH.size + length :]

    def put_back(value: dict[str, Any]) -> object:
        return bytes(blobs[slice(*value[_MARK])]) if value.keys() == {_MARK} else value

    return json.loads(frame[LENGTH.size : LENGTH.size + length], object_hook=put_back)
