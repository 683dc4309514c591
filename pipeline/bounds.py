"""Bounds for JSON from outside, so that no list in it keeps the event loop from its work."""

from collections.abc import Iterator
from typing import Any

_MOST_PARTS = 400_000
"""Numbers in a document, about; parsing them takes some 20 ms in one piece."""
_WEIGHTS = {b",": 1, b"[": 2, b"{": 5}
"""What parsing a value, a list and an object costs, in numbers."""
_MOST_ITEMS = 1_000
"""The longest list in a message. This and the limits below are more than any platform sends."""
_MOST_NODES = 20_000
"""Values of one message."""
_DEEPEST = 60
"""Levels of one message."""

Json = Any


def check_parts(text: bytes) -> None:
    """Raise ValueError for JSON with so many values that parsing it would take long.

    A long string, such as a picture in base64, is one value.
    """
    if sum(weight * text.count(sign) for sign, weight in _WEIGHTS.items()) > _MOST_PARTS:
        raise ValueError("too many parts")


def bound_json(value: Json) -> Json:
    """Cut a parsed message to the lengths, the depth and the number of values that platforms send.

    Takes time only for what is kept.
    """
    return _bound(value, iter(range(_MOST_NODES)), _DEEPEST)


def _bound(value: Json, left: Iterator[int], depth: int) -> Json:
    """`left` runs out with the nodes that may still be kept."""
    match value:
        case dict() | list() if not depth:
            return type(value)()
        case dict():
            pairs = [*zip(value.items(), left, strict=False)]  # before what is in them
            return {name: _bound(item, left, depth - 1) for (name, item), _ in pairs}
        case list():
            items = [*zip(value[:_MOST_ITEMS], left, strict=False)]
            return [_bound(item, left, depth - 1) for item, _ in items]
        case _:
            return value
