"""Questions on a document: the value beside the label asked for, else a sentence, else refused."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.lexicon import inflect, months, phrases, split_words
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Reply,
    WorkerResult,
    answer_each,
    require_text,
)
from adapters.embedded.experts.texts import SENTENCE_ENDS, shorten, split_units
from pipeline.domain import LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused

_MOST_LINES, _MOST_COLUMNS, _QUOTE, _CANDIDATES = 5_000, 400, 200, 3
_FALLBACKS: Mapping[str, Sequence[str]] = {
    "due": ("gross", "total"),
    "total": ("gross", "due"),
    "gross": ("total",),
    "net": ("subtotal",),
}
"""Labels that mean the same where the asked one is missing and nothing else changes the sum."""
_CHANGES_THE_SUM = frozenset({"paid", "discount", "shipping", "deposit"})
_COVERED, _AHEAD = 0.75, 0.25
"""The share of a question's words that a quoted sentence covers, and its lead over any other."""
_MOST_WORDS, _LONGEST_SENTENCE = 30, 400
_UNIQUE = frozenset({"email", "phone", "url"})
"""Types of which a document mostly has one: then the type alone names it."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a document: the meaning of its label, and its values by type."""

    text: str
    keys: frozenset[str]
    values: Mapping[str, Sequence[str]]
    after_colon: str


@dataclass(frozen=True, slots=True)
class _Document:
    """A document as lines, and its sentences with their words."""

    lines: Sequence[_Line]
    sentences: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Query:
    """What a question asks for: the meaning of a label, and the type of its value ("" for any)."""

    keys: frozenset[str]
    type: str
    has_label: bool
    """Whether it names a label: then no sentence about something similar is an answer."""


def ask_document(args: ExpertInput, _language: str) -> WorkerResult:
    return _answer(args, "document")


def ask_text(args: ExpertInput, _language: str) -> WorkerResult:
    return _answer(args, "context")


def _answer(args: ExpertInput, slot: str) -> WorkerResult:
    """An answer that quotes its line. Raises BadInput, ExpertRefused."""
    question = require_text(args, "question")
    documents = [read_piece(piece) for piece in args.get(slot, ())]
    text = "\n".join(document.text for document in documents)
    if not text.strip():
        raise BadInput("embedded-no-file", slot=slot)
    notes = tuple(note for document in documents for note in document.notes)
    if not any(_parse_words(split_words(question))):
        gist = (LocalizedText("embedded-gist"), *notes)
        return WorkerResult(slots={"text": Text(shorten(text, 3))}, notes=gist)
    legibility = min((document.legibility for document in documents), default=1.0)
    result = answer_each(question, partial(answer_question, parse_document(text), legibility))
    return WorkerResult(slots={}, notes=notes, sentences=result.sentences, score=result.score)


def answer_question(document: _Document, legibility: float, question: str) -> Reply:
    """The value of the one line that was asked for, else the sentence that covers the question.

    Raises ExpertRefused with the nearest lines.
    """
    query, lines = _parse_question(question), document.lines
    matches = _find_values(lines, query)
    if len(set(map(_normalize, matches))) == 1:
        value, line = next(iter(matches.items()))
        quote = " ".join(line.text.split())[:_QUOTE]
        sentence = LocalizedText("embedded-answer", {"answer": value, "line": quote})
        return Reply(sentence, round(legibility, 3))
    if not matches and (quoted := _find_sentence(document, query, question)):
        return Reply(LocalizedText("embedded-quote", {"sentence": quoted}))
    near = list(dict.fromkeys(line.text for line in matches.values())) or _find_near(lines, query)
    if not near:
        raise ExpertRefused("embedded-no-answer")
    quotes = ", ".join(f"“{' '.join(text.split())[:_QUOTE]}”" for text in near[:_CANDIDATES])
    raise ExpertRefused("embedded-answer-unclear", lines=quotes)


def parse_document(text: str) -> _Document:
    """Its lines, and its sentences with their words; no rows of columns."""
    units = (unit for unit in split_units(text) if unit.endswith(SENTENCE_ENDS))
    sentences = {
        unit: frozenset(split_words(unit))
        for unit in units
        if len(unit) <= _LONGEST_SENTENCE and "\t" not in unit and "  " not in unit
    }
    return _Document(_parse_lines(text), sentences)


def _parse_lines(text: str) -> list[_Line]:
    """The lines of a document; a label alone on its line gets the value that follows alone."""
    rows = [row.strip()[:_MOST_COLUMNS] for row in text.splitlines() if row.strip()][:_MOST_LINES]
    lines: list[_Line] = []
    for row in rows:
        line = _parse_line(row)
        if lines and not line.keys and line.values and _is_bare_label(lines[-1]):
            line = _parse_line(f"{lines[-1].text}\t{row}")
            lines[-1] = line
        else:
            lines.append(line)
    return lines


def _is_bare_label(line: _Line) -> bool:
    return bool(line.keys) and not line.values and not line.after_colon


def _parse_line(row: str) -> _Line:
    label, _, rest = row.replace("：", ":").replace("\t", ":", 1).partition(":")
    values: dict[str, list[str]] = {}
    for hit in _value_pattern().finditer(row):
        values.setdefault(hit.lastgroup or "", []).append(hit.group().strip())
    bare = _value_pattern().sub(" ", label if rest else row)
    keys, _ = _parse_words(split_words(bare))
    return _Line(row, keys, values, rest.strip(" :\t"))


