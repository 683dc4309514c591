"""The prompts that Slack suggests above an empty conversation with the app."""

from collections.abc import Collection, Mapping, Sequence

from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText
from pipeline.words import say

_PROMPTS: Mapping[str, frozenset[str]] = {
    "draw": frozenset({"text-to-image"}),
    "poem": frozenset({"text-generation", "text-to-speech"}),
    "translate": frozenset({"translation"}),
    "mood": frozenset({"text-classification"}),
    "read": frozenset({"text-to-speech"}),
}
"""Prompts that need no file, with the kinds of tasks that must run for each; the best first."""
_MOST_PROMPTS = 4
"""Slack's limit for suggested prompts."""


def choose_prompts(kinds: Collection[str], locale: str) -> Sequence[Json]:
    """At most four prompts of which the tasks are of these kinds; the last one asks for help."""
    names = [name for name, needed in _PROMPTS.items() if needed <= {*kinds}]
    prompts = [
        {
            "title": say(locale, LocalizedText(f"slack-prompt-{name}")),
            "message": say(locale, LocalizedText(f"slack-prompt-{name}-text")),
        }
        for name in names[: _MOST_PROMPTS - 1]
    ]
    title = say(locale, LocalizedText("slack-prompt-help"))
    return [*prompts, {"title": title, "message": "help"}]
