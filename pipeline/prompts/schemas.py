"""The JSON that language models are asked for, in OpenAI's strict mode, and that they write.

Strict means: all properties are required, and no others are allowed.
"""

import json
from collections.abc import Mapping
from typing import Any

TEXT: Mapping[str, Any] = {"type": "string"}
INTEGER: Mapping[str, Any] = {"type": "integer"}
NUMBER: Mapping[str, Any] = {"type": "number"}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}
LONGEST_BROKEN = 3_000
"""Characters of broken JSON that are repaired: json_repair is slow on long texts."""


def strict_object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def enum(*values: str) -> dict[str, Any]:
    """One of these texts."""
    return {"type": "string", "enum": list(values)}


def load_object(text: str) -> object:
    """Parse JSON, repairing it if necessary; None if that fails."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _repair_json(text)


def _repair_json(text: str) -> object:
    """Parse the beginning of a text with json_repair; None if it fails."""
    import json_repair  # noqa: PLC0415 - slow to load; few plans need it

    try:
        return json_repair.loads(text[:LONGEST_BROKEN])
    except (ValueError, RecursionError, IndexError, KeyError, TypeError):
        return None
