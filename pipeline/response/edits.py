"""Changes to a text, each at its place; what was looked at once is not looked at again."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from re import Match, Pattern

MARK = " (?)"


_ENDS = ".!?。！？\n"  # noqa: RUF001 - ends of sentences


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a stretch begins and ends."""
    begin = max(text.rfind(sign, 0, start) for sign in _ENDS) + 1
    ends = [at for sign in _ENDS if (at := text.find(sign, end)) >= 0]
    return begin, min(ends, default=len(text))


@dataclass(slots=True)
class Edits:
    """A text and what is to be changed in it. `settled` are the stretches that need no other look."""

    text: str
    settled: list[tuple[int, int]] = field(default_factory=list)
    changes: list[tuple[int, int, str]] = field(default_factory=list)
    struck: int = 0
    marked: int = 0
    mended: int = 0

    def open(self, pattern: Pattern[str]) -> Iterator[Match[str]]:
        """Where a pattern stands in what is not settled yet."""
        for found in pattern.finditer(self.text):
            if not self.is_settled(*found.span()):
                yield found

    def is_settled(self, start: int, end: int) -> bool:
        return any(start < last and first < end for first, last in self.settled)

    def settle(self, start: int, end: int) -> None:
        self.settled.append((start, end))

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
        if (place, place, MARK) not in self.changes:
            self.changes.append((place, place, MARK))

    def done(self) -> str:
        text = self.text
        for start, end, new in sorted(self.changes, reverse=True):
            text = text[:start] + new + text[end:]
        return text
