"""The text of an argument in pieces: words, files and references to other tasks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from pipeline.domain import Media, Request, Type
from pipeline.text.thread_texts import expand_excerpt, find_thread_text

_TYPES = "|".join(Type)
_REFERENCE = re.compile(
    rf"(?:<(?:GENERATED|resource)>?-(?P<label>\w{{1,40}})>?|<(?P<typed>{_TYPES})>-(?P<of>\d{{1,4}})\b"
    rf"|\bGENERATED-(?P<bare>\d{{1,4}})\b)(?:\.(?P<output>{_TYPES})\b)?",
    re.IGNORECASE,
)
"""The paper's `<GENERATED>-0`, optionally with a type of output: `<GENERATED>-0.text`.

Models also write `<text>-0` and `GENERATED-0`.
"""
_MOST_PIECES = 64
"""Pieces of one argument; what follows is one text."""
_LONGEST_NAME = 255
"""Characters of the name of a file."""


@dataclass(frozen=True, slots=True)
class StepReference:
    """A reference to another task: its label, and the output ("" if not given)."""

    label: str
    output: str = ""


Piece = str | Media | StepReference


def split_argument(text: str, request: Request) -> tuple[Piece, ...]:
    """Split an argument's text into words, files and references, in order.

    "Describe <GENERATED>-0" becomes "Describe " and a reference to task 0; "image 1, image 2"
    becomes two files. The name of a text of the thread stands for its words, also at the end of an
    order ("Write the minutes of: this thread"), and "…" for what is between two quotes. A reference
    that occurs literally in the person's message is treated as words.
    """
    if files := _find_files(text, request):
        return files
    order, colon, name = text.rpartition(":")
    if written := find_thread_text(name, request):
        return (f"{order}{colon}\n{written}".lstrip(),)
    text = expand_excerpt(text, request)
    pieces: list[Piece] = []
    end = 0
    matches = (match for match in _REFERENCE.finditer(text) if match[0] not in request.text)
    for match in islice(matches, _MOST_PIECES):
        label = (match["label"] or match["of"] or match["bare"]).casefold()
        number = str(int(label)) if label.isdecimal() else label
        output = (match["output"] or match["typed"] or "").casefold()
        pieces += [text[end : match.start()], StepReference(number, output)]
        end = match.end()
    return _drop_separators([*pieces, text[end:]])


def _find_files(text: str, request: Request) -> tuple[Media, ...]:
    """The files that a text lists; empty if any part of the text is not a file."""
    if whole := _find_file(text, request):
        return (whole,)
    parts = [part for part in re.split(r"[,;\n]", text, maxsplit=_MOST_PIECES) if part.strip()]
    files = tuple(file for part in parts if (file := _find_file(part, request)))
    return files if len(files) == len(parts) else ()


def _find_file(name: str, request: Request) -> Media | None:
    """The file with this name, also at the end of a path or a URL."""
    name = name.strip(" \t\r\n<>\"'`[]()")
    if not name or len(name) > _LONGEST_NAME:
        return None
    last = name.partition("?")[0].replace("\\", "/").rpartition("/")[2]
    file = request.file(name) or request.file(last)
    return Media(file.attachment) if file else None


def _drop_separators(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Drop blank words, and words that only separate references."""
    words = [piece for piece in pieces if isinstance(piece, str)]
    is_list = not "".join(words).strip(",;\n &+")
    dropped = [piece for piece in words if is_list or not piece.strip()]
    return tuple(piece for piece in pieces if piece not in dropped)


def is_address(text: str) -> bool:
    """Whether a text is a URL rather than the name of a file."""
    return text.strip().startswith(("http://", "https://", "file:", "data:"))
