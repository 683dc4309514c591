"""JSON values out of a text: as they should be written, as Python writes them, or mended."""

import ast
import json
import warnings

import json_repair

from pipeline.planning.rough import Json

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
