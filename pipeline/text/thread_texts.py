"""Texts that a plan need not copy.

The thread, and what each person wrote last, by name; a text of the request or the thread by its
beginning and its end.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from pipeline.domain import Request, Turn
from pipeline.text.names import clean_line

THREAD = "this thread"
MOST_TURNS = 200
"""Turns of a thread that its text is made of."""
_LEAST_TURNS = 3
"""Fewer messages are no thread worth a name."""
_MOST_CHARACTERS = 24_000
"""The longest text of a thread, in characters; the newest messages are kept."""
_LONGEST_NAME = 120
_ELLIPSIS = re.compile(r"\s{0,9}\[?(?:\u2026|\.\.\.)\]?\s{0,9}")
_LONGEST_EDGE = 80
"""Characters by which the beginning or the end of a text is found."""
_SHORTEST_EDGE = 8
"""Fewer characters may stand anywhere."""


def list_messages(request: Request) -> Mapping[str, Turn]:
    """The last message of each person in the thread by its name: "Anna's message"."""
    people = (turn for turn in _list_written(request) if not turn.person.is_bot)
    return {f"{clean_line(turn.person.name)}'s message": turn for turn in people}


def is_thread(request: Request) -> bool:
    """Whether there are enough earlier messages to speak of a thread."""
    return len(_list_written(request)) >= _LEAST_TURNS


def join_thread(request: Request) -> str:
    """The earlier messages of the thread, each after its author; "" if there are none."""
    turns = _list_written(request)
    lines: list[str] = []
    left = _MOST_CHARACTERS
    for turn in reversed(turns):
        line = f"{clean_line(turn.person.name)}: {turn.text.strip()}"[:_MOST_CHARACTERS]
        left -= len(line)
        if left < 0:
            break
        lines.append(line)
    is_whole = len(lines) == len(turns) < MOST_TURNS
    before = () if is_whole or not request.context.summary else (request.context.summary,)
    return "\n".join((*before, *reversed(lines)))


def find_thread_text(name: str, request: Request) -> str:
    """The text with this name; "" if there is none. Case and kind of apostrophe are ignored."""
    target = name.strip(" \t\r\n<>\"'`[]()").replace("\u2019", "'").casefold()
    if len(target) > _LONGEST_NAME:
        return ""
    if target == THREAD:
        return join_thread(request)
    messages = {known.casefold(): turn for known, turn in list_messages(request).items()}
    return messages[target].text.strip() if target in messages else ""


def expand_excerpt(text: str, request: Request) -> str:
    """A text with the words of the request or the thread that an ellipsis in it stands for.

    "Sum up: Once upon … ever after." becomes "Sum up: " and the whole tale. A text whose edges are
    not found stays as it is.
    """
    gap = _ELLIPSIS.search(text)
    if gap is None or text in request.text:
        return text
    before, after = text[: gap.start()][::-1], text[gap.end() :]
    shown = reversed(request.context.turns)
    for source in (request.text, *(turn.text for turn in shown)):
        flat = " ".join(source.split())
        beginning = _find_edge(before, flat[::-1])
        end = _find_edge(after, flat) if beginning else ""
        start = _find_first(beginning[::-1], source)
        left = _find_first(end[::-1], source[::-1])
        if start >= 0 and left >= 0 and start + left < len(source):
            order, rest = before[len(beginning) :][::-1], after[len(end) :]
            return f"{order}{source[start : len(source) - left]}{rest}"
    return text


def _find_edge(words: str, source: str) -> str:
    """The longest beginning of the words that stands in the source; "" if all are too short."""
    lengths = range(min(_SHORTEST_EDGE, len(words)), min(_LONGEST_EDGE, len(words)) + 1)
    found = bisect_left(lengths, 1, key=lambda length: words[:length] not in source)
    return words[: lengths[found - 1]].rstrip() if found else ""


def _find_first(edge: str, source: str) -> int:
    """Where an edge first stands in the source, with any blanks between its words; -1: nowhere."""
    pattern = r"\s+".join(map(re.escape, edge.split()))
    found = re.search(pattern, source) if pattern else None
    return found.start() if found else -1


def _list_written(request: Request) -> Sequence[Turn]:
    context = request.context
    return [turn for turn in (*context.earlier, *context.turns) if turn.text.strip()]
