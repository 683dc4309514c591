"""What language models are told: the prompts beside this file, and people's words put into them as data."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Template

from pipeline.domain import Turn
from pipeline.prompts.counting import Count, Measure, Room, closely, tokens
from pipeline.text.names import in_a_line

__all__ = [
    "Count",
    "Measure",
    "Room",
    "closely",
    "cut_middle",
    "fenced",
    "render",
    "sections",
    "tokens",
    "told",
    "versions",
]

_HERE = Path(__file__).parent
_VERSION = re.compile(r"<!-- version (\d+) -->\n(.*)", re.DOTALL)
_CUT = "\n[… {left} characters left out here …]\n"


@cache
def _written(name: str) -> tuple[int, str]:
    """The version and the text of a prompt. Raises ValueError where the first line tells no version."""
    found = _VERSION.match((_HERE / f"{name}.md").read_text("utf-8"))
    if found is None:
        raise ValueError(f"{name}.md does not begin with its version")
    return int(found[1]), found[2].strip()


@cache
def versions() -> str:
    """All prompts with their versions, for the record: "choose 1, plan 2 …"."""
    names = sorted(path.stem for path in _HERE.glob("*.md"))
    return ", ".join(f"{name} {_written(name)[0]}" for name in names)


def render(name: str, **values: str) -> str:
    """A prompt with its places filled. Raises KeyError when one is left open."""
    return Template(_written(name)[1]).substitute(values)


@cache
def sections(name: str) -> tuple[tuple[str, str], ...]:
    """The sections of a file of examples: the heading of each, and what stands under it."""
    found = re.findall(r"^## (.+?)\n(.+?)(?=^## |\Z)", _written(name)[1], re.MULTILINE | re.DOTALL)
    return tuple((heading.strip(), body.strip()) for heading, body in found)


def fenced(text: str) -> str:
    """People's or experts' words as data: between fences that the words themselves do not hold."""
    width = 3
    while "<" * width in text or ">" * width in text:
        width += 1
    return f"{'<' * width}\n{text}\n{'>' * width}"


def cut_middle(text: str, limit: int, count: Count = tokens) -> str:
    """A text of at most so many tokens: what is too much is left out of the middle, and that is said there."""
    whole = count(text)
    if whole <= limit:
        return text
    keep = len(text) * limit // whole
    while keep > 0:
        keep = keep * 9 // 10
        note = _CUT.format(left=len(text) - keep)
        cut = text[: keep - keep // 3] + note + text[len(text) - keep // 3 :]
        if count(cut) <= limit:
            return cut
    return text[: max(0, limit)]


def told(turns: Sequence[Turn], limit: int, count: Count = tokens) -> str:
    """What was said before, oldest first: the last turns that so many tokens hold."""
    lines: list[str] = []
    for turn in reversed(turns):
        line = _line(turn)
        if limit - count(line) < 0:
            line = cut_middle(line, limit, count)
            if lines or limit < _SHORTEST:
                break
        limit -= count(line)
        lines.insert(0, line)
    return "\n".join(lines)


_SHORTEST = 40


def _line(turn: Turn) -> str:
    """What was said, by whom; nobody can say what looks like the line of another."""
    files = "".join(f" [{file.name}]" for file in turn.files)
    name = in_a_line(turn.person.name)
    speaker = "You" if turn.person.is_bot else f"@{name}" if name.casefold() == "you" else name
    said = "\n  ".join(turn.text.splitlines())
    return f"{speaker}: {said}{files}"
