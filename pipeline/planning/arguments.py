"""Split arguments into text, files and references, and assign them to the slots of a kind."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline.domain import Media, Request, Slot, TaskKind, Type
from pipeline.domain.values import WITH_A_TASK, convertible
from pipeline.task_kinds import KINDS
from pipeline.text.thread_texts import expand_excerpt, find_thread_text

_TYPES = "|".join(Type)
_REFERENCE = re.compile(
    rf"(?:<(?:GENERATED|resource)>?-(?P<label>\w{{1,40}})>?|<(?P<typed>{_TYPES})>-(?P<of>\d{{1,4}})\b"
    rf"|\bGENERATED-(?P<bare>\d{{1,4}})\b)(?:\.(?P<output>{_TYPES})\b)?",
    re.IGNORECASE,
)
"""The paper's `<GENERATED>-0`, optionally with a type of output: `<GENERATED>-0.text`.

Models also write `<text>-0` and `GENERATED-0`.
"""
_MOST_PIECES = 64
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class StepReference:
    """A reference to another task: its label, and the output ("" if not given)."""

    label: str
    output: str = ""


Piece = str | Media | StepReference


def split_argument(text: str, request: Request) -> tuple[Piece, ...]:
    """Split an argument's text into words, files and references, in order.

    The name of a text of the thread stands for its words, also at the end of an order ("Write the
    minutes of: this thread"), and "…" for what is between two quotes.

    A reference that occurs literally in the person's message is treated as words.
    """
    if files := _find_files(text, request):
        return files
    order, colon, name = text.rpartition(":")
    if written := find_thread_text(name, request):
        return (f"{order}{colon}\n{written}".lstrip(),)
    text = expand_excerpt(text, request)
    pieces: list[Piece] = []
    end = 0
    matches = (match for match in _REFERENCE.finditer(text) if match[0] not in request.text)
    for match in islice(matches, _MOST_PIECES):
        label = (match["label"] or match["of"] or match["bare"]).casefold()
        number = str(int(label)) if label.isdecimal() else label
        output = (match["output"] or match["typed"] or "").casefold()
        pieces += [text[end : match.start()], StepReference(number, output)]
        end = match.end()
    return _drop_separators([*pieces, text[end:]])


def _find_files(text: str, request: Request) -> tuple[Media, ...]:
    """The files that a text lists; empty if any part of the text is not a file."""
    if whole := _find_file(text, request):
        return (whole,)
    parts = [part for part in re.split(r"[,;\n]", text, maxsplit=_MOST_PIECES) if part.strip()]
    files = tuple(file for part in parts if (file := _find_file(part, request)))
    return files if len(files) == len(parts) else ()


def _find_file(name: str, request: Request) -> Media | None:
    """The file with this name, also at the end of a path or a URL."""
    name = name.strip(" \t\r\n<>\"'`[]()")
    if not name or len(name) > _LONGEST_NAME:
        return None
    last = name.partition("?")[0].replace("\\", "/").rpartition("/")[2]
    file = request.file(name) or request.file(last)
    return Media(file.attachment) if file else None


def _drop_separators(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Drop blank words, and words that only separate references."""
    words = [piece for piece in pieces if isinstance(piece, str)]
    is_list = not "".join(words).strip(",;\n &+")
    dropped = [piece for piece in words if is_list or not piece.strip()]
    return tuple(piece for piece in pieces if piece not in dropped)


def is_address(text: str) -> bool:
    return text.strip().startswith(("http://", "https://", "file:", "data:"))


OfferedTypes = Callable[[StepReference], tuple[Type, ...]]
"""Returns the output types of a referenced task; empty if there is no such task."""

_MOST_SHORT_CHARACTERS = 30
_TRUTH_VALUES = ("true", "false")
_PARAMETERS = frozenset(slot.name for kind in KINDS.values() for slot in kind.takes if slot.form)
"""Names that mean the same for each kind that takes them: size, seed, duration …"""
_SAME, _CONVERTIBLE, _BRIDGED, _NO_FIT = range(4)


def find_output(kind: TaskKind, slot: Slot, name: str = "") -> Slot | None:
    """The output of a kind to pass to a slot: one of the same type, or else a convertible one.

    `name`: the name or type of output that the plan refers to ("" if none).
    """
    named = tuple(out for out in kind.makes if name and name in (out.name, *out.types))
    outputs = named or kind.makes
    same = (out for target in slot.types for out in outputs if target in out.types)
    suitable = (out for out in outputs if is_suitable(out.types, slot))
    return next(same, None) or next(suitable, None)


def find_bridge(types: Iterable[Type], slot: Slot) -> str:
    """The kind of task that converts one of these types for a slot; "" if there is none."""
    pairs = [(source, target) for source in types for target in slot.types]
    return next((WITH_A_TASK[pair] for pair in pairs if pair in WITH_A_TASK), "")


def is_suitable(types: Iterable[Type], slot: Slot) -> bool:
    """Whether a slot takes one of the types, or one that converts without a task."""
    return any(convertible(source, target) for source in types for target in slot.types)


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
