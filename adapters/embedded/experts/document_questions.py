"""Questions on documents and texts, answered with the value of a line or with lines quoted."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.summaries import COLON, shorten, split_lines
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    require_text,
)
from adapters.embedded.lexicon import months, phrases, split_words
from adapters.media.unread import refusals_keep
from pipeline.domain import LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused

_MOST_LINES = 5_000
_MOST_STEMS = 30
"""Telling words of a question or a label."""
_QUOTE = 300
"""Characters of a line that is quoted."""
_LONGEST_VALUE = 80
"""Characters of what stands behind a label."""
_CLOSEST = 3
"""Lines that are shown where none answers clearly."""
_WHOLLY = 0.99
"""The score of a line whose value is told."""
_CLEAR = 0.5
"""The score of a line that is quoted, if it leads the others."""
_LEAD = 0.15
"""By how much it must lead them."""
_LEAST = 0.15
"""The score of a line that is worth showing."""
_LABEL_SHARE = 0.25
"""How much of the score depends on a line's label being about nothing else."""
_INSIDE = 0.7
"""What a stem within a word counts, as "total" in "subtotal"."""
_GENERIC = "figures.name"
"""What a word such as "number" or "date" means: a label may add it."""
_MAIL_HEAD = ("from", "date")
"""Lines of an e-mail that tell who sent it, and when."""
_LONG = 6
"""Letters: a shorter word mostly says little."""
_FIGURE = r"(?:[€$£¥]|[A-Z]{3})? ?\d[\d.,/-]*(?: ?(?:[€$£¥%]|[A-Z]{3}))?$"
_LABELLED = re.compile(rf"(.+?)(?:{COLON}|\t|\s{{2,}}|\s(?={_FIGURE}))(.+)")
_ROW = re.compile(rf"[^:\uff1a]*\d[\d.,]*\s+{_FIGURE}")
"""A row of several figures: nothing says which of them is asked for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line or sentence; without "label: value", the label is all of it."""

    text: str
    words: str
    """All words between blanks, to look stems up in."""
    label: Mapping[str, str]
    """Its stems, and what they mean."""
    value: str


def ask_document(args: ExpertInput, _language: str) -> WorkerResult:
    """A value with its line, or lines quoted. Raises BadInput, ExpertRefused."""
    slot = "context" if "context" in args else "document"
    question = require_text(args, "question")
    documents = [read_piece(piece) for piece in args.get(slot, ())]
    text = "\n".join(document.text for document in documents)
    if not text.strip():
        raise BadInput("embedded-no-file", slot=slot)
    notes = tuple(note for document in documents for note in document.notes)
    if not (find_stems(question) or phrases("figures").concepts(question)):
        gist = (LocalizedText("embedded-gist"), *notes)
        return WorkerResult(slots={"text": Text(shorten(text, 3))}, notes=gist)
    with refusals_keep(notes):
        result = answer_each(question, partial(answer_question, parse_lines(text)))
    return replace(result, notes=notes)


def answer_question(lines: Sequence[Line], question: str, _before: Sequence[str] = ()) -> Finding:
    """The value of the line that covers the question, else that line, else the closest ones.

    Raises ExpertRefused where no line has to do with the question.
    """
    scores = _score(lines, question)
    best = max(scores, default=0.0)
    if best < _LEAST:
        raise ExpertRefused("embedded-no-answer")
    near = [line for score, line in zip(scores, lines, strict=True) if score > best - _LEAD]
    line = near[0]
    if line.value:  # asked for the due date: "invoice date", "payment due"
        missing = {stem for stem in find_stems(question) if stem not in line.words}
        near += [other for other in lines if other.value and other.label.keys() & missing]
    if wants_figure := bool(phrases("figures").concepts(question)):
        near = [other for other in near if _has_figure(other.text)] or near
        line = near[0]
    if absent := _list_absent(near, lines, question):
        facts = {"line": _quote(line), "words": ", ".join(absent)}
        return Finding(LocalizedText("embedded-says-part", facts), is_clear=False)
    if best < _CLEAR or len(near) > 1 or (wants_figure and not _has_figure(line.text)):
        quotes = "".join(f"\n> {_quote(line)}" for line in near[:_CLOSEST])
        return Finding(LocalizedText("embedded-closest", {"lines": quotes}), is_clear=False)
    if best > _WHOLLY and line.value and (not wants_figure or _has_figure(line.value)):
        return Finding(line.value, LocalizedText("embedded-answer-line", {"line": _quote(line)}))
    return Finding(LocalizedText("embedded-says", {"line": _quote(line)}))