def _parse_question(question: str) -> _Query:
    words = split_words(question)
    begin = phrases("yes_no").find(words)
    if begin and begin[0].concept:
        raise ExpertRefused("embedded-no-answer")
    keys, types = _parse_words(words)
    if len(types) > 1 and "amount" in types:
        types = [kind for kind in types if kind != "amount"]
    has_label = any(match.concept for match in phrases("labels").find(words))
    return _Query(keys, types[0] if types else "", has_label)


def _parse_words(words: Sequence[str]) -> tuple[frozenset[str], list[str]]:
    """The meaning of some words (unknown ones stand for themselves), and the types they ask for."""
    keys: set[str] = set()
    types: list[str] = []
    for match in phrases("labels", "types", "fillers").find(words):
        section, _, name = match.concept.partition(".")
        if section == "types":
            types.insert(0, name)
        elif section == "labels":
            kind, _, key = name.partition("-")
            keys.add(key)
            types += [kind] if kind != "any" else []
        elif not section and not words[match.start].replace(".", "").isdigit():
            keys.add(words[match.start])
    return frozenset(keys), types


def _find_values(lines: Sequence[_Line], query: _Query) -> dict[str, _Line]:
    """The values of the lines with exactly the asked label, else with one that means the same."""
    if not query.keys and query.type in _UNIQUE:
        return {value: line for line in lines for value in line.values.get(query.type, ())}
    exact = _pick(lines, query)
    if exact or len(query.keys) != 1 or any(line.keys & _CHANGES_THE_SUM for line in lines):
        return exact
    (key,) = query.keys
    others = (_pick(lines, replace(query, keys=frozenset({k}))) for k in _FALLBACKS.get(key, ()))
    return next(filter(None, others), {})


def _pick(lines: Sequence[_Line], query: _Query) -> dict[str, _Line]:
    matches = [line for line in lines if query.keys and line.keys == query.keys]
    return {value: line for line in matches for value in _values_of(line, query.type)}


def _values_of(line: _Line, kind: str) -> Sequence[str]:
    if kind:
        values = line.values.get(kind) or (
            line.values.get("number", ()) if kind == "amount" else ()
        )
        return values or (line.values.get("number", ()) if kind == "code" else ())
    every = [value for values in line.values.values() for value in values]
    return [line.after_colon] if line.after_colon else every


def _find_near(lines: Sequence[_Line], query: _Query) -> list[str]:
    """The lines that share most with the question, the best first."""
    near = [line for line in lines if line.keys & query.keys]
    return [line.text for line in sorted(near, key=lambda line: -len(line.keys & query.keys))]


def _find_sentence(document: _Document, query: _Query, question: str) -> str:
    """The one sentence with nearly all words of a question, rare ones counting more; else "".

    Names and numbers of the question must be in it, and a figure where one is asked for.
    """
    words, wants_figure = _parse_content(question)
    if query.has_label or not words:
        return ""
    forms = {word: set(inflect(word)) for word in words}
    hits = {
        text: {word for word in words if forms[word] & known}
        for text, known in document.sentences.items()
    }
    counts = Counter(word for hit in hits.values() for word in hit)
    weights = {word: math.log(1 + len(hits) / max(counts[word], 1)) for word in words}
    total = sum(weights.values())
    shares = {text: sum(weights[word] for word in hit) / total for text, hit in hits.items()}
    best, *others = sorted(shares, key=lambda text: -shares[text])[:2] or [""]
    lead = shares.get(best, 0.0) - max((shares[other] for other in others), default=0.0)
    names = {word for token in question.split()[1:] for word in _split_name(token)}
    names |= {word for word in words if any(sign.isnumeric() for sign in word)}
    missing = (names & set(words)) - hits.get(best, set())
    figures = {word for word in document.sentences.get(best, ()) if word[0].isdigit()}
    clear = shares.get(best, 0.0) >= _COVERED and lead >= _AHEAD and not missing
    return best if clear and (figures - set(words) or not wants_figure) else ""


def _parse_content(question: str) -> tuple[list[str], bool]:
    """The words of a question that a sentence must share, and whether it asks for a figure."""
    words = split_words(question)
    content, figure = [], False
    for match in phrases("fillers", "types", "table").find(words):
        section, _, name = match.concept.partition(".")
        figure |= name in ("amount", "date", "percent", "count")
        if section not in ("fillers", "types") and name not in ("fill", "count", "which"):
            content += words[match.start : match.end]
    return list(dict.fromkeys(content))[:_MOST_WORDS], figure


def _split_name(token: str) -> list[str]:
    """The words of a name; none of another word."""
    return split_words(token) if token[0].isupper() else []


def _normalize(value: str) -> str:
    return "".join(sign for sign in value.casefold() if sign.isalnum() or sign in "+-@.,")


@cache
def _value_pattern() -> re.Pattern[str]:
    """Values as people write them; every part is bounded, so that no text makes it slow."""
    month = "|".join(sorted(map(re.escape, months()), key=len, reverse=True))
    day = r"\d{1,2}(?:st|nd|rd|th|er|\.)?"
    cents = r"(?:[.,]\d{1,2})?"
    number = rf"[-−]?\d{{1,3}}(?:[.,'’ \u00a0\u202f]\d{{3}}){{1,5}}{cents}|[-−]?\d{{1,15}}{cents}"
    money = r"[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN)\b"
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
