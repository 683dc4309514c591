"""Questions on a text: the line that shares most with the question, its value or a quote of it."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain

from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.lexicon import entries, months, phrases, split_words
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    require_text,
)
from adapters.embedded.experts.texts import shorten, split_lines
from pipeline.domain import LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused

_MOST_LINES, _MOST_STEMS, _QUOTE, _LONGEST_VALUE, _CLOSEST = 5_000, 30, 300, 80, 3
_COVERED, _LEAD, _LEAST = 0.6, 0.15, 0.2
"""The score of a clear line, its lead over all others, and the least that is worth showing."""
_WHOLLY = 0.85
"""The score a line needs for its value to be given: every word of the question is covered."""
_LABEL_SHARE = 0.25
"""How much of the score depends on a line's label being about nothing else."""
_LONG = 6
_TYPE = "value type"
"""The feature of a line that it has a value of the type asked for."""
_SAME: Mapping[str, frozenset[str]] = {
    "due": frozenset({"gross", "total"}),
    "total": frozenset({"gross", "due"}),
    "gross": frozenset({"total"}),
    "net": frozenset({"subtotal"}),
}
"""Labels that mean the same where the asked one is missing and nothing else changes the sum."""
_CHANGES_THE_SUM = frozenset({"paid", "discount", "shipping", "deposit"})
_STAND_INS: Mapping[str, str] = {"amount": "number", "code": "number"}
"""Types of values that may be written like another one."""
_LABEL_END = re.compile(r":(?![\d/])|\uff1a|\t|\s{2,}")


@dataclass(frozen=True, slots=True)
class _Words:
    """A question or a label: its stems, figures, known labels, and the type of its value."""

    text: str
    """All words between blanks, to look stems up in."""
    stems: frozenset[str]
    figures: frozenset[str]
    labels: frozenset[str]
    type: str
    """"" for any."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line or sentence; where nothing parts its label off, that is all but the values."""

    text: str
    words: str
    label: _Words
    values: Mapping[str, Sequence[str]]
    after_label: str


def ask_document(args: ExpertInput, _language: str) -> WorkerResult:
    return _answer(args, "document")


def ask_text(args: ExpertInput, _language: str) -> WorkerResult:
    return _answer(args, "context")


def _answer(args: ExpertInput, slot: str) -> WorkerResult:
    """A value with its line, or lines quoted. Raises BadInput, ExpertRefused."""
    question = require_text(args, "question")
    documents = [read_piece(piece) for piece in args.get(slot, ())]
    text = "\n".join(document.text for document in documents)
    if not text.strip():
        raise BadInput("embedded-no-file", slot=slot)
    notes = tuple(note for document in documents for note in document.notes)
    asked = _parse_words(question)
    if not (asked.stems or asked.labels or asked.type):
        gist = (LocalizedText("embedded-gist"), *notes)
        return WorkerResult(slots={"text": Text(shorten(text, 3))}, notes=gist)
    result = answer_each(question, partial(answer_question, parse_lines(text)))
    return replace(result, notes=notes)


def answer_question(lines: Sequence[Line], question: str) -> Finding:
    """The value of the line that was asked for, else that line, else the closest ones.

    Raises ExpertRefused where no line has to do with the question.
    """
    asked = _parse_words(question)
    scored = sorted(_score(lines, asked), key=lambda pair: -pair[0])
    best = scored[0][0] if scored else 0.0
    if best < _LEAST:
        raise ExpertRefused("embedded-no-answer")
    close = [line for score, line in scored if score > best - _LEAD]
    exact = [line for line in close if asked.figures <= set(line.words.split())]
    near, clear = exact or close, best >= _COVERED and bool(exact)
    begin = phrases("yes_no").find(split_words(question)[:3])[:1]
    yes_or_no = any(match.concept for match in begin)
    same = _find_synonyms(asked.labels, lines)
    values = {"" if yes_or_no else _find_value(line, asked, same): line for line in near}
    if best >= _WHOLLY and clear and "" not in values and len(set(map(_normalize, values))) == 1:
        value, line = next(iter(values.items()))
        source = LocalizedText("embedded-answer-line", {"line": _quote(line)})
        return Finding(value, source)
    if clear and len(near) == 1:
        return Finding(LocalizedText("embedded-says", {"line": _quote(near[0])}))
    quotes = "".join(f"\n> {_quote(line)}" for line in near[:_CLOSEST])
    return Finding(LocalizedText("embedded-closest", {"lines": quotes}), is_clear=False)


