"""Rendered text in pieces that know how they may be cut, packed into messages of a limit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.text import Measure, Span, cut


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a line. An atomic one (a link, a span of code) is not cut if it fits a message."""

    text: str
    is_atomic: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A part of a line that looks the same throughout, without markup."""

    text: str
    marks: frozenset[str] = frozenset()
    """Of "strong", "em", "s" and "code"."""
    href: str = ""


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a list: one line."""

    depth: int
    number: int | None
    """None in a list of bullets."""
    line: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of rendered text. If it is cut, `opening` and `closing` go around each part."""

    body: tuple[Segment, ...]
    opening: str = ""
    closing: str = ""
    gap: str = "\n\n"
    """The separator between this piece and the previous one in the same message."""
    cells: tuple[tuple[str, ...], ...] = ()
    """The rows of a table in plain text, for platforms that have tables; same in all its pieces."""
    items: tuple[ListItem, ...] = ()
    """The items of a list and of those in it, for platforms that have lists; likewise."""

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.body)


def pack(pieces: Sequence[Piece], limit: int, *, measure: Measure = len) -> tuple[str, ...]:
    """Join pieces into texts of at most `limit`; blank texts are dropped."""
    packed: list[list[str]] = []
    size = limit
    for piece in pieces:
        for number, part in enumerate(_cut_piece(piece, limit, measure)):
            added = measure(part) + measure(piece.gap)
            if packed and number == 0 and size + added <= limit:
                packed[-1] += [piece.gap, part]
                size += added
            else:
                packed.append([part])
                size = measure(part)
    texts = ("".join(parts) for parts in packed)
    return tuple(text for text in texts if text.strip())


def _cut_piece(piece: Piece, limit: int, measure: Measure) -> Iterator[str]:
    text = piece.text
    whole = f"{piece.opening}{text}{piece.closing}"
    if measure(whole) <= limit:
        yield whole
        return
    room = limit - measure(piece.opening + piece.closing)
    for part in cut(text, room, keep=_find_atoms(piece), measure=measure):
        yield f"{piece.opening}{part}{piece.closing}"


def _find_atoms(piece: Piece) -> list[Span]:
    spans: list[Span] = []
    position = 0
    for segment in piece.body:
        end = position + len(segment.text)
        if segment.is_atomic:
            spans.append((position, end))
        position = end
    return spans
