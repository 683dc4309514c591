"""What was answered before, by the names people give it, in six languages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import (
    Context,
    Done,
    Media,
    Model,
    Output,
    Place,
    Plan,
    Sentence,
    Task,
    Text,
    Turn,
)
from pipeline.response.plain import plain_answer
from tests.adapters.embedded.planner.builders import ANN, BOT, kinds, planned, request, scene
from tests.fakes.stages import task

SAID = "The company grew by ten percent and hired forty people."
ALOUD, ENGLISH, SHORTER = "text-to-speech", "translation", "summarization"
WORDS: Sequence[tuple[str, str, dict[str, str]]] = (
    (
        "document",
        ENGLISH,
        {
            "en": "translate that summary into French",
            "de": "übersetze diese Zusammenfassung ins Französische",
            "fr": "traduis ce résumé en anglais",
            "es": "traduce ese resumen al inglés",
            "zh": "把那个摘要翻译成英文",
            "ja": "その要約を英語に翻訳して",
        },
    ),
    (
        "document",
        ALOUD,
        {
            "en": "read the translation aloud",
            "de": "lies die Übersetzung vor",
            "fr": "lis la traduction à voix haute",
            "es": "lee la traducción en voz alta",
            "zh": "把译文读出来",
            "ja": "その翻訳を読み上げて",
        },
    ),
    (
        "audio",
        SHORTER,
        {
            "en": "summarize the transcript",
            "de": "fasse das Transkript zusammen",
            "fr": "résume la transcription",
            "es": "resume la transcripción",
            "zh": "总结一下转写文本",
            "ja": "その文字起こしを要約して",
        },
    ),
    (
        "image",
        ENGLISH,
        {
            "en": "translate the answer into Spanish",
            "de": "übersetze deine Antwort ins Spanische",
            "fr": "traduis la réponse en espagnol",
            "es": "traduce tu respuesta al francés",
            "zh": "把答案翻译成法语",
            "ja": "その回答をフランス語に翻訳して",
        },
    ),
    (
        "image",
        ENGLISH,
        {
            "en": "translate that description into German",
            "de": "übersetze diese Beschreibung ins Englische",
            "fr": "traduis cette description en anglais",
            "es": "traduce esa descripción al inglés",
            "zh": "把这段描述翻译成英文",
            "ja": "その説明を英語に翻訳して",
        },
    ),
    (
        "image",
        ALOUD,
        {
            "en": "read the caption aloud",
            "de": "lies die Bildunterschrift vor",
            "fr": "lis la légende à voix haute",
            "es": "lee el pie de foto en voz alta",
            "zh": "把图片说明读出来",
            "ja": "そのキャプションを読み上げて",
        },
    ),
    (
        "document",
        ENGLISH,
        {
            "en": "translate that poem into German",
            "de": "übersetze das Gedicht ins Englische",
            "fr": "traduis ce poème en anglais",
            "es": "traduce ese poema al inglés",
            "zh": "把这首诗翻译成英文",
            "ja": "その詩を英語に翻訳して",
        },
    ),
    (
        "image",
        ENGLISH,
        {
            "en": "translate that text into German",
            "de": "übersetze diesen Text ins Englische",
            "fr": "traduis ce texte en anglais",
            "es": "traduce ese texto al inglés",
            "zh": "把这段文字翻译成英文",
            "ja": "そのテキストを英語に翻訳して",
        },
    ),
    (
        "document",
        ENGLISH,
        {
            "en": "translate that list into German",
            "de": "übersetze diese Liste ins Englische",
            "fr": "traduis cette liste en anglais",
            "es": "traduce esa lista al inglés",
            "zh": "把这个列表翻译成英文",
            "ja": "そのリストを英語に翻訳して",
        },
    ),
)
PLACES = {
    "en": ("describe the second picture", "describe the last picture"),
    "de": ("beschreib das zweite Bild", "beschreib das letzte Bild"),
    "fr": ("décris la deuxième image", "décris la dernière image"),
    "es": ("describe la segunda imagen", "describe la última imagen"),
    "zh": ("描述第二张图片", "描述最后一张图片"),
    "ja": ("二番目の画像を説明して", "最後の画像を説明して"),
}


def texts(made: Task) -> list[str]:
    return [arg.text for args in made.args.values() for arg in args if isinstance(arg, Text)]


@pytest.mark.parametrize(
    ("before", "kind", "text"),
    [(before, kind, text) for before, kind, said in WORDS for text in said.values()],
)
def test_an_answer_of_before_is_gone_on_from_by_its_name(before: str, kind: str, text: str) -> None:
    (made,) = planned(text, before=[before], said=SAID)

    assert made.kind.name == kind
    assert SAID in texts(made)


@pytest.mark.parametrize("locale", PLACES)
def test_a_picture_of_before_is_found_by_its_place(locale: str) -> None:
    chosen = []
    for text in PLACES[locale]:
        (made,) = planned(text, before=["image", "image", "image"], said="Here they are.")
        (picture,) = made.args["image"]
        assert isinstance(picture, Media)
        chosen.append(picture.attachment.hash)

    assert chosen == ["old1", "old2"]


@pytest.mark.parametrize(
    "text",
    [
        "summarize this and translate the summary into German",
        "fasse das zusammen und lies die Zusammenfassung vor",
        "これを要約して、その要約を読み上げて",
    ],
)
def test_what_the_same_request_makes_first_is_not_what_was_answered(text: str) -> None:
    made = planned(text, before=["document"], said=SAID)

    assert [one.kind.name for one in made[:2]] == ["document-to-text", "summarization"]


@pytest.mark.parametrize(
    "text",
    ["translate the summary of the document", "翻译文档的摘要"],
)
def test_a_result_that_is_still_to_be_made_is_made(text: str) -> None:
    made = planned(text, before=["document"], said=SAID)

    assert "summarization" in [one.kind.name for one in made]
    assert SAID not in texts(made[0])


def answered(asked_for: str, *done: tuple[str, str], locale: str = "en") -> str:
    """The plain answer to tasks of these kinds with these results."""
    steps = [task(at, kind, text="x", audio="x", image="x") for at, (kind, _) in enumerate(done)]
    model = Model("acme/one", "", (Place.HOSTED,))
    outcomes = {
        step.id: Done(Output({"text": Text(words)}), 1.0, model, Place.HOSTED)
        for step, (_, words) in zip(steps, done, strict=True)
    }
    asked = request(asked_for, locale=locale)
    return "\n\n".join(plain_answer(asked, Plan(tuple(steps)), outcomes))


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "summarize the transcript"),
        ("de", "fasse das Transkript zusammen"),
        ("fr", "résume la transcription"),
        ("es", "resume la transcripción"),
        ("zh", "总结一下转写文本"),
        ("ja", "その文字起こしを要約して"),
    ],
)
def test_the_answer_that_made_it_is_meant_though_others_came_after_it(
    locale: str, text: str
) -> None:
    heard = answered("…", ("automatic-speech-recognition", SAID), locale=locale)
    after = answered("…", ("translation", "Something else."), locale=locale)
    asked = request(text, locale=locale)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    turns = tuple(Turn(words, BOT, words, (), now) for words in (heard, after))
    asked = replace(asked, context=Context(turns))

    made = tasks(view(asked))

    assert not isinstance(made, Sentence)
    assert SAID in texts(made[0])
    assert len(made) == 1


def test_of_an_answer_with_several_results_the_one_that_is_named_is_meant() -> None:
    both = answered("…", ("summarization", SAID), ("translation", "Etwas anderes."))

    (made,) = planned("read the summary aloud", before=["document"], said=both)

    assert texts(made) == [SAID]


def test_a_summary_that_nobody_made_is_made_first() -> None:
    heard = answered("…", ("automatic-speech-recognition", SAID))

    made = kinds("lies mir bitte die Zusammenfassung vor", before=["document"], said=heard)

    assert made == ["document-to-text", "summarization", "text-to-speech"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("make it sound happier", "text2text-generation"),
        ("shorter please", "text2text-generation"),
        ("haz eso más corto", "text2text-generation"),
        ("make the poem sound happier", "text2text-generation"),
        ("write a poem about the translation", "text-generation"),
        ("draw a picture of that summary", "text-to-image"),
        ("illustrate it", "text-to-image"),
        ("mach ein Bild dazu", "text-to-image"),
    ],
)
def test_what_is_asked_for_with_an_answer_is_given_that_answer_and_the_words(
    text: str, kind: str
) -> None:
    (made,) = planned(text, said=SAID)

    assert made.kind.name == kind
    assert texts(made) == [text, SAID]


@pytest.mark.parametrize(
    "text",
    [
        "rephrase i am going home now",
        "correct the grammar: i has a dog",
        "draw a cat",
        "draw a cat that is orange",
        "write a short email to Ann",
    ],
)
def test_words_that_hold_their_own_text_are_given_alone(text: str) -> None:
    (made,) = planned(text, said=SAID)

    assert texts(made) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read the German version aloud", "Guten Morgen"),
        ("lies die deutsche Fassung vor", "Guten Morgen"),
        ("lee la versión en alemán en voz alta", "Guten Morgen"),
        ("朗读德文版", "Guten Morgen"),
        ("read the English version aloud", "Good morning to all of you"),
        ("lis la version anglaise à voix haute", "Good morning to all of you"),
        ("英語版を読み上げて", "Good morning to all of you"),
    ],
)
def test_an_answer_is_known_by_its_language(text: str, expected: str) -> None:
    first = answered("…", ("summarization", "Good morning to all of you"))
    then = answered("…", ("translation", "Guten Morgen"))
    said = (("summarize it", first), ("translate it into German", then))
    turns = [turn for words, answer in said for turn in ((ANN, words, ""), (BOT, answer, ""))]

    made = tasks(view(scene(text, "", *turns)))

    assert not isinstance(made, Sentence)
    assert [(one.kind.name, texts(one)[0]) for one in made] == [(ALOUD, expected)]


def test_all_results_of_a_kind_are_worked_on_together() -> None:
    said = (answered("…", ("automatic-speech-recognition", words)) for words in ("One.", "Two."))
    turns = [turn for answer in said for turn in ((ANN, "transcribe", ""), (BOT, answer, ""))]

    made = tasks(view(scene("summarize both transcripts", "", *turns)))

    assert not isinstance(made, Sentence)
    assert texts(made[0]) == ["One.\n\nTwo."]
