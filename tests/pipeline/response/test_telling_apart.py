"""Plain answers keep what an expert found apart from what is said of it, and do not call it a breakdown that nothing was there."""

from dataclasses import replace

import pytest

from pipeline.domain import Failed, Media, Number, Outcome, Plan, Sentence, Task, Text
from pipeline.response import check
from pipeline.response.plain import plain_answer, results_of
from tests.pipeline.planning.builders import ANNA, request
from tests.pipeline.response.recorded import (
    BILL,
    BUSY,
    CAPTION,
    ENDED,
    FILES,
    FIND,
    HEAR,
    OTHER,
    SCAN,
    TALK,
    boxes,
    done,
    image,
    labels,
    spans,
    task,
)

READ = image("optical-character-recognition")
CLASS = image("image-classification", number=1)
NOTHING = Failed(Sentence("embedded-no-text"))


def plain(*steps: tuple[Task, Outcome], locale: str = "en") -> str:
    asked = replace(request("what does it say?", *FILES), person=replace(ANNA, locale=locale))
    plan = Plan(tuple(step for step, _ in steps))
    return "\n\n".join(plain_answer(asked, plan, {step.id: one for step, one in steps}))


@pytest.mark.parametrize("said", ["and so it goes", "First line\nSecond line"])
def test_how_sure_a_transcript_is_does_not_stand_in_its_line(said: str) -> None:
    told = plain((READ, done("ocr", text=Text(said, 0.99))))

    assert told.startswith(f"{said}\n\nI am very sure of that.\n\nI used ")
    assert results_of(told, "en") == said


def test_what_is_said_of_results_beside_others_is_none_of_them() -> None:
    other = image("optical-character-recognition", Media(OTHER.attachment), 1)
    one = done(
        "ocr", "Text recognised with 99 % certainty.\nMuch of it is small.", text=Text("Halt", 0.99)
    )
    two = done("ocr", "Text recognised with 70 % certainty.", text=Text("Stop", 0.7))

    told = plain((READ, one), (other, two))

    assert "_Text recognised with 99 % certainty._\n_Much of it is small._" in told
    assert results_of(told, "en") == "image 1: Halt\n\nimage 2: Stop"


@pytest.mark.parametrize(
    ("step", "reason", "words"),
    [
        (READ, "embedded-no-text", "No text was found in it."),
        (HEAR, "embedded-nothing-heard", "No speech was understood in it."),
        (BILL, "embedded-no-answer", "Nothing in the text fits the question."),
    ],
)
def test_that_nothing_was_there_is_no_breakdown(step: Task, reason: str, words: str) -> None:
    told = plain((step, Failed(Sentence(reason))))

    assert told == words
    assert f": {words}" in plain((step, Failed(Sentence(reason))), (CLASS, ENDED))


def test_an_answer_that_says_so_in_its_own_words_says_it_once() -> None:
    def checked(text: str) -> str:
        return check(text, request("?", *FILES), Plan((READ,)), {READ.id: NOTHING}).text

    assert checked("There is no text in this picture.") == "There is no text in this picture."
    assert "No text was found" in checked("It says Hello.")


def test_places_are_named_in_the_readers_language() -> None:
    speak = task(0, "document-to-text", document=Media(SCAN.attachment))

    told = plain((speak, done("pdf", text=Text("Guten Tag"))), locale="de")

    assert "(gehostet)" in told


@pytest.mark.parametrize(
    "question", ["What is the total?", "what is the total", "What's the total ?"]
)
def test_a_question_is_a_question_without_its_mark(question: str) -> None:
    step = task(
        0, "document-question-answering", document=Media(SCAN.attachment), question=question
    )

    assert plain((step, done("doc", text=Text("£573.00", 0.9)))).startswith("The total is £573.00.")


def test_likeness_is_a_sentence() -> None:
    step = task(0, "sentence-similarity", text="a", sentences="b")

    assert plain((step, done("sbert", number=Number(0.336)))).startswith("They are 34 % alike.")


@pytest.mark.parametrize("locale", ["en", "de", "es", "fr", "ja", "zh"])
@pytest.mark.parametrize(
    "reason",
    [
        Sentence("not-possible-here", {"kind": "token-classification", "enabled_by": "HF_TOKEN"}),
        Sentence("not-possible-nobody", {"kind": "token-classification"}),
        Sentence("task-too-long", {"seconds": 30}),
    ],
)
def test_what_went_wrong_is_not_worked_on_as_if_it_were_a_result(
    locale: str, reason: Sentence
) -> None:
    other = image("token-classification", number=1)

    told = plain(
        (READ, done("ocr", text=Text("Halt", 0.99))), (other, Failed(reason)), locale=locale
    )

    assert len(told.split("\n\n")) > 2
    assert results_of(told, locale) == "Halt"


def test_nor_is_what_went_wrong_with_one_of_several() -> None:
    both = task(0, "text-to-image", text="a fox"), task(1, "text-to-image", text="a bear")

    look = image("image-classification", number=2)

    told = plain((both[0], BUSY), (both[1], BUSY), (look, done("vit", labels=labels(cat=0.9))))

    assert results_of(told, "en") == "Most likely cat."


def test_tasks_of_a_kind_that_failed_are_told_apart() -> None:
    other = image("image-to-text", Media(OTHER.attachment), 1)
    first, second = (task(at, "text-to-image", text=one) for at, one in enumerate(("a fox", "it")))

    assert plain((CAPTION, BUSY), (other, BUSY)).count("did not work") == 2
    assert "Describing a picture (image 2) did not work" in plain(
        (CAPTION, done("blip", text=Text("a cat"))), (other, BUSY)
    )
    assert "Making a picture from words (a fox) did not work" in plain(
        (first, BUSY), (second, BUSY)
    )


def test_two_questions_about_a_file_are_told_apart_and_so_are_two_models() -> None:
    ask = task(1, "document-question-answering", document=Media(SCAN.attachment), question="VAT?")
    one, other = done("doc", text=Text("12.00")), done("doc", text=Text("2.00"))
    seen = done("vit", labels=labels(cat=0.9)), done("resnet", labels=labels(cat=0.8))

    assert "**VAT?**: 2.00" in plain((BILL, one), (ask, other))
    assert "**acme/resnet**: " in plain((image("image-classification"), seen[0]), (CLASS, seen[1]))


@pytest.mark.parametrize(
    ("locale", "counted", "classed"),
    [
        ("en", "2 cats and 1 car", "Most likely fox"),
        ("de", "2 × Katze und 1 × Auto", "Fuchs"),
        ("fr", "2 × chat et 1 × voiture", "renard"),
        ("es", "2 × gato y 1 × coche", "zorro"),
        ("zh", "2 × 猫和1 × 汽车", "狐狸"),
        ("ja", "2 × 猫、1 × 自動車", "キツネ"),
    ],
)
def test_what_was_found_is_called_by_its_name_in_the_persons_language(
    locale: str, counted: str, classed: str
) -> None:
    assert counted in plain((FIND, done("detr", boxes=boxes(cat=2, car=1))), locale=locale)
    assert classed in plain((CLASS, done("vit", labels=labels(fox=0.9))), locale=locale)


def test_labels_that_are_short_for_something_are_written_out() -> None:
    feel = task(0, "audio-classification", audio=Media(TALK.attachment))
    names = task(0, "token-classification", text="Ann in Rome")

    assert "Most likely angry." in plain((feel, done("ser", labels=labels(ang=0.9))))
    assert plain((names, done("ner", spans=spans(Ann="PER", Rome="LOC")))).startswith(
        "Ann (person), Rome (place)"
    )
