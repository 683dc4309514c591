"""Quotations and shares in an answer: each must come from the record; what does not is put right or marked."""

# ruff: noqa: RUF001 - signs that people type

import re

from pipeline.response.edits import Edits
from pipeline.response.numbers import NUMBER, readings, rounds_to
from pipeline.response.record import Record
from pipeline.response.vocabulary import (
    PERCENT,
    forms,
)

_QUOTED = re.compile(
    r"“([^“”„\n]{2,}?)”|„([^“”„\n]{2,}?)[“”]|«([^«»\n]{2,}?)»|「([^「」\n]{2,}?)」|『([^『』\n]{2,}?)』"
    r"|(?<!\w)\"([^\"\n]{2,}?)\"(?!\w)|(?<!`)`([^`\n]{2,}?)`(?!`)"
)
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*\n?)+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_SCORED = (
    r"(?:(?:was|were|is|are|got|gets|has|scored|scores) )?(?:(?:found|detected|recognised|recognized|seen|identified) )?(?:with |at |a score of |a confidence of )?"
    r"|wurden? (?:mit |zu )|est détectée? (?:à |avec )|se detect(?:ó|aron) con (?:un )?(?:el )?"
)
"""Between a label and what its expert gives for it."""
_OF = r"\s*(?:of|der|von|aller|des|de|del)\b"
_OMITTED = re.compile(r"\[?(?:…|\.\.\.)\]?")


def look_at_quotations(edits: Edits, known: Record) -> None:
    """What is set as a quotation stands in the record, but for what was visibly left out."""
    for found in edits.open(_QUOTED):
        words = next(group for group in found.groups() if group is not None)
        if not _quoted(words, known):
            edits.mark(*found.span())
    for found in _BLOCK.finditer(edits.text):
        words = re.sub(r"^[ \t]*>+", "", found.group(), flags=re.MULTILINE)
        if not _quoted(words, known):
            edits.mark(found.end(), found.end(), at=found.start() + len(found.group().rstrip()))
    for found in _FENCE.finditer(edits.text):
        if not _quoted(found.group(1), known):
            edits.changes.append((found.end(), found.end(), f"\n\n{'(?)'}"))
            edits.marked += 1


def look_at_shares(edits: Edits, known: Record) -> None:
    """Where somebody wrote "cat (93 %)" and the expert said 87 %: put right, where it said only one thing of it."""
    for label, shares in known.shares.items():
        before = re.compile(
            rf"(?P<share>{NUMBER.pattern}){PERCENT.pattern} (?:{forms(label)})\b", re.IGNORECASE
        )
        for found in edits.open(before):
            if any(_is_share(share, found["share"]) for share in shares):
                edits.settle(*found.span())
    for label, shares in known.shares.items():
        pattern = re.compile(
            rf"\b(?:{forms(label)})\b[*_\"”»]*[\s:,(\[–—-]{{0,4}}(?:with |at |mit |avec |con |com )?"
            rf"(?P<loose>{_SCORED})?(?P<share>{NUMBER.pattern}){PERCENT.pattern}(?!{_OF})",
            re.IGNORECASE,
        )
        for found in edits.open(pattern):
            if any(_is_share(share, found["share"]) for share in shares):
                edits.settle(*found.span("share"))
            elif len(shares) == 1 and not found["loose"]:
                edits.mend(*found.span("share"), f"{100 * next(iter(shares)):.0f}")
            else:
                edits.mark(found.start("share"), found.end())


def _quoted(words: str, known: Record) -> bool:
    pieces = [piece for piece in _OMITTED.split(words) if re.search(r"\w", piece)]
    return all(known.says(piece) for piece in pieces)


def _is_share(share: float, written: str) -> bool:
    return any(rounds_to(100 * share, reading) for reading in readings(written))
