"""Options of a request that servers may refuse, from the best to the one that all take."""

from collections.abc import Mapping, Sequence
from typing import Any

Ladder = Mapping[str, Mapping[str, Any]]
"""Options of which one is sent, the best first: their names, and the fields of the request."""


def choose_options(
    ladders: Sequence[Ladder], refused: frozenset[str]
) -> dict[str, Mapping[str, Any]]:
    """The first option of each ladder that was not refused."""
    options = {}
    for ladder in ladders:
        if name := next((name for name in ladder if name not in refused), ""):
            options[name] = ladder[name]
    return options


def find_named(options: Mapping[str, Mapping[str, Any]], message: str) -> str:
    """The option that a refusal names; "" if it names none."""
    named = (name for name in options if any(word in message for word in (name, *options[name])))
    return next(named, "")
