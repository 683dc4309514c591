"""The text of a document, as every reader of a format returns it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.domain import LocalizedText

MOST_CHARACTERS = 200_000
"""The longest text of a document; readers may stop there."""
LEGIBLE = 0.85
"""A picture or page whose lines score less on average is called hard to read."""
READ_BADLY = LocalizedText("embedded-read-badly")
Recognize = Callable[[Any], tuple[str, float]]
"""Reads the text in a picture (rows of blue, green, red), with a score from 0 to 1."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, notes on it, and the OCR score of a picture."""

    text: str
    notes: tuple[LocalizedText, ...] = ()
    legibility: float | None = None
    unused: tuple[LocalizedText, ...] = ()
    """What of the file was not read; becomes one note."""
