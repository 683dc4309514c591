"""Requests that do not say what is to be done."""

import pytest

from tests.adapters.embedded.planner.builders import kinds, told

VAGUE = [
    "do it",
    "do the thing",
    "do something",
    "make it",
    "go ahead",
    "you know what to do",
    "can you?",
    "this one",
    "do your magic",
    "mach mal",
    "mach das",
    "mach was draus",
    "tu es",
    "leg los",
    "bitte",
    "kannst du das?",
    "fais le truc",
    "fais-le",
    "fais quelque chose",
    "vas-y",
    "tu peux ?",
    "hazlo",
    "haz algo",
    "haz lo tuyo",
    "por favor",
    "dale",
    "¿puedes?",
    "弄一下",
    "做一下",
    "帮个忙",
    "搞定它",
    "やって",
    "お願い",
    "なんかして",
    "それやって",
    "よろしく",
]


@pytest.mark.parametrize("kind", ["image", "audio", "video", "document"])
@pytest.mark.parametrize("text", VAGUE)
def test_who_does_not_say_what_is_to_be_done_is_asked(text: str, kind: str) -> None:
    assert told(text, kind).id == "planner-empty-with-files"
    assert told(text, before=[kind]).id == "planner-empty-with-files"


@pytest.mark.parametrize("text", ["ok", "ja", "好的", "thanks"])
def test_who_agrees_is_not_asked_what_to_do(text: str) -> None:
    assert told(text, before=["image"]).id != "planner-empty-with-files"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make it brighter", "image-to-image"),
        ("mach es schwarzweiß", "image-to-image"),
        ("décris ça", "image-to-text"),
        ("hazlo más claro", "image-to-image"),
        ("描述一下", "image-to-text"),
        ("白黒にして", "image-to-image"),
    ],
)
def test_little_words_are_no_harm_where_one_says_what(text: str, expected: str) -> None:
    assert expected in kinds(text, "image")