def _quote(line: Line) -> str:
    return " ".join(line.text.split())[:_QUOTE]


def _score(lines: Sequence[Line], asked: _Words) -> list[tuple[float, Line]]:
    """How much of the question each line covers, from 0 to 1; rare words count more."""
    same = _find_synonyms(asked.labels, lines)
    hits = [_find_hits(line, asked, same) for line in lines]
    counts = Counter(chain.from_iterable(hits))
    has_type = asked.type in _value_pattern().groupindex
    weights = {
        one: math.log(1 + len(lines) / (counts[one] or 0.5)) * _weigh_length(one)
        for one in asked.stems | asked.labels | ({_TYPE} if has_type else set())
    }
    total = sum(weights.values()) or 1.0
    covered = (sum(weights[one] for one in hit) / total for hit in hits)
    shares = (1 - _LABEL_SHARE * (1 - _share_of_label(line, asked, same)) for line in lines)
    return [(a * b, line) for a, b, line in zip(covered, shares, lines, strict=True)]


def _find_synonyms(labels: frozenset[str], lines: Sequence[Line]) -> Mapping[str, frozenset[str]]:
    """The labels of lines that count as one that is asked for."""
    known = {label for line in lines for label in line.label.labels}
    others = {} if known & _CHANGES_THE_SUM else _SAME
    return {
        label: frozenset({label}) if label in known else others.get(label, frozenset())
        for label in labels
    }


def _find_hits(line: Line, asked: _Words, same: Mapping[str, frozenset[str]]) -> set[str]:
    """The features of a question that a line has; none where its label contradicts the question."""
    hits = {label for label, synonyms in same.items() if synonyms & line.label.labels}
    if not hits and any(_kinds(a) & _kinds(b) for a in same for b in line.label.labels):
        return set()  # gross where net was asked for
    hits |= {stem for stem in asked.stems if stem in line.words}
    topic = hits or not (asked.stems or same)
    return hits | {_TYPE} if topic and line.values.get(asked.type) else hits


def _share_of_label(line: Line, asked: _Words, same: Mapping[str, frozenset[str]]) -> float:
    """How much of a line's label the question is about."""
    if not (asked.stems or asked.labels):
        return 1.0
    stems = sum(stem in asked.text for stem in line.label.stems)
    labels = line.label.labels & frozenset().union(*same.values())
    return (stems + len(labels)) / (len(line.label.stems) + len(line.label.labels) or 1)


def _find_value(line: Line, asked: _Words, same: Mapping[str, frozenset[str]]) -> str:
    """The one value of the asked type in a line that is about nothing else; else ""."""
    if _share_of_label(line, asked, same) < 1:
        return ""
    if asked.type in ("", "name"):
        return line.after_label if len(line.after_label) <= _LONGEST_VALUE else ""
    values = line.values.get(asked.type, ())
    return values[0] if len(set(values)) == 1 else ""


def parse_lines(text: str) -> list[Line]:
    """The lines of a text; a label alone on its line gets the value that follows alone."""
    lines: list[Line] = []
    for row in split_lines(text)[:_MOST_LINES]:
        line = _parse_line(row)
        before = lines[-1] if lines else line
        bare = before.label.labels and not before.values and not before.after_label
        if bare and line.values and not (line.label.labels or line.label.stems):
            lines[-1] = _parse_line(f"{before.text}\t{row}")
        else:
            lines.append(line)
    return lines


def _parse_line(row: str) -> Line:
    label, *rest = _LABEL_END.split(row, maxsplit=1)
    values: dict[str, list[str]] = {}
    for hit in _value_pattern().finditer(row):
        values.setdefault(hit.lastgroup or "", []).append(hit.group().strip())
    for kind, other in _STAND_INS.items():
        if kind not in values and other in values:
            values[kind] = values[other]
    after = rest[0].strip(" :\t") if rest else ""
    words = _parse_words(_value_pattern().sub(" ", label if after else row))
    return Line(row, f" {' '.join(split_words(row))} ", words, values, after)


