"""What language models are told: the prompts beside this file, and people's words put into them as data."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Template

from pipeline.domain import Turn

_HERE = Path(__file__).parent
_CUT = "\n[… {count} characters left out here …]\n"


@cache
def _template(name: str) -> Template:
    return Template((_HERE / f"{name}.md").read_text("utf-8").strip())


def render(name: str, **values: str) -> str:
    """A prompt with its places filled. Raises KeyError when one is left open."""
    return _template(name).substitute(values)


def sections(name: str) -> tuple[tuple[str, str], ...]:
    """The sections of a file of examples: the heading of each, and what stands under it."""
    text = (_HERE / f"{name}.md").read_text("utf-8")
    found = re.findall(r"^## (.+?)\n(.+?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return tuple((heading.strip(), body.strip()) for heading, body in found)


def tokens(text: str) -> int:
    """A careful estimate of the tokens of a text: rather too many than too few."""
    plain = sum(map(str.isascii, text))
    return plain * 2 // 7 + (len(text) - plain) + 1


def fenced(text: str) -> str:
    """People's or experts' words as data: between fences that the words themselves do not hold."""
    width = 3
    while "<" * width in text or ">" * width in text:
        width += 1
    return f"{'<' * width}\n{text}\n{'>' * width}"


def cut_middle(text: str, limit: int) -> str:
    """A text of at most so many tokens: what is too much is left out of the middle, and that is said there."""
    if tokens(text) <= limit:
        return text
    keep = len(text) * limit // tokens(text)
    while keep > 0:
        keep = keep * 9 // 10
        note = _CUT.format(count=len(text) - keep)
        cut = text[: keep - keep // 3] + note + text[len(text) - keep // 3 :]
        if tokens(cut) <= limit:
            return cut
    return text[: max(0, limit)]


def told(turns: Sequence[Turn], limit: int) -> str:
    """What was said before, oldest first: the last turns that so many tokens hold."""
    lines: list[str] = []
    for turn in reversed(turns):
        line = _line(turn)
        if limit - tokens(line) < 0:
            line = cut_middle(line, limit)
            if lines or limit < _SHORTEST:
                break
        limit -= tokens(line)
        lines.insert(0, line)
    return "\n".join(lines)


_SHORTEST = 40


def _line(turn: Turn) -> str:
    files = "".join(f" [{file.name}]" for file in turn.files)
    return f"{'You' if turn.person.is_bot else turn.person.name}: {turn.text}{files}"
