"""What an argument holds (words, files, other tasks) and which slot of a kind it fits."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline.domain import Media, Request, Slot, TaskKind, Type
from pipeline.domain.conversions import WITH_A_TASK, convertible

_REFERENCE = re.compile(
    rf"<(?:GENERATED|resource)>?-(\w{{1,40}})>?(?:\.({'|'.join(Type)})\b)?", re.IGNORECASE
)
"""The paper's `<GENERATED>-0`, also with the name of an output behind it: `<GENERATED>-0.text`."""
_MOST_PIECES = 64
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class StepReference:
    """Another task named in an argument: its label, and which of its outputs ("" if not said)."""

    label: str
    output: str = ""


Piece = str | Media | StepReference


def split_argument(text: str, request: Request) -> tuple[Piece, ...]:
    """The words, files and references in a text of a plan, in their order.

    What looks like a reference and stands word for word in the person's message is only words.
    """
    if files := _find_files(text, request):
        return files
    pieces: list[Piece] = []
    at = 0
    matches = (match for match in _REFERENCE.finditer(text) if match[0] not in request.text)
    for match in islice(matches, _MOST_PIECES):
        label = match[1].casefold()
        number = str(int(label)) if label.isdecimal() else label
        pieces += [text[at : match.start()], StepReference(number, (match[2] or "").casefold())]
        at = match.end()
    return _drop_separators([*pieces, text[at:]])


def _find_files(text: str, request: Request) -> tuple[Media, ...]:
    """The files that a whole text names, alone or in a list; empty when any part names none."""
    if whole := _find_file(text, request):
        return (whole,)
    parts = [part for part in re.split(r"[,;\n]", text, maxsplit=_MOST_PIECES) if part.strip()]
    files = tuple(file for part in parts if (file := _find_file(part, request)))
    return files if len(files) == len(parts) else ()


def _find_file(name: str, request: Request) -> Media | None:
    """The file that people here call so, also at the end of a path or an address."""
    name = name.strip(" \t\r\n<>\"'`[]()")
    if not name or len(name) > _LONGEST_NAME:
        return None
    last = name.partition("?")[0].replace("\\", "/").rpartition("/")[2]
    file = request.file(name) or request.file(last)
    return Media(file.attachment) if file else None


def _drop_separators(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Without empty words, and without what merely separates references."""
    words = [piece for piece in pieces if isinstance(piece, str)]
    is_list = not "".join(words).strip(",;\n &+")
    dropped = [piece for piece in words if is_list or not piece.strip()]
    return tuple(piece for piece in pieces if piece not in dropped)


def is_address(text: str) -> bool:
    """Whether a text is nothing but the address of a file."""
    return text.strip().startswith(("http://", "https://", "file:", "data:"))


OfferedTypes = Callable[[StepReference], tuple[Type, ...]]
"""The types that another task makes; empty when there is no such task."""

_SHORT_SLOTS = ("language", "source_language", "target")
_LONGEST_SHORT = 30
_SAME, _CONVERTIBLE, _BRIDGED, _NO_FIT = range(4)


def find_output(kind: TaskKind, slot: Slot, wanted: str = "") -> Slot | None:
    """The output of a kind that an argument takes as it is, or else one that becomes it.

    `wanted` is the name or type of an output that the plan asks for ("" if none).
    """
    asked = tuple(out for out in kind.makes if wanted and wanted in (out.name, *out.types))
    outputs = asked or kind.makes
    same = (out for target in slot.types for out in outputs if target in out.types)
    becoming = (out for out in outputs if is_suitable(out.types, slot))
    return next(same, None) or next(becoming, None)


def find_bridge(types: Iterable[Type], slot: Slot) -> str:
    """The kind of task that turns one of these types into what an argument takes, or ""."""
    pairs = [(source, target) for source in types for target in slot.types]
    return next((WITH_A_TASK[pair] for pair in pairs if pair in WITH_A_TASK), "")


def is_suitable(types: Iterable[Type], slot: Slot) -> bool:
    """Whether an argument takes one of the types, or something that it becomes by itself."""
    return any(convertible(source, target) for source in types for target in slot.types)


@dataclass(frozen=True, slots=True)
class WrittenArgument:
    """One argument as written: its name ("" if none), its text and the pieces it holds."""

    name: str
    text: str
    pieces: tuple[Piece, ...]

    @property
    def is_words(self) -> bool:
        return all(isinstance(piece, str) for piece in self.pieces)

    def types(self, offers: OfferedTypes) -> list[Type]:
        """The types of the files and outputs in it."""
        offered = (
            (piece.attachment.type,) if isinstance(piece, Media) else offers(piece)
            for piece in self.pieces
            if not isinstance(piece, str)
        )
        return [type_ for types in offered for type_ in types]


def assign_arguments(
    kind: TaskKind, args: Sequence[WrittenArgument], offers: OfferedTypes
) -> tuple[Mapping[str, Sequence[WrittenArgument]], Sequence[WrittenArgument]]:
    """The written arguments for each slot of a kind, and those that fit none.

    An argument goes where its name says. Of the rest, references and files choose before words,
    and those that fit fewer slots before others; what is left joins an argument that fits.
    """
    taken: dict[str, list[WrittenArgument]] = {}
    rest: list[WrittenArgument] = []
    shared = [slot for slot in kind.takes if slot.name not in (*_SHORT_SLOTS, "question")]

    def order(arg: WrittenArgument) -> tuple[bool, bool, int]:
        fitting = sum(_rate_fit(arg, slot, offers) < _BRIDGED for slot in kind.takes)
        return _find_named(kind, arg.name) is None, arg.is_words, fitting

    for arg in sorted(args, key=order):
        free = [slot for slot in kind.takes if slot.name not in taken]
        fitting = _find_fitting(arg, free, offers) or _find_fitting(arg, shared, offers)
        slot = _find_named(kind, arg.name) or fitting
        taken.setdefault(slot.name, []).append(arg) if slot else rest.append(arg)
    return {name: sorted(given, key=args.index) for name, given in taken.items()}, rest


def _find_named(kind: TaskKind, name: str) -> Slot | None:
    name = "_".join(name.casefold().replace("-", " ").split())
    return kind.argument(name) or next((slot for slot in kind.takes if name in slot.types), None)


def _find_fitting(arg: WrittenArgument, slots: Iterable[Slot], offers: OfferedTypes) -> Slot | None:
    """The slot that fits an argument best. A question is words, not what another step makes."""

    def rate(slot: Slot) -> tuple[int, bool]:
        return _rate_fit(arg, slot, offers), (slot.name == "question") != arg.is_words

    return min((slot for slot in slots if rate(slot)[0] <= _BRIDGED), key=rate, default=None)


def _rate_fit(arg: WrittenArgument, slot: Slot, offers: OfferedTypes) -> int:
    if slot.name in _SHORT_SLOTS:
        return _CONVERTIBLE if arg.is_words and len(arg.text) <= _LONGEST_SHORT else _NO_FIT
    types = [Type.TEXT] if arg.is_words else arg.types(offers)
    if {*types} & {*slot.types}:
        return _SAME
    if is_suitable(types, slot):
        return _CONVERTIBLE
    return _BRIDGED if slot.required and find_bridge(types, slot) else _NO_FIT
