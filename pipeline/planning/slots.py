"""Which of a task's arguments goes where: by its name, else by what it holds."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.conversions import convertible
from pipeline.domain import Media, Slot, TaskKind, Type
from pipeline.planning.fitting import bridge, suits, takes, takes_words
from pipeline.planning.mentions import Mention, Piece, is_result, named_type
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


def material(kind: TaskKind, groups: Sequence[Group], offers: Offers) -> list[Group]:
    """The groups without the name of a file that the task itself makes, beside what it makes it of."""
    if kind.name == _CONVERTS:
        return list(groups)
    groups = _once(kind, groups)
    return [
        group
        for group in groups
        if not any(_is_result(group, other, kind, offers) for other in groups if other != group)
    ]


def _once(kind: TaskKind, groups: Sequence[Group]) -> Sequence[Group]:
    """The groups without a file that was named before, where the kind has no second place for it."""
    once: dict[object, Group] = {}
    for at, group in enumerate(groups):
        file = group.pieces[0] if len(group.pieces) == 1 else ""
        type_ = file.attachment.type if isinstance(file, Media) else Type.TEXT
        alone = isinstance(file, Media) and sum(type_ in slot.types for slot in kind.takes) == 1
        once.setdefault(file if alone else at, group)
    return list(once.values())


_CONVERTS = "media-conversion"
"""A name for its result says what it shall do."""


def _is_result(group: Group, other: Group, kind: TaskKind, offers: Offers) -> bool:
    """Whether a group names what the task makes: a file that it does not take, or one that is not there."""
    made = {type_ for out in kind.makes for type_ in out.types}
    match group.pieces:
        case (Media(attachment),):
            is_made = attachment.type in made and not takes(kind, attachment.type)
            return is_made and any(isinstance(piece, Mention) for piece in other.pieces)
        case (str(text),) if is_result(text):
            return not (other.is_words and is_result(str(other.pieces[0])))
        case (str(text),) if (type_ := named_type(text)) in made:
            wanted = type_ if type_ and takes(kind, type_) else Type.TEXT
            return any(convertible(given, wanted) for given in _types(other, offers))
        case _:
            return False


def _types(group: Group, offers: Offers) -> Iterator[Type]:
    for piece in group.pieces:
        match piece:
            case Media(attachment):
                yield attachment.type
            case Mention():
                yield from offers(piece)
            case str(text):
                yield named_type(text) or Type.TEXT


def assign(
    kind: TaskKind, groups: Sequence[Group], offers: Offers
) -> tuple[Assigned, tuple[Group, ...]]:
    """The groups for each argument of a kind, and those that suit none.

    Where two suit one equally well, it goes to the one that suits the others less.
    """
    taken: dict[str, list[Group]] = {}
    rest = list(range(len(groups)))
    worked_on = any(not group.is_words for group in groups)
    scores = [
        [
            _score(group, slot, offers) + _beside(group, slot, worked_on=worked_on)
            for slot in kind.takes
        ]
        for group in groups
    ]
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
    _from_and_to(taken, groups)
    left = [at for at in rest if not _joins(kind, groups[at], offers, taken)]
    ordered = {
        name: tuple(sorted(found, key=groups.index)) for name, found in taken.items() if found
    }
    return ordered, tuple(groups[at] for at in left)


def _from_and_to(taken: dict[str, list[Group]], groups: Sequence[Group]) -> None:
    """Of two languages without a name, the first is what is translated from."""
    pair = [taken.get(name, [])[:1] for name in ("source_language", "language")]
    if all(pair) and not any(group.name for found in pair for group in found):
        first, second = sorted((found[0] for found in pair), key=groups.index)
        taken["source_language"], taken["language"] = [first], [second]


def _beside(group: Group, slot: Slot, *, worked_on: bool) -> int:
    """A word that may be a language is one beside the output or the file that is to be worked on."""
    return 4 * (worked_on and not group.name and slot.name in _SHORT and _is_short(group))


def _is_short(group: Group) -> bool:
    return group.is_words and bool(_LANGUAGE.fullmatch(" ".join(map(str, group.pieces)).strip()))


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
