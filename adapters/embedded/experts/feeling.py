"""The mood of a text: VADER's word list, made for English."""

from functools import cache
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, some_words
from adapters.embedded.experts.languages import spoken_in
from pipeline.domain import Label, Labels, Sentence, Sureness, no_surer
from pipeline.errors import ExpertRefused

_MOST_CHARACTERS = 20_000
_MOST = no_surer(1.0, "text-classification", Sureness.FAIRLY)
_NEUTRAL_BELOW = 0.05  # as VADER's authors have it


def judge(args: Args, _language: str) -> Finding:
    """Positive, negative or neutral, with shares that sum to one. Raises ExpertRefused for other languages than English."""
    text = some_words(args, "text")[:_MOST_CHARACTERS]
    if spoken_in(text, "en") != "en":
        raise ExpertRefused("embedded-english-only")
    mood = float(_analyzer().polarity_scores(text)["compound"])
    return Finding({"labels": Labels(_labels(mood))}, (Sentence("embedded-mood"),))


def _labels(mood: float) -> tuple[Label, ...]:
    """From VADER's figure between -1 and 1: the side it is on gets at least a half, the rest is mostly neutral.

    A list of words is never very sure, least of all when it found none of its words.
    """
    if abs(mood) < _NEUTRAL_BELOW:
        return (Label("NEUTRAL", 0.6), Label("POSITIVE", 0.2), Label("NEGATIVE", 0.2))
    side, other = ("POSITIVE", "NEGATIVE") if mood > 0 else ("NEGATIVE", "POSITIVE")
    rest = max((1 - abs(mood)) / 2, 1 - _MOST)
    return (
        Label(side, round(1 - rest, 3)),
        Label("NEUTRAL", round(rest * 2 / 3, 3)),
        Label(other, round(rest / 3, 3)),
    )


@cache
def _analyzer() -> Any:  # noqa: ANN401
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()
