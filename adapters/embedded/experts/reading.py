"""Reading the text in pictures: RapidOCR, its lines put in the order in which a person reads."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file
from adapters.embedded.experts.pictures import array
from pipeline.domain import Blob, Sentence, Sureness, Text, Type, how_sure
from pipeline.errors import ExpertRefused

_THREADS = "EngineConfig.onnxruntime.intra_op_num_threads"  # more wait for each other by spinning, at twice the cost
_NARROWEST = 0.4  # of the long side
_WIDE = 1.5  # gaps wider than this many letter heights part columns


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text in a picture: its edges in pixels and how surely it was read."""

    text: str
    score: float
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def height(self) -> float:
        return self.bottom - self.top


def read(args: Args, _language: str) -> Finding:
    """The text in a picture, line by line. Raises ExpertRefused when there is none to be found."""
    text, score = text_in(array(file(args, "image", Type.IMAGE)))
    if not text:
        raise ExpertRefused("embedded-no-text")
    return Finding({"text": Text(text, score)}, said_of_reading(score))


def said_of_reading(score: float) -> tuple[Sentence, ...]:
    """How far what was read can be trusted."""
    told = Sentence("embedded-read", {"percent": str(round(score * 100))})
    badly = read_how(score) is Sureness.NOT
    return (told, Sentence("embedded-read-badly")) if badly else (told,)


def read_how(score: float) -> Sureness:
    """How surely a text was read."""
    return how_sure(score, "optical-character-recognition")


def text_of(blob: Blob) -> tuple[str, float]:
    """The text in a picture and how surely it was read; "" when there is none."""
    return text_in(array(blob))


def text_in(pixels: Any) -> tuple[str, float]:  # noqa: ANN401 - a numpy array
    pieces = _pieces(_broadened(pixels))
    if not pieces:
        return "", 0.0
    score = sum(piece.score for piece in pieces) / len(pieces)
    return "\n".join(_line(row) for row in rows(pieces)), round(score, 3)


def rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that stand on one line, from top to bottom, each row from left to right."""
    found: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        if found and _on_the_line(piece, found[-1]):
            found[-1].append(piece)
        else:
            found.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in found]


def _on_the_line(piece: Piece, row: Sequence[Piece]) -> bool:
    other = row[-1]
    return abs(piece.middle - other.middle) < 0.5 * min(piece.height, other.height)


def _line(row: Sequence[Piece]) -> str:
    """Columns are parted by a tab, so that labels and figures can be told apart."""
    line = row[0].text
    for before, piece in itertools.pairwise(row):
        gap = piece.left - before.right
        line += ("\t" if gap > _WIDE * piece.height else " ") + piece.text
    return line


def _broadened(pixels: Any) -> Any:  # noqa: ANN401
    """A strip with a margin in the colour of its border: the reader would blow its short side up to 736 pixels."""
    import numpy as np

    height, width = pixels.shape[:2]
    shortest = int(max(height, width) * _NARROWEST)
    below, beside = max(shortest - height, 0), max(shortest - width, 0)
    if not below and not beside:
        return pixels
    border = np.concatenate((pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
    whole = np.empty((height + below, width + beside, 3), np.uint8)
    whole[:] = np.median(border, axis=0)
    whole[:height, :width] = pixels
    return whole


def _pieces(pixels: Any) -> list[Piece]:  # noqa: ANN401
    found = _reader()(pixels)
    if found.boxes is None or found.txts is None:
        return []
    return [
        Piece(
            text.strip(),
            float(score),
            float(box[:, 0].min()),
            float(box[:, 1].min()),
            float(box[:, 0].max()),
            float(box[:, 1].max()),
        )
        for box, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if text.strip()
    ]


@cache
def _reader() -> Any:  # noqa: ANN401
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical", _THREADS: 1})
