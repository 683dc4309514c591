"""JSON values out of a text: as they should be written, as Python writes them, or mended."""

import ast
import json
import math
import re
import warnings
from collections.abc import Mapping
from typing import TypeGuard

import json_repair

Json = object
"""What a JSON text holds: str, int, float, bool, None, list or dict."""
NOTHING = frozenset({"none", "null", "~"})
"""What stands for no value where nothing is in quotes."""
LOOSEST = 8_000
"""Characters that are mended at once at most, since mending takes longer the more there is (5 s for some of 40,000)."""


def parse_object(text: str) -> Json:
    """One object or list, mended if need be; None when it is neither."""
    value = strict(text)
    if value is None:
        value = _literal(text)
    if value is None:
        value = loose(text)
    return value if isinstance(value, dict | list) else None


def strict(text: str) -> Json:
    try:
        value: Json = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _literal(text: str) -> Json:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in a model's text are no news
            value: Json = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    return value


def loose(text: str) -> Json:
    try:
        value: Json = json_repair.loads(text[:LOOSEST])
    except (ValueError, RecursionError, IndexError, KeyError, TypeError):
        return None
    return value


def is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def settled(value: Json, depth: int = 0) -> Json:
    """A value with nothing in it but what JSON has: Python's own texts have sets, too, and keys that are no words."""
    if is_object(value) and depth < _DEEPEST:
        return {str(settled(key, _DEEPEST)): settled(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list | tuple | set) and depth < _DEEPEST:
        found = sorted(value, key=repr) if isinstance(value, set) else value
        return [settled(one, depth + 1) for one in found]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int) and value.bit_length() < 1000:  # noqa: PLR2004 - Python writes no longer ones
        return value
    return _HALVES.sub("\ufffd", value) if isinstance(value, str) else "…"


_HALVES = re.compile(r"[\ud800-\udfff]")
"""Halves of characters, which JSON can write and nothing else."""
_DEEPEST = 12
