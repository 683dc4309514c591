"""Which of a task's arguments goes where: by its name, else by what it holds."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import Media, Slot, TaskKind, Type
from pipeline.planning.fitting import bridge, suits, takes_words
from pipeline.planning.mentions import Mention, Piece
from pipeline.planning.names import plain

Offers = Callable[[Mention], tuple[Type, ...]]
"""The types that another task makes; empty when there is no such task."""

_OTHER_NAMES: Mapping[str, str] = {
    "prompt": "text",
    "instruction": "text",
    "input": "text",
    "content": "text",
    "description": "text",
    "query": "question",
    "target-language": "language",
    "target-lang": "language",
    "to": "language",
    "lang": "language",
    "tgt-lang": "language",
    "src-lang": "source_language",
    "source-language": "source_language",
    "candidate-labels": "labels",
    "classes": "labels",
    "categories": "labels",
    "speech": "audio",
    "sound": "audio",
    "picture": "image",
    "photo": "image",
    "img": "image",
    "control-image": "image",
    "passage": "context",
    "texts": "sentences",
    "column": "target",
}

_LANGUAGE = re.compile(r"[A-Za-zÀ-ÿ]{2,12}(?:[-_ ][A-Za-z]{2,12})?")


@dataclass(frozen=True, slots=True)
class Group:
    """One argument as written: its name ("" if none) and what it holds."""

    name: str
    pieces: tuple[Piece, ...]

    @property
    def is_words(self) -> bool:
        return all(isinstance(piece, str) for piece in self.pieces)


Assigned = Mapping[str, tuple[Group, ...]]


def assign(
    kind: TaskKind, groups: Sequence[Group], offers: Offers
) -> tuple[Assigned, tuple[Group, ...]]:
    """The groups for each argument of a kind, and those that suit none.

    Where two suit one equally well, it goes to the one that suits the others less.
    """
    taken: dict[str, list[Group]] = {}
    rest = list(range(len(groups)))
    scores = [[_score(group, slot, offers) for slot in kind.takes] for group in groups]
    ranked = sorted(
        (-score, order, max((*row[:order], *row[order + 1 :]), default=0), at)
        for at, row in enumerate(scores)
        for order, score in enumerate(row)
    )
    for score, order, _elsewhere, at in ranked:
        name = kind.takes[order].name
        if score < 0 and at in rest and name not in taken:
            taken[name] = [groups[at]]
            rest.remove(at)
    left = [at for at in rest if not _joins(kind, groups[at], offers, taken)]
    ordered = {
        name: tuple(sorted(found, key=groups.index)) for name, found in taken.items() if found
    }
    return ordered, tuple(groups[at] for at in left)


def _joins(kind: TaskKind, group: Group, offers: Offers, taken: dict[str, list[Group]]) -> bool:
    """Put a group beside another one of the argument that suits it best, if any does."""
    scored = [(_score(group, slot, offers), slot) for slot in kind.takes]
    fitting = [(score, slot) for score, slot in scored if score > _WEAK and _takes_more(slot)]
    if not fitting:
        return False
    best = max(fitting, key=lambda pair: pair[0])[1]
    taken.setdefault(best.name, []).append(group)
    return True


_WEAK = 4
_SHORT = ("language", "source_language", "target")


def _takes_more(slot: Slot) -> bool:
    return slot.name not in (*_SHORT, "question")


def _score(group: Group, slot: Slot, offers: Offers) -> int:
    """How well a group suits an argument; 0: not at all."""
    fit = _fit(group, slot, offers)
    name = plain(group.name)
    if not name:
        return fit
    if name in (plain(slot.name), plain(_OTHER_NAMES.get(name, ""))):
        return 100 + fit
    if name in slot.types:
        return 50 + fit
    return fit


def _fit(group: Group, slot: Slot, offers: Offers) -> int:
    if group.is_words:
        return _fit_of_words(" ".join(map(str, group.pieces)), slot)
    if slot.name in _SHORT:
        return 0
    best = 0
    for piece in group.pieces:
        match piece:
            case Media(attachment):
                best = max(best, _fit_of((attachment.type,), slot))
            case Mention():
                best = max(best, _fit_of(offers(piece), slot) or 1)
            case _:
                pass
    if slot.name == "question":
        best -= 2
    return max(best, 1) + slot.required


def _fit_of(types: tuple[Type, ...], slot: Slot) -> int:
    if set(types) & set(slot.types):
        return 10
    if suits(types, slot):
        return 7
    return 5 if slot.required and bridge(types, slot) else 0


def _fit_of_words(text: str, slot: Slot) -> int:
    if not takes_words(slot):
        return 2  # perhaps a file that goes by another name
    match slot.name:
        case "question":
            return 9 + 3 * ("?" in text)
        case name if name in _SHORT:
            return 8 if _LANGUAGE.fullmatch(text.strip()) else 1
        case "context" | "document":
            return 6
        case _:
            return 9 + slot.required
