"""Assign the arguments of a plan to the slots of a kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import Media, Slot, TaskKind, Type
from pipeline.planning.pieces import Piece, StepReference
from pipeline.planning.type_fit import find_bridge, is_suitable
from pipeline.task_kinds import KINDS

_MOST_SHORT_CHARACTERS = 30
"""The longest argument that a slot for a few words takes."""
_TRUTH_VALUES = ("true", "false")
_PARAMETERS = frozenset(slot.name for kind in KINDS.values() for slot in kind.takes if slot.form)
"""Names that mean the same for each kind that takes them: size, seed, duration …"""
_SAME, _CONVERTIBLE, _BRIDGED, _NO_FIT = range(4)
"""How well an argument fits a slot: by its type, converted, by a task between, or not at all."""
OfferedTypes = Callable[[StepReference], tuple[Type, ...]]
"""Returns the output types of a referenced task; empty if there is no such task."""


@dataclass(frozen=True, slots=True)
class WrittenArgument:
    """One argument as written: its name ("" if none), its text, and its pieces."""

    name: str
    text: str
    pieces: tuple[Piece, ...]

    @property
    def is_words(self) -> bool:
        return all(isinstance(piece, str) for piece in self.pieces)

    @property
    def is_setting(self) -> bool:
        """Whether it is a named number or truth value, as in "threshold": 0.5."""
        text = self.text.strip().casefold()
        is_number = text.removeprefix("-").replace(".", "", 1).isdecimal()
        return bool(self.name) and (is_number or text in _TRUTH_VALUES)

    def types(self, offers: OfferedTypes) -> list[Type]:
        """The types of its files and of the tasks it refers to."""
        offered = (
            (piece.attachment.type,) if isinstance(piece, Media) else offers(piece)
            for piece in self.pieces
            if not isinstance(piece, str)
        )
        return [type_ for types in offered for type_ in types]


def assign_arguments(
    kind: TaskKind, args: Sequence[WrittenArgument], offers: OfferedTypes
) -> tuple[Mapping[str, Sequence[WrittenArgument]], Sequence[WrittenArgument]]:
    """Assign arguments to the slots of a kind; also returns those that fit none.

    Named arguments go to the slot of that name. Then references and files are assigned before
    words, and those that fit fewer slots first; when no slot is free, arguments share one. Numbers
    and truth values under an unknown name only fill a required slot, and a parameter of other kinds
    fits none: it is no part of the words.
    """
    assigned: dict[str, list[WrittenArgument]] = {}
    rest: list[WrittenArgument] = []
    shared = [slot for slot in kind.takes if not slot.short and slot.name != "question"]

    def order(arg: WrittenArgument) -> tuple[bool, bool, int]:
        fitting = sum(_rate_fit(arg, slot, offers) < _BRIDGED for slot in kind.takes)
        return _find_named(kind, arg.name) is None, arg.is_words, fitting

    for arg in sorted(args, key=order):
        free = [slot for slot in kind.takes if slot.name not in assigned]
        if _spell(arg.name) in _PARAMETERS:
            fitting = None
        elif arg.is_setting:
            fitting = _find_fitting(arg, [slot for slot in free if slot.required], offers)
        else:
            fitting = _find_fitting(arg, free, offers) or _find_fitting(arg, shared, offers)
        slot = _find_named(kind, arg.name) or fitting
        assigned.setdefault(slot.name, []).append(arg) if slot else rest.append(arg)
    return {name: sorted(values, key=args.index) for name, values in assigned.items()}, rest


def _spell(name: str) -> str:
    """The name of an argument as kinds spell it."""
    return "_".join(name.casefold().replace("-", " ").split())


def _find_named(kind: TaskKind, name: str) -> Slot | None:
    name = _spell(name)
    of_type = (slot for slot in kind.takes if name in slot.types and not slot.form)
    return kind.argument(name) or next(of_type, None)


def _find_fitting(arg: WrittenArgument, slots: Iterable[Slot], offers: OfferedTypes) -> Slot | None:
    """The slot that fits an argument best; a `question` prefers words to files and references."""

    def rate(slot: Slot) -> tuple[int, bool]:
        return _rate_fit(arg, slot, offers), (slot.name == "question") != arg.is_words

    return min((slot for slot in slots if rate(slot)[0] <= _BRIDGED), key=rate, default=None)


def _rate_fit(arg: WrittenArgument, slot: Slot, offers: OfferedTypes) -> int:
    if slot.form:
        return _NO_FIT
    if slot.short:
        is_short = arg.is_words and len(arg.text) <= _MOST_SHORT_CHARACTERS
        return _CONVERTIBLE if is_short else _NO_FIT
    types = [Type.TEXT] if arg.is_words else arg.types(offers)
    if {*types} & {*slot.types}:
        return _SAME
    if is_suitable(types, slot):
        return _CONVERTIBLE
    return _BRIDGED if slot.required and find_bridge(types, slot) else _NO_FIT
