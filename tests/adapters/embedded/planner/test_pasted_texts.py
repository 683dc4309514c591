"""Requests that bring a text along, in threads where files and answers are."""

# ruff: noqa: RUF001 - what people type, in many scripts

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText, Media, Ref, Task, Text
from tests.adapters.embedded.planner.builders import ANN, BOT, planned, scene, taken, told

TEXTS = {
    "en": "The meeting moved to Friday at ten. Please bring the numbers.",
    "de": "Die Besprechung ist jetzt am Freitag um zehn. Bitte bringt die Zahlen mit.",
    "fr": "La réunion est déplacée à vendredi dix heures. Apportez les chiffres.",
    "es": "La reunión pasa al viernes a las diez. Traed las cifras, por favor.",
    "zh": "会议改到周五十点，请带上数据。",
    "ja": "会議は金曜の十時に変わりました。数字を持ってきてください。",
}
HEADS = {
    "translation": (
        "Translate this into German:",
        "Übersetze das ins Englische:",
        "Traduis ceci en anglais :",
        "Traduce esto al inglés:",
        "把这段翻译成英文：",
        "これを英語に翻訳して：",
    ),
    "summarization": (
        "Summarize this:",
        "Fasse das zusammen:",
        "Résume ceci :",
        "Resume esto:",
        "总结一下：",
        "これを要約して：",
    ),
    "text-to-speech": (
        "Read this aloud:",
        "Lies das vor:",
        "Lis ceci à voix haute :",
        "Lee esto en voz alta:",
        "朗读这段：",
        "これを読み上げて：",
    ),
}
REQUESTS = [
    (kind, head, TEXTS[locale])
    for kind, heads in HEADS.items()
    for locale, head in zip(TEXTS, heads, strict=True)
]


def files(made: list[Task]) -> list[str]:
    return [
        arg.attachment.name
        for task in made
        for args in task.args.values()
        for arg in args
        if isinstance(arg, Media)
    ]


@pytest.mark.parametrize("before", ["audio", "document"])
@pytest.mark.parametrize("between", [" ", "\n\n"])
@pytest.mark.parametrize(("kind", "head", "text"), REQUESTS)
def test_a_text_that_comes_along_is_worked_on_and_not_the_thread_s_files(
    kind: str, head: str, text: str, between: str, before: str
) -> None:
    (made,) = planned(f"{head}{between}{text}", before=[before], said="Something else.")

    assert made.kind.name == kind
    assert made.args["text"] == (Text(text),)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("What does he say here?\nI think he says hello but I am not sure about the rest", "audio"),
        ("summarize the recording:\nthe part about the budget matters most to all of us", "audio"),
        ("summarize it\nbut please in German, and not more than three sentences", "document"),
        ("Fasse es zusammen:\nbitte auf Englisch und nicht mehr als drei Sätze", "document"),
        ("caption it: something funny about a cat who wants to take over the world", "image"),
        ("Hi Troupe: please describe what you can see there and read it aloud to me", "image"),
        ("please: turn it into a pencil sketch and make the background white for me", "image"),
        ("make these changes:\n- brighter\n- crop to a square\n- add a border around it", "image"),
    ],
)
def test_wishes_below_a_head_are_no_text(text: str, before: str) -> None:
    made = planned(text, before=[before], said="Something else.")

    assert files(made)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        (f"Summarize this:\n\n{TEXTS['en']}", "audio"),
        ("read this aloud: The meeting is moved to Friday.", "image"),
        ("Lies das vor: Die Sitzung ist am Freitag.", "document"),
        ("translate this into German: The shop is closed on Monday.", "image"),
    ],
)
def test_a_text_that_comes_along_is_meant_and_not_the_file_beside_it(text: str, sent: str) -> None:
    made = planned(text, sent)

    assert len(made) == 1
    assert not files(made)


def test_a_file_with_text_is_read_and_not_the_request() -> None:
    made = tasks(view(scene("read notes.pdf aloud", "notes.pdf")))

    assert not isinstance(made, LocalizedText)
    assert [task.kind.name for task in made] == ["document-to-text", "text-to-speech"]
    assert taken(made) == ["notes.pdf"]


ARTICLE = (
    'The town closes the bridge on Monday. "It is not safe," said the mayor: it was built in 1931. '
    "The works take until autumn and cost four million.\n\n"
)
ARTIKEL = "Der Rat hat am Montag beschlossen, die Brücke zu sperren. Es dauert bis zum Herbst.\n\n"
BERICHT = "市议会周一决定关闭河上的桥梁。施工将持续到秋天，费用为四百万欧元。\n\n"


