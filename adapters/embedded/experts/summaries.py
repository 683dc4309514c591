"""Texts shortened to their most telling sentences, and compared, by the words that they share."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log, sqrt

from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_texts, require_text
from adapters.embedded.lexicon import CJK, phrases, split_words
from pipeline.domain import Label, Labels, LocalizedText, Text
from pipeline.errors import BadInput

Vector = Mapping[str, float]
"""Word → weight; the words that are left out weigh 0."""

_MOST_CHARACTERS = 200_000
_MOST_SENTENCES = 2000
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b\w\.)(?<!\b\w{2}\.)[\"'”’)]{0,3}[ \t]+(?=\W?[^\W\d_])"
    r"|(?<=[。！？])(?=\w)|\n"
)
"""Not after one or two letters or digits: mostly an abbreviation, or a date ("1. August")."""
COLON = rf":(?=[\s{CJK}])|\uff1a"
"""One that ends a label; others stand in times, paths and addresses."""
_COLUMNS = re.compile(rf"{COLON}|\t|\s{{2,}}")
SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "”", '"')
_FULL_LINE = 45
"""Characters: a shorter line without an end is a heading."""


def summarize(args: ExpertInput, _language: str) -> WorkerResult:
    """A fifth of the sentences, at least one, at most five, as they stand."""
    text = require_text(args, "text")[:_MOST_CHARACTERS]
    short = shorten(text, max(1, min(5, round(len(split_units(text)) / 5))))
    slots = {"text": Text(short)}
    if len(short) >= len(" ".join(text.split())):
        return WorkerResult(slots=slots, sources=(LocalizedText("embedded-summary-whole"),))
    return WorkerResult(slots=slots, notes=(LocalizedText("embedded-summary"),))


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
