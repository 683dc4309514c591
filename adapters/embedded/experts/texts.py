"""Texts shortened to their most telling sentences, compared, and asked; their mood."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from math import log, sqrt
from typing import Any

from adapters.embedded.experts.audio import detect_language
from adapters.embedded.experts.documents import read_piece
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    get_texts,
    require_text,
)
from adapters.embedded.lexicon import CJK, months, phrases, split_words
from pipeline.domain import Label, Labels, LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused

Vector = Mapping[str, float]
"""Word → weight; the words that are left out weigh 0."""

_MOST_CHARACTERS, _MOST_SENTENCES, _MOST_MOOD = 200_000, 2000, 20_000
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b\w\.)(?<!\b\w{2}\.)[\"'”’)]{0,3}[ \t]+(?=\W?[^\W\d_])"
    r"|(?<=[。！？])(?=\w)|\n"
)
"""Not after one or two letters or digits: mostly an abbreviation, or a date ("1. August")."""
_COLON = rf":(?=[\s{CJK}])|\uff1a"
"""One that ends a label; others stand in times, paths and addresses."""
_COLUMNS = re.compile(rf"{_COLON}|\t|\s{{2,}}")
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "”", '"')
_FULL_LINE = 45  # characters: a shorter line without an end is a heading
_NEUTRAL_BELOW = 0.05  # VADER's own threshold


def summarize(args: ExpertInput, _language: str) -> WorkerResult:
    """A fifth of the sentences, at least one, at most five, as they stand."""
    text = require_text(args, "text")[:_MOST_CHARACTERS]
    short = shorten(text, max(1, min(5, round(len(split_units(text)) / 5))))
    whole = len(short) >= len(" ".join(text.split()))
    note, source = LocalizedText("embedded-summary"), LocalizedText("embedded-summary-whole")
    if whole:
        return WorkerResult(slots={"text": Text(short)}, sources=(source,))
    return WorkerResult(slots={"text": Text(short)}, notes=(note,))


def shorten(text: str, count: int) -> str:
    """The sentences nearest to all others in their words; earlier ones count a little more."""
    units = split_units(text)
    if len(units) <= count:
        return " ".join(units) or text.strip()
    vectors, total = _vectorize(units), defaultdict[str, float](float)
    for word, weight in chain.from_iterable(vector.items() for vector in vectors):
        total[word] += weight
    scores = [
        _multiply(vector, total) * (1.3 - 0.3 * at / len(units))
        for at, vector in enumerate(vectors)
    ]
    best = sorted(range(len(units)), key=lambda place: -scores[place])[:count]
    return " ".join(units[place] for place in sorted(best))


def split_units(text: str) -> list[str]:
    """The sentences, each once; headings only where there is little else."""
    lines = split_lines(text)
    ended = [line for line in lines if line.endswith(SENTENCE_ENDS)]
    return (ended if len(ended) > len(lines) / 2 else lines)[:_MOST_SENTENCES]


def split_lines(text: str) -> list[str]:
    """The lines of a text, its sentences where it runs on over lines; each once."""
    joined = ""
    for line in filter(None, map(str.strip, text.splitlines())):
        runs_on = (len(line) >= _FULL_LINE and line[-1].isalpha()) or line[-1] in ",;-"
        joined += line + (" " if runs_on and not _COLUMNS.search(line) else "\n")
    return list(
        dict.fromkeys(part.strip() for part in _SENTENCE_END.split(joined) if len(part) > 1)
    )


def compare(args: ExpertInput, _language: str) -> WorkerResult:
    """How similar each of the other texts is to the first in its words, from 0 to 1."""
    first, *others = get_texts(args, "sentences") or [""]
    if not others or not first.strip():
        raise BadInput("expert-one-sentence")
    vector, *vectors = _vectorize([first, *others])
    scores = [min(_multiply(each, vector), 1.0) for each in vectors]
    labels = (Label(other, round(score, 3)) for other, score in zip(others, scores, strict=True))
    return WorkerResult(
        slots={"labels": Labels(tuple(labels))}, sources=(LocalizedText("embedded-alike"),)
    )


def _vectorize(texts: Sequence[str]) -> Sequence[Vector]:
    """TF-IDF vectors of length one, the same as scikit-learn's.

    Importing scikit-learn would take 1.5 s of processor time in each fresh worker.
    """
    counts = [Counter(_pick_words(text)) for text in texts]
    holding = Counter(word for count in counts for word in count)
    vectors = []
    for count in counts:
        weights = {
            word: number * (log((1 + len(texts)) / (1 + holding[word])) + 1)
            for word, number in count.items()
        }
        length = sqrt(sum(weight**2 for weight in weights.values()))
        vectors.append({word: weight / length for word, weight in weights.items()})
    return vectors


def _multiply(vector: Vector, other: Vector) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in vector.items())


def _pick_words(text: str) -> list[str]:
    """The words of a text that carry meaning."""
    words = split_words(text)
    matches = phrases("fillers").find(words)
    return [words[match.start] for match in matches if not match.concept] or ["-"]


def judge_mood(args: ExpertInput, _language: str) -> WorkerResult:
    """Positive, negative or neutral, for English only. Raises ExpertRefused."""
    text = require_text(args, "text")[:_MOST_MOOD]
    if detect_language(text) not in ("", "en"):
        raise ExpertRefused("embedded-english-only")
    mood = float(_analyzer().polarity_scores(text)["compound"])
    side, other = ("POSITIVE", "NEGATIVE") if mood > 0 else ("NEGATIVE", "POSITIVE")
    if abs(mood) < _NEUTRAL_BELOW:
        weights, names = (0.6, 0.2, 0.2), ("NEUTRAL", side, other)
    else:
        rest = max((1 - abs(mood)) / 2, 0.16)  # a list of words is never sure
        weights = 1 - rest, rest * 2 / 3, rest / 3
        names = side, "NEUTRAL", other
    labels = tuple(Label(n, round(w, 3)) for n, w in zip(names, weights, strict=True))
    return WorkerResult(slots={"labels": Labels(labels)}, sources=(LocalizedText("embedded-mood"),))


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


_MOST_LINES, _MOST_STEMS, _QUOTE, _LONGEST_VALUE, _CLOSEST = 5_000, 30, 300, 80, 3
_WHOLLY, _CLEAR, _LEAD, _LEAST = 0.99, 0.5, 0.15, 0.15
"""The scores of a line whose value is told, of one that is quoted if it leads the others by so
much, and of one that is worth showing."""
_LABEL_SHARE = 0.25
"""How much of the score depends on a line's label being about nothing else."""
_INSIDE = 0.7
_LONG = 6  # letters: a shorter word mostly says little
_FIGURE = r"(?:[€$£¥]|[A-Z]{3})? ?\d[\d.,/-]*(?: ?(?:[€$£¥%]|[A-Z]{3}))?$"
_LABELLED = re.compile(rf"(.+?)(?:{_COLON}|\t|\s{{2,}}|\s(?={_FIGURE}))(.+)")
_ROW = re.compile(rf"[^:\uff1a]*\d[\d.,]*\s+{_FIGURE}")
"""A row of several figures: nothing says which of them is asked for."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line or sentence; without "label: value", the label is all of it."""

    text: str
    words: str
    """All words between blanks, to look stems up in."""
    label: frozenset[str]
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
        near += [other for other in lines if other.value and other.label & missing]
    wants_figure = bool(phrases("figures").concepts(question))
    if best < _CLEAR or len(near) > 1 or (wants_figure and not _has_figure(line.text)):
        quotes = "".join(f"\n> {_quote(line)}" for line in near[:_CLOSEST])
        return Finding(LocalizedText("embedded-closest", {"lines": quotes}), is_clear=False)
    if best > _WHOLLY and line.value and (not wants_figure or _has_figure(line.value)):
        return Finding(line.value, LocalizedText("embedded-answer-line", {"line": _quote(line)}))
    return Finding(LocalizedText("embedded-says", {"line": _quote(line)}))


