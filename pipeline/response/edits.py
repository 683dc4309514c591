"""Changes to a text, each at its place; what was looked at once is not looked at again."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from re import Match, Pattern

MARK = " (?)"


_ENDS = ".!?。！？\n"  # noqa: RUF001 - ends of sentences

_REACH = 500


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a stretch begins and ends."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    begin = max(first, *(text.rfind(sign, first, start) + 1 for sign in _ENDS))
    ends = [at for sign in _ENDS if (at := text.find(sign, end, last)) >= 0]
    return begin, min(ends, default=last)


@dataclass(slots=True)
class Edits:
    """A text and what is to be changed in it. `settled`: for each character, whether it needs no other look."""

    text: str
    settled: bytearray = field(init=False)
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    struck: int = 0
    marked: int = 0
    mended: int = 0

    def __post_init__(self) -> None:
        self.settled = bytearray(len(self.text))

    def open(self, pattern: Pattern[str]) -> Iterator[Match[str]]:
        """Where a pattern stands in what is not settled yet."""
        for found in pattern.finditer(self.text):
            if not self.is_settled(*found.span()):
                yield found

    def is_settled(self, start: int, end: int) -> bool:
        return self.settled.find(1, start, end) >= 0

    def settle(self, start: int, end: int) -> None:
        self.settled[start:end] = b"\1" * (end - start)

    def change(self, start: int, end: int, new: str) -> None:
        self.changes.append((start, end, new))
        self.settle(start, end)

    def strike(self, start: int, end: int, new: str = "[…]") -> None:
        self.struck += 1
        self.change(start, end, new)

    def mend(self, start: int, end: int, new: str) -> None:
        self.mended += 1
        self.change(start, end, new)

    def mark(self, start: int, end: int, at: int = -1) -> None:
        """A mark after a stretch, or further on."""
        self.marked += 1
        self.settle(start, end)
        place = end if at < 0 else at
        self.changes.append((place, place, MARK))

    def done(self) -> str:
        pieces, at = [], 0
        for start, end, new in sorted(set(self.changes)):
            pieces += [self.text[at:start], new]
            at = max(at, end)
        return "".join([*pieces, self.text[at:]])
