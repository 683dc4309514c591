"""Plain answers keep what an expert found apart from what is said of it, and do not call it a breakdown that nothing was there."""

from dataclasses import replace

import pytest

from pipeline.domain import Failed, Media, Number, Outcome, Plan, Sentence, Task, Text
from pipeline.response import check
from pipeline.response.plain import plain_answer, results_of
from tests.pipeline.planning.builders import ANNA, request
from tests.pipeline.response.recorded import BILL, FILES, HEAR, OTHER, SCAN, done, image, task

READ = image("optical-character-recognition")
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
        (READ, "embedded-no-text", "Reading the text in a picture: No text was found in it."),
        (HEAR, "embedded-nothing-heard", "No speech was understood in it."),
        (BILL, "embedded-no-answer", "Nothing in the text fits the question."),
    ],
)
def test_that_nothing_was_there_is_no_breakdown(step: Task, reason: str, words: str) -> None:
    told = plain((step, Failed(Sentence(reason))))

    assert words in told
    assert "did not work" not in told


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
