"""Subtitles (SubRip) from words with times."""

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.domain import Blob

_LINE = 42
_SHORTEST = 0.4
_GUESSED = 3.0


@dataclass(frozen=True, slots=True)
class Cue:
    """What was said from one second to another; `end` None where it was not told."""

    begin: float
    end: float | None
    text: str


def decode_subtitles(reply: object) -> tuple[Blob, ...]:
    """An .srt file where a transcript has timestamps, else nothing."""
    row = reply[0] if isinstance(reply, list) and reply else reply
    if not isinstance(row, Mapping):
        return ()
    try:
        text = format_srt(map(_to_cue, row.get("segments") or row.get("chunks") or ()))
    except (KeyError, TypeError, ValueError, OverflowError):  # an unknown shape
        return ()
    return (Blob(text.encode(), "application/x-subrip", "subtitles.srt"),) if text else ()


def _to_cue(part: Mapping[str, Any]) -> Cue:
    """A chunk as transformers gives it, or a segment in OpenAI's format."""
    if "timestamp" in part:
        begin, end = part["timestamp"]
    else:
        begin, end = part["start"], part.get("end")
    return Cue(float(begin or 0), None if end is None else float(end), str(part["text"]))


def format_srt(cues: Iterable[Cue]) -> str:
    """The cues as an .srt file, in order and without overlap, in lines of at most 42 letters."""
    spoken = sorted((cue for cue in cues if cue.text.strip()), key=lambda cue: cue.begin)
    blocks = []
    for number, cue in enumerate(spoken, 1):
        following = spoken[number].begin if number < len(spoken) else float("inf")
        end = cue.begin + _GUESSED if cue.end is None else cue.end
        until = max(min(end, following), cue.begin + _SHORTEST)
        lines = textwrap.wrap(" ".join(cue.text.split()), _LINE)
        blocks.append("\n".join((str(number), f"{_at(cue.begin)} --> {_at(until)}", *lines)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _at(seconds: float) -> str:
    whole, thousandths = divmod(round(max(seconds, 0.0) * 1000), 1000)
    minutes, second = divmod(whole, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{second:02},{thousandths:03}"
