"""Where a page of a list ends: an opaque text, which callers hand back for the next page."""

import base64
from typing import TypeVar

from pydantic import TypeAdapter

from adapters.web.options import Refused

MAX_CURSOR = 500
"""Characters."""
_NUL = rb"\u0000"
"""As JSON writes it; PostgreSQL takes none."""
Place = TypeVar("Place")


def write_cursor(place: Place, shape: TypeAdapter[Place]) -> str:
    """The cursor of a place: the values by which the list is sorted, of its last entry.

    `shape` also bounds them: with a `datetime` in it, no moment comes back that is none.

    >>> write_cursor((False, "a"), TypeAdapter(tuple[bool, str]))
    'W2ZhbHNlLCJhIl0'
    """
    return base64.urlsafe_b64encode(shape.dump_json(place)).decode().rstrip("=")


def read_cursor(given: str, shape: TypeAdapter[Place], name: str = "before") -> Place | None:
    """The place of a cursor; None for "", which is the beginning. Raises Refused(400).

    Nothing is signed: whoever makes one up gets another part of the same list.
    """
    if not given:
        return None
    padded = given[:MAX_CURSOR] + "=" * (-len(given) % 4)
    try:
        fields = base64.b64decode(padded, altchars=b"-_", validate=True)
        return shape.validate_json(fields.replace(_NUL, b""))
    except ValueError as error:
        raise Refused(400, "web-bad-query", where=name, problem="Not of a page") from error
