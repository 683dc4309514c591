"""Long text cut where a reader would: between paragraphs, lines, sentences, words; never in a fence or a link."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Measure = Callable[[str], int]

_BOUNDARIES = (
    re.compile(r"\n\n+"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])\s+|(?<=[。\uff01\uff1f])"),
    re.compile(r"\s+"),
)
_WHOLE = re.compile(r"(?!)")
_EVERYONE = re.compile(
    r"@(?=(?:everyone|here|channel)(?![A-Za-z0-9_])|[!&]?\d{15,})|<(?=[@!#])", re.IGNORECASE
)
_GAP = "\u200b"
_FIRST_HALF = 2
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Piece:
    """Finished text that belongs together. `opening` and `closing` are repeated around each part when it must be cut."""

    body: str
    opening: str = ""
    closing: str = ""
    gap: str = "\n\n"
    """What stands between this and the piece before it."""

    @property
    def whole(self) -> str:
        return f"{self.opening}{self.body}{self.closing}"


def packed(
    pieces: Sequence[Piece],
    limit: int,
    *,
    unbroken: re.Pattern[str] = _WHOLE,
    measure: Measure = len,
) -> tuple[str, ...]:
    """Texts of at most `limit`, as few as the order allows; `unbroken` matches what must not be cut inside."""
    texts: list[str] = []
    for piece in pieces:
        for number, part in enumerate(_parts(piece, limit, unbroken, measure)):
            joined = f"{texts[-1]}{piece.gap}{part}" if texts and number == 0 else ""
            if joined and measure(joined) <= limit:
                texts[-1] = joined
            else:
                texts.append(part)
    return tuple(texts)


def cut(
    text: str, limit: int, *, unbroken: re.Pattern[str] = _WHOLE, measure: Measure = len
) -> Iterator[str]:
    """The text in parts of at most `limit`, cut at the best boundary in the second half of each."""
    while measure(text) > limit:
        end = _boundary(text, _reach(text, limit, measure), unbroken)
        head, rest = text[:end], text[end:].lstrip("\n")
        text = rest if head.endswith("\n") else rest.removeprefix(" ")
        if head.strip():
            yield head.rstrip()
    if text:
        yield text


def shortened(text: str, limit: int) -> str:
    """One line of at most `limit` characters, ending in an ellipsis where something was left out."""
    line = " ".join(text.split())
    return line if len(line) <= limit else next(cut(line, limit - 1)).rstrip() + "…"


def defused(text: str) -> str:
    """The same to the eye, but no platform will ping anybody for it."""
    return _EVERYONE.sub(lambda found: f"{found.group()}{_GAP}", text)


def _parts(piece: Piece, limit: int, unbroken: re.Pattern[str], measure: Measure) -> Iterator[str]:
    if measure(piece.whole) <= limit:
        yield piece.whole
        return
    room = limit - measure(piece.opening + piece.closing)
    for part in cut(piece.body, room, unbroken=unbroken, measure=measure):
        yield f"{piece.opening}{part}{piece.closing}"


def _reach(text: str, limit: int, measure: Measure) -> int:
    """How many characters fit: as many as `limit`, fewer where some measure more than one."""
    end = min(limit, len(text))
    while measure(text[:end]) > limit:
        end -= max(1, (measure(text[:end]) - limit) // _FIRST_HALF)
    return end


def _boundary(text: str, reach: int, unbroken: re.Pattern[str]) -> int:
    spans = [
        found.span()
        for found in unbroken.finditer(text, 0, reach * 2)
        if len(found.group()) <= reach
    ]
    for pattern in _BOUNDARIES:
        ends = [found.end() for found in pattern.finditer(text, 0, reach)]
        good = [end for end in ends if end > reach // _FIRST_HALF and not _inside(end, spans)]
        if good:
            return good[-1]
    around = next((start for start, end in spans if start < reach < end), reach)
    return _between_characters(text, around or reach)


def _inside(position: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < position < end for start, end in spans)


def _between_characters(text: str, position: int) -> int:
    """Not before a combining mark, a variation selector or a joiner, so that no character is torn."""
    while position > 1 and position < len(text) and _clings(text[position - 1], text[position]):
        position -= 1
    return position


def _clings(before: str, character: str) -> bool:
    return (
        _JOINER in (before, character)
        or unicodedata.combining(character) > 0
        or unicodedata.category(character) in ("Mn", "Me", "Sk")
    )