def _parse_words(text: str) -> _Words:
    words = split_words(text)
    stems: list[str] = []
    figures, labels = set[str](), set[str]()
    types: list[str] = []
    end = -1
    for match in phrases("labels", "types", "fillers").find(words):
        section, _, name = match.concept.partition(".")
        word = words[match.start]
        if section == "labels":
            kind, _, meaning = name.partition("-")
            labels.add(meaning)
            types += [kind] if kind != "any" else []
        elif section == "types":
            types.insert(0, name)
        elif not section and any(map(str.isnumeric, word)):
            figures.add(word)
        elif not section and word.isalpha() and len(word) > 1:
            stems.append(_stem(word))
        elif not section and word.isalpha():  # CJK: pairs of characters
            stems += [f" {words[end - 1]} {word}"] if end == match.start else []
            end = match.end
    first = next((kind for kind in types if kind != "amount"), types[0] if types else "")
    known = f" {' '.join(words)} ", frozenset(stems[:_MOST_STEMS])
    return _Words(*known, frozenset(figures), frozenset(labels), first)


def _stem(word: str) -> str:
    """The stem that forms and compounds of a word share; a short word is its own stem."""
    if len(word) >= 5:  # noqa: PLR2004
        return word[: max(5, len(word) * 3 // 5)]
    return f" {word}" if len(word) == 4 else f" {word} "  # noqa: PLR2004


def _measure_length(stem: str) -> float:
    """The weight of a short word, which mostly says little; each CJK character counts as three."""
    return min(1.0, len(stem.strip()) / _LONG) if stem.strip()[0] < "\u3000" else 1.0


def _weigh_length(word: str) -> float:
    """Short words mostly say little; a pair of CJK characters is no short word."""
    bare = word.strip()
    return min(1.0, len(bare) / _LONG) if bare[0] < "\u3000" else 1.0


@cache
def _kinds(meaning: str) -> frozenset[str]:
    """The types of the values that a label has."""
    names = (name.partition("-") for name in entries("labels"))
    return frozenset(kind for kind, _, label in names if label == meaning and kind != "any")


def _normalize(value: str) -> str:
    return "".join(sign for sign in value.casefold() if sign.isalnum() or sign in "+-@.,")


@cache
def _value_pattern() -> re.Pattern[str]:
    """Values as people write them; every part is bounded, so that no text makes it slow."""
    month = "|".join(sorted(map(re.escape, months()), key=len, reverse=True))
    day = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
    cents = r"(?:[.,]\d{1,2})?"
    number = rf"[-−]?\d{{1,3}}(?:[.,'’ \u00a0\u202f]\d{{3}}){{1,5}}{cents}|[-−]?\d{{1,15}}{cents}"
    money = r"[€$£¥₹円元]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN)\b"
    edge = r"(?![\w/]|[-.,]\d)"
    groups = {
        "email": r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,30}){1,4}",
        "url": r"(?:https?://|www\.)\S{3,200}",
        "date": r"\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b"
        rf"|\b{day} (?:de )?(?:{month})\.?,? (?:de )?\d{{4}}|\b(?:{month})\.? {day},? \d{{4}}"
        r"|\d{4}年\d{1,2}月\d{1,2}日",
        "percent": r"\d{1,3}(?:[.,]\d{1,3})? ?%",
        "phone": r"(?<!\w)(?:\+|\(?0)\d[\d ()/-]{5,18}\d",
        "amount": rf"(?:{money}) ?(?:{number}){edge}|(?<![\w.,/-])(?:{number}) ?(?:{money})"
        rf"|(?<![\w.,/-])[-−]?\d[\d.,'’]{{0,15}}[.,]\d\d{edge}",
        "number": rf"(?<![\w.,/-])(?:{number}){edge}",
        "code": r"\b(?=[\w/-]{0,20}\d)[A-Z\d][\w/-]{3,40}",
    }
    whole = "|".join(f"(?P<{name}>{pattern})" for name, pattern in groups.items())
    return re.compile(whole, re.IGNORECASE)
