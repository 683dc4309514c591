"""Subtitles (SubRip) from words with times."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

_LINE = 42
_SHORTEST = 0.4
_GUESSED = 3.0


@dataclass(frozen=True, slots=True)
class Cue:
    """What was said from one second to another; `end` None where it was not told."""

    begin: float
    end: float | None
    text: str


def format_srt(cues: Iterable[Cue]) -> str:
    """The cues as an .srt file, in order and without overlap, in lines of at most 42 letters."""
    told = sorted((cue for cue in cues if cue.text.strip()), key=lambda cue: cue.begin)
    blocks = []
    for number, cue in enumerate(told, 1):
        following = told[number].begin if number < len(told) else float("inf")
        end = cue.begin + _GUESSED if cue.end is None else cue.end
        until = max(min(end, following), cue.begin + _SHORTEST)
        lines = textwrap.wrap(" ".join(cue.text.split()), _LINE)
        blocks.append("\n".join((str(number), f"{_at(cue.begin)} --> {_at(until)}", *lines)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _at(seconds: float) -> str:
    whole, thousandths = divmod(round(max(seconds, 0.0) * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02},{thousandths:03}"
