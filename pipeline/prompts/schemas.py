"""Schemas of the JSON that language models are asked for, in OpenAI's strict mode.

Strict means: all properties are required, and no others are allowed.
"""

from collections.abc import Mapping
from typing import Any

TEXT: Mapping[str, Any] = {"type": "string"}
INTEGER: Mapping[str, Any] = {"type": "integer"}
NUMBER: Mapping[str, Any] = {"type": "number"}
BOOLEAN: Mapping[str, Any] = {"type": "boolean"}


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
