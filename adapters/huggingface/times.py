"""What was said when, as subtitles."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from adapters.huggingface.shapes import Figure
from pipeline.domain import Blob
from pipeline.text.subtitles import Cue, srt


class _Chunk(BaseModel):
    """As transformers and the Hub's own inference tell it."""

    text: str
    timestamp: tuple[Figure | None, Figure | None]


class _Segment(BaseModel):
    """As OpenAI's format has it."""

    text: str
    start: Figure
    end: Figure | None = None


class _Timed(BaseModel):
    chunks: Sequence[_Chunk] | None = None
    segments: Sequence[_Segment] | None = None


_TIMED: TypeAdapter[_Timed] = TypeAdapter(_Timed)


def subtitles(said: object) -> tuple[Blob, ...]:
    """An .srt file where the transcript tells times, else nothing."""
    found = said[0] if isinstance(said, list) and said else said
    if not isinstance(found, Mapping):
        return ()
    try:
        text = srt(_cues(_TIMED.validate_python(_only_times(found))))
    except ValidationError:
        return ()
    return (Blob(text.encode(), "application/x-subrip", "subtitles.srt"),) if text else ()


def _only_times(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in ("chunks", "segments") if name in said}


def _cues(timed: _Timed) -> list[Cue]:
    if timed.segments:
        return [Cue(each.start, each.end, each.text) for each in timed.segments]
    return [
        Cue(each.timestamp[0] or 0.0, each.timestamp[1], each.text) for each in timed.chunks or ()
    ]
