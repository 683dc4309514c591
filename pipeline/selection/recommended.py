"""Which models our expert server should have, by the memory of its graphics card."""

from collections.abc import Collection, Mapping, Sequence

from pipeline.domain import Model
from pipeline.selection.known_models import UNLISTED, CuratedModel, load_known
from pipeline.selection.policy import is_commercial

CARDS: Mapping[str, int] = {"cpu": 0, "8": 8, "16": 16, "24": 24, "80": 80}
"""The classes of machines: their names, and the gigabytes of the graphics card."""
_GIGABYTE = 1e9
_SLACK = 0.6
"""Gigabytes by which a card may fall short of its name: one of 8 GB tells of 7.6 to 8.6."""
_OF_CHATS = frozenset({"text-generation", "conversational"})
"""The only kinds that the server lists a chat model for."""


def find_class(card_bytes: int) -> str:
    """The class of a machine with this much memory on its graphics card, 0 if it has none."""
    gigabytes = card_bytes / _GIGABYTE + _SLACK
    return [name for name, size in CARDS.items() if size == 0 or size <= gigabytes][-1]


def recommend(
    kinds: Collection[str], card: int, *, any_licence: bool = False
) -> Mapping[str, CuratedModel]:
    """The best model of each of these kinds on a card of so many gigabytes, if there is one.

    Last resorts are none. Without `any_licence`, only models whose licence is known to allow
    commercial use.
    """
    best: dict[str, CuratedModel] = {}
    for row in load_known().curated:
        fits = 0 <= row.card <= card and row.order < UNLISTED
        if not fits or not (any_licence or is_free(row.licence)):
            continue
        for kind in list_served_kinds(row):
            if kind in kinds and (kind not in best or row.order < best[kind].order):
                best[kind] = row
    return {kind: best[kind] for kind in sorted(best)}


def list_served_kinds(row: CuratedModel) -> Sequence[str]:
    """The kinds of a row for which the server lists the model."""
    is_chat = "conversational" in row.kinds
    return [kind for kind in row.kinds if not is_chat or kind in _OF_CHATS]


def find_row(model: str) -> CuratedModel | None:
    """The first row of a model that the server runs."""
    rows = (row for row in load_known().curated if row.id == model and row.card >= 0)
    return next(rows, None)


def is_free(licence: str) -> bool:
    """Whether a licence is known to allow commercial use."""
    return bool(licence) and is_commercial(Model("", "", (), licence=licence))
