"""What kinds take and make, as tables of bits, so that whole sets of kinds can be weighed at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.domain import TaskKind, Type

TYPES = (Type.TEXT, Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE)
TALK = "talk"
"""Stands for the empty set of kinds: plain talk."""

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Shapes:
    """For a list of kinds: which types each makes, what each of its slots takes, which may feed which."""

    makes: Bits
    slots: Bits
    owner: npt.NDArray[np.int64]
    feeds: Bits


def shapes(kinds: Sequence[str], table: Mapping[str, TaskKind]) -> Shapes:
    """The shapes of kinds in this order; what is not in the table (plain talk) takes and makes nothing."""
    makes = np.zeros((len(kinds), len(TYPES)), bool)
    slots: list[list[bool]] = []
    owner: list[int] = []
    for at, name in enumerate(kinds):
        if name not in table:
            continue
        for slot in table[name].makes:
            makes[at] |= [kind in (*slot.types, *_read_as(slot.type)) for kind in TYPES]
        for slot in table[name].takes:
            if slot.required:
                slots.append([kind in slot.types for kind in TYPES])
                owner.append(at)
    takes = np.array(slots, bool)
    feeds = np.zeros((len(kinds), len(kinds)), bool)
    for row, at in zip(takes, owner, strict=True):
        feeds[:, at] |= (makes & row).any(axis=1)
    np.fill_diagonal(feeds, val=False)
    return Shapes(makes, takes, np.array(owner), feeds)


def available(types: Sequence[Type]) -> Bits:
    """Types as bits; words there always are."""
    return np.array([kind is Type.TEXT or kind in types for kind in TYPES], bool)


def missing(shape: Shapes, sets: Bits, given: Bits) -> npt.NDArray[np.int64]:
    """How many inputs of each set of kinds nothing given and nothing made could fill."""
    made = sets.astype(np.int64) @ shape.makes.astype(np.int64)
    by_others = made[:, None, :] - shape.makes[shape.owner][None] > 0
    filled = (shape.slots[None] & (given[None, None] | by_others)).any(axis=2)
    return np.asarray((sets[:, shape.owner] & ~filled).sum(axis=1))


def unused(shape: Shapes, sets: Bits, sent: Bits) -> npt.NDArray[np.int64]:
    """How many types of the files that were sent no kind of each set takes."""
    wanted = np.zeros((len(sets), len(TYPES)), bool)
    for row, at in zip(shape.slots, shape.owner, strict=True):
        wanted |= sets[:, at, None] & row[None]
    return np.asarray((sent[None] & ~wanted)[:, 1:].sum(axis=1))


def idle(shape: Shapes, sets: Bits, readers: Sequence[int]) -> npt.NDArray[np.int64]:
    """How many of the kinds that only make a text out of a file stand in a set in which nothing reads it."""
    takes_text = np.zeros(shape.makes.shape[0], bool)
    takes_text[shape.owner[shape.slots[:, 0]]] = True
    takes_text[list(readers)] = False
    read = (sets & takes_text).any(axis=1)
    return np.asarray(sets[:, list(readers)].sum(axis=1) * ~read)


def _read_as(kind: Type) -> tuple[Type, ...]:
    words = (Type.LABELS, Type.BOXES, Type.MASKS, Type.SPANS, Type.NUMBER)
    return (Type.TEXT,) if kind in words else ()
