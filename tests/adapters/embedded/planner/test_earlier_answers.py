"""What was answered before, by the names people give it, in six languages."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import Context, LocalizedText, Media, Task, Text
from tests.adapters.embedded.planner.builders import ANN, BOT, kinds, planned, scene, taken

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
    "zh": ("描述第二张图片", "描述一下最后那张照片"),
    "ja": ("二番目の画像を説明して", "最後の画像には何が写っていますか"),
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
        "fass das Dokument zusammen und lies die Zusammenfassung vor",
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


def answered(text: str, *said: tuple[str, str], locale: str = "en") -> list[Task]:
    """The tasks of a request after earlier ones with their answers."""
    sent = {"transcribe it": "a.ogg"}
    turns = [
        turn
        for words, answer in said
        for turn in ((ANN, words, sent.get(words, "")), (BOT, answer, ""))
    ]
    made = tasks(view(scene(text, "", *turns, locale=locale)))
    assert not isinstance(made, LocalizedText), made
    return list(made)


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
    heard, after = ("transcribe it", SAID), ("translate it into German", "Something else.")

    (made,) = answered(text, heard, after, locale=locale)

    assert SAID in texts(made)


def test_a_summary_that_nobody_made_is_made_first() -> None:
    before = ((ANN, "transcribe it", "a.ogg"), (BOT, SAID, ""), (ANN, "thanks", "b.pdf"))

    made = tasks(view(scene("lies mir bitte die Zusammenfassung vor", "", *before)))

    assert not isinstance(made, LocalizedText)
    assert "summarization" in [one.kind.name for one in made]


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
        "draw a cat",
        "draw a cat that is orange",
        "write a short email to Ann",
    ],
)
def test_words_that_hold_their_own_text_are_given_alone(text: str) -> None:
    (made,) = planned(text, said=SAID)

    assert texts(made) == [text]


@pytest.mark.parametrize(("results", "said"), [("A fox.", "A fox."), ("", SAID), (None, "Here.")])
def test_it_is_the_last_thing_that_was_found_not_the_words_around_a_file(
    results: str | None, said: str
) -> None:
    before = ((ANN, "summarize it", "a.pdf"), (BOT, SAID, ""), (ANN, "draw a fox", ""))
    asked = scene("shorter please", "", *before, (BOT, "Here.", "fox.png"))
    *turns, answer = asked.context.turns
    context = Context((*turns, replace(answer, results=results)))

    assert view(replace(asked, context=context)).said == said


def test_it_is_the_last_answer_not_what_could_not_be_done() -> None:
    missing = LocalizedText("not-possible-here", {"kind": "text-to-image"})
    before = ((ANN, "summarize it", "a.pdf"), (BOT, SAID, ""), (ANN, "draw a fox", ""))

    seen = view(scene("shorter please", "", *before, (BOT, missing, "")))

    assert seen.said == SAID


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("now in black and white instead", "a.jpg"),
        ("stattdessen schwarzweiß", "a.jpg"),
        ("jetzt lieber in Schwarzweiß", "a.jpg"),
        ("plutôt en noir et blanc", "a.jpg"),
        ("mejor en blanco y negro", "a.jpg"),
        ("やっぱり白黒で", "a.jpg"),
        ("en noir et blanc à la place", "a.jpg"),
        ("make it blue instead of grey", "a-sketch.jpg"),
        ("now brighter", "a-sketch.jpg"),
    ],
)
def test_what_is_wanted_instead_is_made_of_the_file_before(text: str, file: str) -> None:
    sketched = ((ANN, "a pencil sketch", "a.jpg"), (BOT, "Here it is.", "a-sketch.jpg"))

    assert taken(tasks(view(scene(text, "", *sketched)))) == [file]


@pytest.mark.parametrize("text", ["now in black and white instead", "stattdessen sepia"])
def test_another_filter_instead_is_one_step(text: str) -> None:
    assert kinds(text, before=["image"]) == ["image-to-image"]


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("convert a.jpg to png and b.jpg to webp", ("convert a.jpg to png", "b.jpg to webp")),
        (
            "first in sepia, second in black and white",
            ("first in sepia", "second in black and white"),
        ),
        ("sketch image 1 and rotate image 2", ("sketch image 1", "rotate image 2")),
        (
            "Bild 1 in Schwarzweiß, Bild 2 als Skizze",
            ("Bild 1 in Schwarzweiß", "Bild 2 als Skizze"),
        ),
        *(
            (whole, (whole, whole))
            for whole in (
                "convert a.jpg and b.jpg to png",
                "resize a.jpg and b.jpg to 200px",
                "rotate image 1 and image 2 by 180 degrees",
                "make image 1 and image 2 grey",
            )
        ),
    ],
)
def test_each_file_is_changed_by_the_wish_that_names_it(text: str, wishes: tuple[str, str]) -> None:
    made = tasks(view(scene(text, "a.jpg b.jpg")))

    assert taken(made) == ["a.jpg", "b.jpg"]
    assert not isinstance(made, LocalizedText)
    assert [task.args["text"] for task in made] == [(Text(wish),) for wish in wishes]


def test_of_the_versions_of_a_file_the_newest_has_its_name() -> None:
    turns = ((ANN, "rotate it", "a.jpg b.jpg"), (BOT, "Here is the picture.", "b.jpg"))

    made = tasks(view(scene("convert b.jpg to webp", "", *turns)))

    assert taken(made) == ["b.jpg"]


@pytest.mark.parametrize(
    ("text", "wanted", "order"),
    [
        ("merge them, four.pdf first", ["four.pdf", "one.pdf"], "merge them"),
        ("merge, one.pdf last", ["four.pdf", "one.pdf"], "merge"),
        ("merge this with four.pdf", ["one.pdf", "four.pdf"], "merge this with"),
        ("hänge four.pdf an", ["one.pdf", "four.pdf"], "hänge   an"),
        ("fusionne-les, four.pdf en premier", ["four.pdf", "one.pdf"], "fusionne-les,   en"),
        ("combina con four.pdf", ["one.pdf", "four.pdf"], "combina con"),
        ("与four.pdf合并", ["one.pdf", "four.pdf"], "与   合并"),
        ("結合して、four.pdfを最初に", ["four.pdf", "one.pdf"], "結合して、   を に"),
        ("rotate four.pdf", ["four.pdf"], "rotate"),
    ],
)
def test_to_name_one_of_the_files_to_be_merged_drops_no_other(
    text: str, wanted: list[str], order: str
) -> None:
    made = tasks(view(scene(text, "one.pdf four.pdf")))

    assert taken(made) == wanted
    assert not isinstance(made, LocalizedText)
    assert made[0].args["text"] == (Text(order),)


@pytest.mark.parametrize(
    "text",
    [
        *("rotate image 90 degrees right", "rotate image 90 right", "dreh das Bild 90 Grad"),
        *("dreh Bild 90 nach rechts", "gira la imagen 90 grados a la derecha"),
        *("tourne l'image 90 degrés à droite", "把图片90度旋转", "画像90度右に回転"),
    ],
)
def test_a_figure_beside_a_word_for_a_file_need_not_name_one(text: str) -> None:
    assert taken(tasks(view(scene(text, "photo.png")))) == ["photo.png"]
