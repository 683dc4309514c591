"""Sentences as a person reads them, so that tests name a message and not its wording."""

from pipeline.domain import LocalizedText
from pipeline.words import has_message, say


def english(sentence: str, **args: str | float | LocalizedText) -> str:
    """A message in English."""
    assert has_message(sentence)
    return say("en", LocalizedText(sentence, args))
