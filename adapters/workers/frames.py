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
_PARTS = struct.Struct(">QQ")
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
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as broken:
        raise errors.WorkerLost("worker-lost") from broken
    if reply.get("error") == "MemoryError":
        raise errors.WorkerLost("worker-out-of-memory")
    cls = getattr(errors, str(reply.get("error")), None)
    if isinstance(cls, type) and issubclass(cls, errors.TroupeError):
        text: LocalizedText = from_plain(LocalizedText, reply["text"])
        raise cls(text.id, **text.args)
    raise WorkFailed(str(reply.get("problem")))


def _pack(document: object) -> bytes:
    blobs: list[bytes] = []

    def set_aside(value: object) -> object:
        if isinstance(value, bytes | bytearray | memoryview):
            blobs.append(bytes(value))
            return {_MARK: len(blobs) - 1}
        if isinstance(value, set | frozenset):
            return list(value)
        return str(value)

    head = json.dumps(document, default=set_aside).encode()
    sizes = json.dumps([len(blob) for blob in blobs]).encode()
    return b"".join((_PARTS.pack(len(head), len(sizes)), head, sizes, *blobs))


def _unpack(frame: bytes) -> Any:  # noqa: ANN401 - JSON
    head, sizes = _PARTS.unpack_from(frame)
    start = _PARTS.size + head
    blobs: list[bytes] = []
    at = start + sizes
    for size in json.loads(frame[start:at]):
        blobs.append(frame[at : at + size])
        at += size

    def put_back(value: dict[str, Any]) -> object:
        return blobs[value[_MARK]] if value.keys() == {_MARK} else value

    return json.loads(frame[_PARTS.size : start], object_hook=put_back)
