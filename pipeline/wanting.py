"""What a kind of task that cannot run here is wanting: only what is not set up yet."""

import re
from collections.abc import Collection

from pipeline.domain import Place, Sentence, TaskKind

_BETWEEN = re.compile(r", (?![^(]*\))")
_SERVER = "TROUPE_EXPERTS_URL"
_OPENS = {
    "HF_TOKEN": Place.HOSTED,
    "OPENAI_API_KEY": Place.LLM,
    _SERVER: Place.LOCAL,
    "troupe[embedded]": Place.EMBEDDED,
}
"""Setting or extra → the place that is there with it."""


def wanting(
    kind: TaskKind, open_: Collection[Place], closed: Collection[Place], *, known: bool
) -> Sentence:
    """Why a kind is not possible here. `known`: there are models for it, which the rules forbid."""
    missing = None if known else lacking(kind, open_, closed)
    if missing is not None:
        return Sentence("not-possible-here", {"kind": kind.name, "enabled_by": missing})
    return Sentence("not-possible-rules" if known else "not-possible-nobody", {"kind": kind.name})


def lacking(
    kind: TaskKind, open_: Collection[str], closed: Collection[Place]
) -> str | Sentence | None:
    """The settings and extras that would enable a kind, without those that are there; None when nothing is left to set.

    `closed` are places that are set up, but left out of TROUPE_PLACES.
    """
    needs: list[str] = []
    for name in _BETWEEN.split(kind.enabled_by):
        place = _OPENS[name.partition(" ")[0]]
        if place in closed:
            needs.append(f"TROUPE_PLACES ({place.value})")
        elif place not in open_:
            needs.append(name)
    if Place.LOCAL not in open_ or _SERVER not in kind.enabled_by:
        return " / ".join(needs) or None
    if not needs:
        return Sentence("wanting-model")
    return Sentence("wanting-or-model", {"needs": " / ".join(needs)})
