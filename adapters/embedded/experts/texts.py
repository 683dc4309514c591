"""Texts shortened to their most telling sentences, compared by their words, and their mood."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from math import log, sqrt
from typing import Any

from adapters.embedded.experts.lexicon import phrases, split_words
from adapters.embedded.experts.speech import detect_language
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_texts, require_text
from pipeline.domain import Label, Labels, LocalizedText, Number, Text
from pipeline.errors import BadInput, ExpertRefused

Vector = Mapping[str, float]
"""Word → weight; the words that are left out weigh 0."""

_MOST_CHARACTERS, _MOST_SENTENCES, _MOST_MOOD = 200_000, 2000, 20_000
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b\w\.)(?<!\b\w{2}\.)[\"'”’)]{0,3}[ \t]+(?=\W?[^\W\d_])"
    r"|(?<=[。！？])(?=\w)|\n"
)
"""Not after one or two letters or digits: mostly an abbreviation, or a date ("1. August")."""
_COLUMNS = re.compile(r":(?!\d)|\uff1a|\t|\s{2,}")
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
    """How similar the most similar other text is to the first in its words, from 0 to 1."""
    first, *others = get_texts(args, "sentences") or [""]
    if not others or not first.strip():
        raise BadInput("expert-one-sentence")
    vector, *vectors = _vectorize([first, *others])
    scores = [min(_multiply(each, vector), 1.0) for each in vectors]
    best = max(range(len(scores)), key=lambda place: scores[place])
    likest = LocalizedText("embedded-likest", {"text": others[best][:200]})
    return WorkerResult(
        slots={"number": Number(round(scores[best], 3))},
        notes=(likest,) if len(others) > 1 else (),
        sources=(LocalizedText("embedded-alike"),),
    )


def _vectorize(texts: Sequence[str]) -> Sequence[Vector]:
    """TF-IDF vectors of length one, the same as scikit-learn's (ADR 0140)."""
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
    if detect_language(text, "en") != "en":
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
