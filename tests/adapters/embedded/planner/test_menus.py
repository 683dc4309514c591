"""The wishes in the menu of a message are understood without a language model."""

import pytest

from adapters.chat.wishes import join_request, word_wish
from pipeline.domain import Text
from tests.adapters.embedded.planner.builders import kinds, planned

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
    text = join_request(word_wish(menu, language), "" if sent else REPORT)

    assert kinds(text, *filter(None, [sent])) == [kind]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
@pytest.mark.parametrize("menu", ["read", "translate", "summarize"])
@pytest.mark.parametrize(
    "message",
    [
        "Where do we eat tonight? I would like Italian food, and Luigi's is closed.",
        "Can you summarize the call? Then translate it into German and read it aloud.",
        "Make it black and white, resize to 800 px",
        "- one\n- two\n- three: describe the photo",
        "He said “yes, draw it” and left.",
        "“Draw a cat”",
    ],
)
def test_what_a_message_asks_for_is_not_taken_for_a_wish(
    language: str, menu: str, message: str
) -> None:
    (task,) = planned(join_request(word_wish(menu, language), message))

    assert task.args["text"] == (Text(message),)


def test_straight_quotes_in_a_message_do_not_end_it() -> None:
    (task,) = planned(join_request(word_wish("read", "en"), 'It is 5" wide, he said.'))

    assert task.args["text"] == (Text("It is 5” wide, he said."),)
