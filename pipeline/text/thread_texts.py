"""Texts of a thread that a plan may use by name: the thread, and what each person wrote last."""

from collections.abc import Mapping, Sequence

from pipeline.domain import Request, Turn
from pipeline.text.names import clean_line

THREAD = "this thread"
MOST_TURNS = 200
"""Turns of a thread that its text is made of."""
_LEAST_TURNS = 3
"""Fewer messages are no thread worth a name."""
_MOST_CHARACTERS = 24_000
"""Of the text of a thread; the newest messages are kept."""
_LONGEST_NAME = 120


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


def _list_written(request: Request) -> Sequence[Turn]:
    context = request.context
    return [turn for turn in (*context.earlier, *context.turns) if turn.text.strip()]