@pytest.mark.parametrize("times", [12, 400])
@pytest.mark.parametrize("before", [(), ("audio",)])
@pytest.mark.parametrize(
    ("wish", "article"),
    [
        ("Please summarise this.", ARTICLE),
        ("tl;dr please", ARTICLE),
        ("Fasse das bitte zusammen.", ARTIKEL),
        ("Kannst du das zusammenfassen?", ARTIKEL),
        ("请总结一下", BERICHT),
    ],
)
def test_a_wish_may_stand_above_or_below_a_long_text(
    wish: str, article: str, times: int, before: tuple[str, ...]
) -> None:
    text = (article * times)[:39_900].strip()

    for message in (f"{wish}\n\n{text}", f"{text}\n\n{wish}"):
        made = planned(message, before=before)

        assert [task.kind.name for task in made] == ["summarization"]
        assert made[0].args["text"] == (Text(text),)


@pytest.mark.parametrize("said", ["", "Something else."])
@pytest.mark.parametrize(
    ("wish", "locale"),
    [
        ("Translate this into German please", "en"),
        ("Bitte ins Englische übersetzen", "de"),
        ("Traduis en anglais s'il te plaît", "fr"),
        ("Tradúcelo al inglés por favor", "es"),
        ("翻译成英文", "zh"),
        ("英語に翻訳して", "ja"),
    ],
)
def test_a_plain_wish_may_stand_below_a_short_text(wish: str, locale: str, said: str) -> None:
    (made,) = planned(f"{TEXTS[locale]}\n\n{wish}", said=said)

    assert made.args["text"] == (Text(TEXTS[locale]),)


@pytest.mark.parametrize("before", ["", "```\n", "> "])
def test_marks_around_a_text_are_not_part_of_it(before: str) -> None:
    after = "\n```" if "`" in before else ""

    (made,) = planned(f"translate to German:\n{before}The meeting starts at nine.{after}")

    assert made.args["text"] == (Text("The meeting starts at nine."),)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ('"The shop opens at 9, on Saturdays at 10." when does it open on Saturdays?', 0),
        ('Text: "The shop opens at 9, on Saturdays at 10." when does it open on Saturdays?', 0),
        (
            'From this: "The shop opens at 9, on Saturdays at 10." when does it open on Saturdays?',
            0,
        ),
        ("The shop opens at 9.\nOn Saturdays at 10.\n\nwhen does it open on Saturdays?", 0),
        ("“书店九点开门，周六十点开门。”周六几点开门？", 1),
    ],
)
def test_a_question_is_asked_without_the_text_that_it_is_about(text: str, question: int) -> None:
    (made,) = planned(text)

    asked = ("when does it open on Saturdays?", "周六几点开门？")[question]
    assert made.args["question"] == (Text(asked),)


def test_a_few_words_below_a_question_are_what_it_is_asked_of() -> None:
    (made,) = planned("what seat am I in\n```\nRow 12, seat C.\n```")

    assert made.args["context"] == (Text("Row 12, seat C."),)
    assert made.args["question"] == (Text("what seat am I in"),)


def test_each_step_has_the_quotation_that_stands_beside_it() -> None:
    translated, compared = planned(
        'translate "the shop is shut" to french and tell me how similar that is to '
        '"le magasin est fermé"'
    )

    assert translated.args["text"] == (Text("the shop is shut"),)
    assert compared.args["sentences"] == (Ref(translated.id, "text"), Text("le magasin est fermé"))


def test_a_quoted_text_goes_to_the_first_of_two_steps() -> None:
    corrected, translated = planned(
        'correct this and put it into german: "we was happy to recieve you\'re order"'
    )

    assert Text("we was happy to recieve you're order") in corrected.args["text"]
    assert translated.args["text"] == (Ref(corrected.id, "text"),)


def test_quotation_marks_may_point_inwards() -> None:
    (made,) = planned("wie sagt man »Guten Appetit« auf Japanisch?")

    assert made.args["text"] == (Text("Guten Appetit"),)


def test_what_is_quoted_is_given_whole_however_long_it_is() -> None:
    text = "The bridge is closed from Monday on. " * 1000

    (made,) = planned(f'translate "{text.strip()}" into German')

    assert made.args["text"] == (Text(text.strip()),)


def test_a_long_text_without_a_wish_does_not_begin_with_the_thread_s_recording() -> None:
    assert told(ARTICLE * 40, before=["audio"]).id.startswith("planner-unsure")


def test_a_few_words_after_a_colon_are_the_text_in_a_thread_with_a_document() -> None:
    turns = ((ANN, "what is the mood", "letter.docx"), (BOT, "Most likely negative.", ""))

    made = tasks(view(scene("Is this positive or negative: I absolutely love it", "", *turns)))

    assert not isinstance(made, LocalizedText)
    assert [task.args["text"] for task in made] == [(Text("I absolutely love it"),)]


@pytest.mark.parametrize(
    ("text", "file"),
    [("Resize to: 800 px wide", "a.jpg"), ("One question: what is the total?", "scan.pdf")],
)
def test_what_is_asked_of_a_file_may_stand_after_a_colon(text: str, file: str) -> None:
    made = tasks(view(scene(text, file)))

    assert not isinstance(made, LocalizedText)
    assert {*made[0].args.values()} & {(Text(text),)}