def _list_absent(near: Sequence[Line], lines: Sequence[Line], question: str) -> list[str]:
    """The words of a question that stand in no line, if all others are the label of one line."""
    stems, asked = _read_question(question), _join_words(question)
    known = {stem for stem in stems if any(_match(stem, stems, line) for line in lines)}
    (line, *others) = near
    is_label = all(
        stem in asked or meaning == _GENERIC or meaning in stems.values()
        for stem, meaning in line.label.items()
    )
    is_whole = all(_match(stem, stems, line) for stem in known)
    if others or not (line.value and is_label and is_whole):
        return []
    absent = stems.keys() - known
    return [word for word in split_words(question) if any(stem in f" {word} " for stem in absent)]


def _has_figure(text: str) -> bool:
    return any(map(str.isdigit, text))


def _quote(line: Line) -> str:
    return " ".join(line.text.split())[:_QUOTE]


def _read_question(question: str) -> dict[str, str]:
    """The telling words and their meanings: of an e-mail, when it was sent, or who did that."""
    sent = "label.date" if phrases("figures").concepts(question) else "label.from"
    stems = find_stems(question)
    return {stem: sent if stems[stem] == "label.sent" else stems[stem] for stem in stems}


def _score(lines: Sequence[Line], question: str) -> list[float]:
    """How much of the question each line covers, from 0 to 1; rare and long words count more."""
    stems, asked = _read_question(question), _join_words(question)
    counts = Counter(stem for line in lines for stem in stems if _match(stem, stems, line))
    weights = {
        stem: math.log(1 + len(lines) / (counts[stem] or 0.5)) * _weigh_length(stem)
        for stem in stems
    }
    scores: list[float] = []
    for line in lines:
        covered = sum(weights[stem] * _match(stem, stems, line) for stem in stems)
        other = [
            stem
            for stem, meaning in line.label.items()
            if stem not in asked and (meaning in ("", _GENERIC) or meaning not in stems.values())
        ]
        share = len(other) / max(len(line.label), 1)
        scores.append(covered / (sum(weights.values()) or 1) * (1 - _LABEL_SHARE * share))
    return scores


def _match(stem: str, stems: Mapping[str, str], line: Line) -> float:
    """1 where a word begins with the stem or a label means it; less within a word; else 0."""
    if stems[stem] not in ("", _GENERIC) and stems[stem] in line.label.values():
        return 1.0
    begins = f" {stem.lstrip()}" in line.words or stem[0] >= "\u3000"
    return _INSIDE ** (not begins) if stem in line.words else 0.0


def _weigh_length(stem: str) -> float:
    """Short words mostly say little; a pair of CJK characters is no short word."""
    bare = stem.strip()
    return min(1.0, len(bare) / _LONG) if bare[0] < "\u3000" else 1.0


def parse_lines(text: str) -> list[Line]:
    return [_parse_line(row) for row in split_lines(text)[:_MOST_LINES]]


def _parse_line(row: str) -> Line:
    is_labelled = len(row) <= _QUOTE and not _ROW.fullmatch(row)
    labelled = _LABELLED.fullmatch(row) if is_labelled else None
    label, value = labelled.groups() if labelled else (row, "")
    if months().keys() & {*split_words(label)[-2:]}:  # "due 2 April 2025": no label "due 2 April"
        label, value = row, ""
    stems = {stem: meaning for stem, meaning in find_stems(label).items() if not _has_figure(stem)}
    if label.casefold() in _MAIL_HEAD:
        stems = {f" {label.casefold()} ": f"label.{label.casefold()}"}
    is_value = bool(stems) and len(value) <= _LONGEST_VALUE
    return Line(row, _join_words(row), stems, value.strip() if is_value else "")


def _join_words(text: str) -> str:
    return f" {' '.join(split_words(text))} "


def find_stems(text: str) -> dict[str, str]:
    """The telling words of a text, as far as their forms share them; CJK characters in pairs.

    Each with what it means as a label in any language, "" for nothing: " 合 計": "label.total".
    """
    words = split_words(text)
    stems: dict[str, str] = {}
    end = -1
    for concept, start, stop in phrases("label", "fillers", "figures", "join").find(words):
        word = words[start]
        is_label = concept.startswith("label.")
        if concept not in ("", _GENERIC) and not is_label:
            continue
        if _has_figure(word):
            stems[f" {word} "] = ""
        elif stop > start + 1:
            stems[f" {' '.join(words[start:stop])}"] = concept
        elif len(word) > 1:
            stems[_stem(word)] = concept
        elif word.isalpha() and end == start:
            stems[f" {words[start - 1]} {word}"] = concept
        end = stop
    return dict(list(stems.items())[:_MOST_STEMS])


def _stem(word: str) -> str:
    if len(word) >= 5:  # noqa: PLR2004
        return word[: max(5, len(word) * 4 // 5)]
    return f" {word}" if len(word) == 4 else f" {word} "  # noqa: PLR2004
