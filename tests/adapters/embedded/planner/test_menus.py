"""The wishes in the menu of a message are understood without a language model."""

import pytest

from pipeline.domain import LocalizedText
from pipeline.words import say
from tests.adapters.embedded.planner.builders import kinds

REPORT = "Sales rose by ten percent in Europe and fell slightly in Asia, while costs stayed flat."


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
@pytest.mark.parametrize(
    ("menu", "sent", "kind"),
    [
        ("describe", "image", "image-to-text"),
        ("read", "", "text-to-speech"),
        ("transcribe", "audio", "automatic-speech-recognition"),
        ("translate", "", "translation"),
        ("summarize", "", "summarization"),
    ],
)
def test_each_wish_is_understood_in_each_language(
    language: str, menu: str, sent: str, kind: str
) -> None:
    wish = say(language, LocalizedText(f"menu-{menu}-wish"))

    assert kinds(wish if sent else f"{wish}\n\n{REPORT}", *filter(None, [sent])) == [kind]
