"""What passes between the program and its workers: the arguments of a task, and what was found."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pipeline.conversions import as_text
from pipeline.domain import Blob, Raw, Sentence, Type
from pipeline.errors import BadInput, ExpertRefused

Args = Mapping[str, tuple[Raw, ...]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a worker found, and sentences on how far it can be trusted."""

    slots: Mapping[str, Raw]
    notes: tuple[Sentence, ...] = ()
    extras: tuple[Blob, ...] = ()
    told: Mapping[str, Sentence] = field(default_factory=dict)
    """Text slots that hold a sentence of ours."""


Work = Callable[[Args, str], Finding]
"""Done in a worker process: the arguments, and the language of the request ("" if unknown)."""


def words(args: Args, slot: str) -> str:
    """A text argument, its pieces joined; "" when it was not given."""
    return "\n".join(as_text(piece) for piece in args.get(slot, ())).strip()


def some_words(args: Args, slot: str) -> str:
    """A text argument that must say something. Raises BadInput."""
    said = words(args, slot)
    if not said:
        raise BadInput("embedded-nothing-said", slot=slot)
    return said


def several(args: Args, slot: str) -> list[str]:
    """A text argument of which there can be many."""
    return [as_text(piece) for piece in args.get(slot, ())]


def file(args: Args, slot: str, *types: Type) -> Blob:
    """The file of an argument. Raises BadInput when there is none, ExpertRefused when it is of a type not taken here."""
    given = args.get(slot, ())
    for piece in given:
        if isinstance(piece, Blob) and (piece.type in types or not types):
            return piece
    if given:
        raise ExpertRefused("embedded-file-type", slot=slot)
    raise BadInput("embedded-no-file", slot=slot)