def _has_figure(text: str) -> bool:
    return any(map(str.isdigit, text))


def _quote(line: Line) -> str:
    return " ".join(line.text.split())[:_QUOTE]


def _score(lines: Sequence[Line], question: str) -> list[float]:
    """How much of the question each line covers, from 0 to 1; rare and long words count more."""
    stems, asked = find_stems(question), _join_words(question)
    counts = Counter(stem for line in lines for stem in stems if stem in line.words)
    weights = {
        stem: math.log(1 + len(lines) / (counts[stem] or 0.5)) * _weigh_length(stem)
        for stem in stems
    }
    scores: list[float] = []
    for line in lines:
        covered = sum(weights[stem] * _match(stem, line.words) for stem in stems)
        other = [stem for stem in line.label if stem not in asked]
        share = len(other) / max(len(line.label), 1)
        scores.append(covered / (sum(weights.values()) or 1) * (1 - _LABEL_SHARE * share))
    return scores


def _match(stem: str, words: str) -> float:
    """1 where a word begins with the stem; less within one, as "total" in "subtotal"; else 0."""
    begins = f" {stem.lstrip()}" in words or stem[0] >= "\u3000"
    return _INSIDE ** (not begins) if stem in words else 0.0


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
    stems = frozenset(stem for stem in find_stems(label) if not _has_figure(stem))
    is_value = bool(stems) and len(value) <= _LONGEST_VALUE
    return Line(row, _join_words(row), stems, value.strip() if is_value else "")


def _join_words(text: str) -> str:
    return f" {' '.join(split_words(text))} "


def find_stems(text: str) -> frozenset[str]:
    """The telling words of a text, as far as their forms share them; CJK characters in pairs."""
    words = split_words(text)
    stems: list[str] = []
    end = -1
    for concept, start, stop in phrases("fillers", "figures", "join").find(words):
        word = words[start]
        if concept not in ("", "figures.name"):
            continue
        if _has_figure(word):
            stems.append(f" {word} ")
        elif len(word) > 1:
            stems.append(_stem(word))
        elif word.isalpha() and end == start:
            stems.append(f" {words[start - 1]} {word}")
        end = stop
    return frozenset(stems[:_MOST_STEMS])


def _stem(word: str) -> str:
    if len(word) >= 5:  # noqa: PLR2004
        return word[: max(5, len(word) * 4 // 5)]
    return f" {word}" if len(word) == 4 else f" {word} "  # noqa: PLR2004
