"""Cut long texts between paragraphs, lines, sentences or words."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence

Measure = Callable[[str], int]
Span = tuple[int, int]
"""Start and end offsets in a text."""

_BREAK = re.compile("(\n\n)|(\n)|([.!?…] |[。\uff01\uff1f])|([ \t\u3000])")
"""Places to cut, best first: paragraph, line, sentence, word."""
_EVERYONE = re.compile(
    r"@(?=(?:everyone|here|channel)(?![A-Za-z0-9_])|[!&]?\d{15,})|<(?=[@!#])", re.IGNORECASE
)
_GAP = "\u200b"
_LONGEST_ENTITY = 6


def cut(
    text: str, limit: int, *, keep: Sequence[Span] = (), measure: Measure = len
) -> Iterator[str]:
    """Cut a text into parts of at most `limit`, at the best place in the second half of each.

    `measure` gives the length that counts against `limit`. `keep`: sorted spans not to cut inside,
    unless one is longer than a part.
    """
    start, limit = 0, max(1, limit)
    while start < len(text):
        reach = _find_reach(text, start, limit, measure)
        end = len(text) if reach == len(text) else _find_break(text, start, reach, keep)
        part = text[start:end].rstrip() if end < len(text) else text[start:]
        if part.strip() or end == len(text):
            yield part
        start = _skip_break(text, end)


def shorten(text: str, limit: int) -> str:
    """A text as one line of at most `limit` characters, ending in an ellipsis if cut."""
    line = " ".join(text.split())
    return line if len(line) <= limit else next(cut(line, limit - 1)).rstrip() + "…"


def defuse(text: str) -> str:
    """Insert invisible characters into mentions so that no platform notifies anybody."""
    return _EVERYONE.sub(lambda match: f"{match.group()}{_GAP}", text)


def unlink(text: str) -> str:
    """Insert invisible characters into addresses so that no platform makes links of them."""
    return text.replace("://", f":{_GAP}//")


def _find_reach(text: str, start: int, limit: int, measure: Measure) -> int:
    """The end of the longest part from `start` that surely measures at most `limit`."""
    end = min(start + limit, len(text))
    while (excess := measure(text[start:end]) - limit) > 0:
        end -= max(1, excess // 2)
    return end


def _find_break(text: str, start: int, reach: int, keep: Sequence[Span]) -> int:
    middle = start + (reach - start) // 2
    breaks = (
        (match.lastindex or 0, -match.end())
        for match in _BREAK.finditer(text, middle, reach)
        if _find_span(match.end(), keep) is None
    )
    if best := min(breaks, default=None):
        return -best[1]
    around = _find_span(reach, keep)
    if around and around[0] > start:
        return around[0]
    return _avoid_tearing(text, start, reach)


def _find_span(position: int, keep: Sequence[Span]) -> Span | None:
    index = bisect_right(keep, (position,)) - 1
    return keep[index] if index >= 0 and position < keep[index][1] else None


def _skip_break(text: str, end: int) -> int:
    """The start of the next part: after the line ends, or the one space, at the cut."""
    start = end
    while start < len(text) and text[start] == "\n":
        start += 1
    after_line = end > 0 and text[end - 1] == "\n"
    return start + (start == end and not after_line and text[start : start + 1] == " ")


def _avoid_tearing(text: str, start: int, position: int) -> int:
    """Move a cut out of an HTML entity or a backslash escape."""
    entity = text.rfind("&", max(start + 1, position - _LONGEST_ENTITY), position)
    if entity > 0 and ";" not in text[entity:position]:
        return entity
    return position - (position > start + 1 and text[position - 1] == "\\")
