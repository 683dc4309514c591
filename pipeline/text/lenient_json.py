"""JSON as language models write it, which may be broken."""

import json
from contextlib import suppress

LONGEST_BROKEN = 3_000
"""Characters of broken JSON that are repaired: json_repair is slow on long texts."""


def load_object(text: str) -> object:
    """Parse JSON, or else repair its beginning with json_repair; None if that fails, too."""
    with suppress(ValueError, RecursionError):
        return json.loads(text, strict=False)
    import json_repair  # noqa: PLC0415 - slow to load; few plans need it

    with suppress(ValueError, RecursionError, IndexError, KeyError, TypeError):
        return json_repair.loads(text[:LONGEST_BROKEN])
    return None
