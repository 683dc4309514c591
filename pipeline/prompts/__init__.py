"""The prompts beside this file, and people's words put into them as data."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from string import Template

from pipeline.domain import Turn
from pipeline.prompts.counting import Count, Room, tokens
from pipeline.text.names import clean_line

_HERE = Path(__file__).parent
_CUT = "\n[… {left} characters left out here …]\n"
_NARROWEST_FENCE = 3
_SHORTEST_TURN = 40
"""Tokens: a turn that would have to be cut shorter than this is left out."""


@cache
def _read_prompt(name: str) -> tuple[int, str]:
    """Return the version and the text of a prompt.

    Raises ValueError when the first line gives no version.
    """
    first, _, text = (_HERE / f"{name}.md").read_text("utf-8").partition("\n")
    number = first.removeprefix("<!-- version ").removesuffix(" -->")
    if not number.isdecimal():
        raise ValueError(f"{name}.md does not begin with its version")
    return int(number), text.strip()


@cache
def versions() -> str:
    """All prompts with their versions, for the record: "choose 1, plan 2 …"."""
    names = sorted(path.stem for path in _HERE.glob("*.md"))
    return ", ".join(f"{name} {_read_prompt(name)[0]}" for name in names)


def render(name: str, **values: str) -> str:
    """Fill a prompt's placeholders. Raises KeyError when one is left open."""
    return Template(_read_prompt(name)[1]).substitute(values)


@cache
def sections(name: str) -> tuple[tuple[str, str], ...]:
    """The sections of a file of examples: each heading, and the text under it."""
    parts = f"\n{_read_prompt(name)[1]}".split("\n## ")[1:]
    return tuple(
        (heading.strip(), body.strip())
        for heading, _, body in (part.partition("\n") for part in parts)
    )


def fence(text: str) -> str:
    """Mark people's or experts' words as data, between fences wider than any run inside them."""
    longest = max(_longest_run("<", text), _longest_run(">", text))
    width = max(_NARROWEST_FENCE, longest + 1)
    return f"{'<' * width}\n{text}\n{'>' * width}"


def _longest_run(sign: str, text: str) -> int:
    """The length of the longest run of a sign: a dozen searches, however long the text is."""
    widths = range(1, text.count(sign) + 1)
    return bisect_left(widths, x=True, key=lambda width: sign * width not in text)


def cut_middle(text: str, limit: int, count: Count = tokens) -> str:
    """Shorten a text to so many tokens: the middle goes, and a note there says so."""
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


def format_turns(turns: Sequence[Turn], limit: int, count: Count = tokens) -> str:
    """What was said before, oldest first: the last turns that fit into so many tokens."""
    lines: list[str] = []
    for turn in reversed(turns):
        line = _format_turn(turn)
        if limit - count(line) < 0:
            line = cut_middle(line, limit, count)
            if lines or limit < _SHORTEST_TURN:
                break
        limit -= count(line)
        lines.append(line)
    return "\n".join(reversed(lines))


def _format_turn(turn: Turn) -> str:
    """What was said and by whom; nobody's words can look like the line of someone else."""
    files = "".join(f" [{file.name}]" for file in turn.files)
    name = clean_line(turn.person.name)
    speaker = "You" if turn.person.is_bot else f"@{name}" if name.casefold() == "you" else name
    words = "\n  ".join(turn.text.splitlines())
    return f"{speaker}: {words}{files}"
