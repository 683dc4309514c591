"""The JSON that language models are asked for, in OpenAI's strict mode, and that they write.

Strict means: all properties are required, and no others are allowed.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
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
    """Parse JSON, or else repair its beginning with json_repair; None if that fails, too."""
    with suppress(ValueError, RecursionError):
        return json.loads(text, strict=False)
    import json_repair  # noqa: PLC0415 - slow to load; few plans need it

    with suppress(ValueError, RecursionError, IndexError, KeyError, TypeError):
        return json_repair.loads(text[:LONGEST_BROKEN])
    return None
