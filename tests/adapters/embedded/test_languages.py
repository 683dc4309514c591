"""The language of a request, told from its words."""

import pytest

from adapters.embedded.languages import detect_locale, find_text_language, rank_languages
from pipeline.words import LOCALES


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Draw a lighthouse in a storm", "en"),
        ("What does it say?", "en"),
        ("Zeichne einen Leuchtturm im Sturm", "de"),
        ("lis ceci à voix haute", "fr"),
        ("dibuja un gato en la playa", "es"),
        ("猫を描いて", "ja"),
        ("画一只猫", "zh"),
        ("ok", ""),
        ("EUR 12,50", ""),
        ("12:30", ""),
        ("", ""),
    ],
)
async def test_the_language_is_told_where_the_words_are_enough(text: str, language: str) -> None:
    rank_languages("", LOCALES)  # else the first message may not wait for it

    assert await detect_locale(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("read it aloud", "en"),
        ("lies das vor", "de"),
        ("nur Seite 3", "de"),
        ("léelo en voz alta", "es"),
        ("résume ça", "fr"),
        ("读出来", "zh"),
        ("読み上げて", "ja"),
        ("12:30", ""),
        ("", ""),
    ],
)
async def test_words_tell_the_language_while_the_model_still_loads(
    text: str, language: str
) -> None:
    assert await detect_locale(text, patience=0) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The meeting is moved to Friday.", "en"),
        ("Das Treffen ist auf Freitag verschoben.", "de"),
        ("La riunione è spostata a venerdì.", "it"),
        ("A reunião foi transferida para sexta-feira.", "pt"),
        ("मीटिंग शुक्रवार को है", "hi"),
        ("会议改到星期五", "zh"),
        ("Hallo", ""),
        ("EUR 358.20", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text_is_told_of_all_or_not_at_all(text: str, language: str) -> None:
    assert find_text_language(text) == language
