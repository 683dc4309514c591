"""Requests that say only what is to be other than in the one before."""

# ruff: noqa: RUF001 - what people type, in many scripts

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText, Person, Text
from tests.adapters.embedded.planner.builders import ANN, BOT, scene, taken

DESCRIBED = ((ANN, "describe this", "a.png"), (BOT, "A house.", ""))
BOTH = ((ANN, "describe the photo", "blue.png red.png"), (BOT, "Two photos.", ""))
SKETCHED = ((ANN, "make it a pencil sketch", "a.png"), (BOT, "I made one.", "x.png"))
TRANSLATED = ((ANN, "translate 'good morning' into German", ""), (BOT, "Guten Morgen", ""))


@pytest.mark.parametrize(
    ("text", "sent", "before", "kind", "meant"),
    [
        ("again", "", DESCRIBED, "image-to-text", "a.png"),
        ("nochmal bitte", "", DESCRIBED, "image-to-text", "a.png"),
        ("encore une fois", "", DESCRIBED, "image-to-text", "a.png"),
        ("otra vez", "", DESCRIBED, "image-to-text", "a.png"),
        ("再来一次", "", DESCRIBED, "image-to-text", "a.png"),
        ("もう一度", "", DESCRIBED, "image-to-text", "a.png"),
        ("try again", "", SKETCHED, "image-to-image", "a.png"),
        ("do the same with this one", "b.png", SKETCHED, "image-to-image", "b.png"),
        ("dasselbe mit diesem", "b.png", DESCRIBED, "image-to-text", "b.png"),
        ("pareil pour celle-ci", "b.png", DESCRIBED, "image-to-text", "b.png"),
        ("lo mismo con esta", "b.png", DESCRIBED, "image-to-text", "b.png"),
        ("这张也一样", "b.png", SKETCHED, "image-to-image", "b.png"),
        ("これも同じように", "b.png", SKETCHED, "image-to-image", "b.png"),
        ("¿y esta?", "b.png", DESCRIBED, "image-to-text", "b.png"),
        ("これは？", "b.png", DESCRIBED, "image-to-text", "b.png"),
        ("no, I meant the blue one", "", BOTH, "image-to-text", "blue.png"),
        ("and the second one?", "", BOTH, "image-to-text", "red.png"),
        ("不对，第二张", "", BOTH, "image-to-text", "red.png"),
        ("no, make the second one brighter", "", BOTH, "image-to-image", "red.png"),
    ],
)
def test_an_earlier_request_is_taken_up_with_what_is_new(
    text: str, sent: str, before: tuple[tuple[Person, str, str], ...], kind: str, meant: str
) -> None:
    made = tasks(view(scene(text, sent, *before)))

    assert not isinstance(made, LocalizedText)
    assert taken(made) == [meant]
    assert [task.kind.name for task in made] == [kind]


@pytest.mark.parametrize(
    "text", ["in Spanish instead", "nein, ins Spanische", "いや、スペイン語で"]
)
def test_another_language_is_for_what_was_given_and_not_for_its_translation(text: str) -> None:
    made = tasks(view(scene(text, "", *TRANSLATED)))

    assert not isinstance(made, LocalizedText)
    assert made[0].args == {"text": (Text("good morning"),), "language": (Text("es"),)}


@pytest.mark.parametrize(
    ("text", "before", "kind", "meant"),
    [
        ("what about the other one?", BOTH, "image-to-text", "blue.png"),
        ("und das andere?", BOTH, "image-to-text", "blue.png"),
    ],
)
def test_the_last_request_is_repeated_with_what_is_different(
    text: str, before: tuple[tuple[Person, str, str], ...], kind: str, meant: str
) -> None:
    made = tasks(view(scene(text, "", *before)))

    assert taken(made)[-1:] == [meant]
    assert not isinstance(made, LocalizedText)
    assert [task.kind.name for task in made][-1:] == [kind]


@pytest.mark.parametrize("text", ["", "here you go", "voilà", "给"])
def test_a_file_that_was_asked_for_goes_with_the_request_that_lacked_it(text: str) -> None:
    asked = LocalizedText("planner-lacks-file", {"type": "document"})
    before = ((ANN, "summarize the pdf", ""), (BOT, asked, ""))

    made = tasks(view(scene(text, "report.pdf", *before)))

    assert taken(made) == ["report.pdf"]


@pytest.mark.parametrize(
    ("text", "sent"),
    [("same problem here", "b.png"), ("no", ""), ("thanks", ""), ("", "b.png"), ("ok", "")],
)
def test_other_words_are_taken_for_what_they_are(text: str, sent: str) -> None:
    asked = scene(text, sent, *DESCRIBED)

    seen = view(asked)

    assert seen.text == text


def test_which_of_several_others_is_meant_is_asked() -> None:
    before = ((ANN, "describe the first one", "a.png b.png c.png"), (BOT, "A house.", ""))

    made = tasks(view(scene("what about the other one?", "", *before)))

    names = "b.png (image 2), c.png (image 3)"
    assert made == LocalizedText("planner-which", {"names": names})


@pytest.mark.parametrize(
    ("text", "meant"),
    [("the second one", "b.png"), ("c.png", "c.png"), ("image 3", "c.png"), ("第二张", "b.png")],
)
def test_who_is_asked_which_one_only_says_which(text: str, meant: str) -> None:
    before = ((ANN, "describe the first one", "a.png b.png c.png"), (BOT, "A house.", ""))
    asked = LocalizedText("planner-which", {"names": "b.png (image 2), c.png (image 3)"})

    again = (*before, (ANN, "what about the other one?", ""), (BOT, asked, ""))

    assert taken(tasks(view(scene(text, "", *again)))) == [meant]


@pytest.mark.parametrize("text", ["undo", "undo that please", "rückgängig", "撤销"])
def test_what_was_done_is_still_there(text: str) -> None:
    assert tasks(view(scene(text, "", *SKETCHED))) == LocalizedText("planner-undo")


def test_after_undo_a_file_is_named_to_go_on_from_and_nothing_is_repeated() -> None:
    turns = (*SKETCHED, (ANN, "undo", ""), (BOT, LocalizedText("planner-undo"), ""))

    named = tasks(view(scene("the original", "", *turns)))
    changed = tasks(view(scene("the original in sepia", "", *turns)))

    assert named == LocalizedText("planner-empty-with-files")
    assert not isinstance(changed, LocalizedText)
    assert changed[0].args["text"] == (Text("the original in sepia"),)


def test_the_name_of_the_only_file_is_not_a_choice_among_files() -> None:
    before = ((ANN, "what is the total?", "invoice.pdf"), (BOT, "169.80", ""))

    made = tasks(view(scene("invoice number?", "", *before)))

    assert not isinstance(made, LocalizedText)
    assert made[0].args["question"] == (Text("invoice number?"),)


def test_a_question_about_a_table_brings_those_before_it() -> None:
    before = ((ANN, "total revenue?", "sales.csv"), (BOT, "1,118", ""))

    made = tasks(view(scene("and in March?", "", *before)))

    assert not isinstance(made, LocalizedText)
    assert made[0].args["question"] == (Text("total revenue?\n\n"), Text("and in March?"))
