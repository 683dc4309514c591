"""Numbers, labels and quotations in an answer: each must come from the record; what does not is put right or marked."""

# ruff: noqa: RUF001 - signs that people type

import re

from pipeline.response.edits import Edits
from pipeline.response.numbers import NUMBER, parts, readings, rounds_to
from pipeline.response.record import Record
from pipeline.response.spelled import SPELLED, value_of
from pipeline.response.vocabulary import (
    NEGATED,
    PERCENT,
    common_labels,
    forms,
    is_mood,
)

_QUOTED = re.compile(
    r"“([^“”„\n]{2,}?)”|„([^“”„\n]{2,}?)[“”]|«([^«»\n]{2,}?)»|「([^「」\n]{2,}?)」|『([^『』\n]{2,}?)』"
    r"|(?<!\w)\"([^\"\n]{2,}?)\"(?!\w)|(?<!`)`([^`\n]{2,}?)`(?!`)"
)
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*\n?)+", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*```[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_OMITTED = re.compile(r"\[?(?:…|\.\.\.)\]?")
_MODEL = re.compile(r"(?<![\w/.:@])[A-Za-z][\w.-]*/[A-Za-z][\w.-]*(?![\w/])")
_MODEL_LIKE = re.compile(r"[\d_-]")
_SPELLED = re.sub(r"\?P<\w+>", "?:", SPELLED.pattern)
_COUNT = rf"(?:{NUMBER.pattern}|{_SPELLED})"
_MOST = 1e9
_DIGIT = re.compile(r"\d")


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


def look_at_counts(edits: Edits, known: Record) -> None:
    """Where somebody wrote "5 cats" and three were found: put right, where no other count can be meant."""
    for label, counts in known.counts.items():
        for found in edits.open(_counting(label)):
            place = "count" if found["count"] else "after"
            told = _figure(found[place])
            phrase = found.group()
            if told is None or told in counts or told in known.stated or known.holds(phrase):
                edits.settle(*found.span(place))
            elif len(counts) == 1 and not found["between"]:
                edits.mend(*found.span(place), str(next(iter(counts))))
            elif told not in known.numbers:
                edits.mark(*found.span(place))


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
            rf"(?P<share>{NUMBER.pattern}){PERCENT.pattern}",
            re.IGNORECASE,
        )
        for found in edits.open(pattern):
            if any(_is_share(share, found["share"]) for share in shares):
                edits.settle(*found.span("share"))
            elif len(shares) == 1:
                edits.mend(*found.span("share"), f"{100 * next(iter(shares)):.0f}")
            else:
                edits.mark(found.start("share"), found.end())


def look_at_labels(edits: Edits, known: Record) -> None:
    """Models that took no part, and labels that no expert gave, though experts often give them."""
    for found in edits.open(_MODEL):
        name = found.group().rstrip(".")
        if _MODEL_LIKE.search(name) and not known.holds(name):
            edits.mark(found.start(), found.start() + len(name))
    if not known.labelled:
        return
    given = {label for _, label in common_labels(known.words)}
    moody = any(map(is_mood, given))
    for found, label in common_labels(edits.text):
        negated = NEGATED.search(edits.text[max(0, found.start() - 20) : found.start()])
        foreign = label not in given and (moody or not is_mood(label))
        if foreign and not negated and not edits.is_settled(*found.span()):
            edits.mark(*found.span())


def _quoted(words: str, known: Record) -> bool:
    pieces = [piece for piece in _OMITTED.split(words) if re.search(r"\w", piece)]
    return all(known.says(piece) for piece in pieces)


def _counting(label: str) -> re.Pattern[str]:
    """A number before or after a label."""
    some = forms(label)
    return re.compile(
        rf"(?P<count>{_COUNT})[ \u00a0]+(?P<between>(?:[^\W\d_]+[ \u00a0]+){{0,2}}?)[*_\"“]*\b(?:{some})\b"
        rf"|\b(?:{some})\b[*_\"”]*\s*[:(×x=]\s*(?P<after>\d+)\b(?!\s?[%％]|[.,]\d)",
        re.IGNORECASE,
    )


def _figure(written: str) -> int | None:
    if not _DIGIT.search(written):
        return value_of(written)
    (value, decimals), *_ = readings(parts(written)[0])
    return int(value) if decimals == 0 and value < _MOST else None


def _is_share(share: float, written: str) -> bool:
    return any(rounds_to(100 * share, reading) for reading in readings(written))
