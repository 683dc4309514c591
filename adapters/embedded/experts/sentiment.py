"""The sentiment of English texts, by VADER's list of words."""

from functools import cache
from typing import Any

from adapters.embedded.experts.speech import detect_language
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, require_text
from pipeline.domain import Label, Labels, LocalizedText
from pipeline.errors import ExpertRefused

_MOST_CHARACTERS = 20_000
_NEUTRAL_BELOW = 0.05
"""VADER's own threshold."""


def classify_sentiment(args: ExpertInput, _language: str) -> WorkerResult:
    """Positive, negative or neutral, for English only. Raises ExpertRefused."""
    text = require_text(args, "text")[:_MOST_CHARACTERS]
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
