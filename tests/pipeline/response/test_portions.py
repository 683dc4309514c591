"""Shares in words: those that the record holds are left alone, in any language, those that nobody counted are marked."""

# ruff: noqa: RUF001 - words of many languages

import pytest

from pipeline.domain import Media, Outcome, Plan, Task, Text, Value
from pipeline.response import check
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import (
    CAPTION,
    FILES,
    FIND,
    HEAR,
    MOOD,
    OTHER,
    boxes,
    done,
    image,
    labels,
)

CROWD = Text("people on a beach")
SALES = Text("We sold 420 chairs in June, 210 of them in red.")
TABLE = Text("three cats, one of them black")
LONG = Text("Anna liked it a lot, and so did Bob, but Carl was not content with it. " * 8)


def checked(task: Task, value: Value, text: str, *more: tuple[Task, Outcome]) -> str:
    steps = ((task, done("acme/x", found=value)), *more)
    plan = Plan(tuple(step for step, _ in steps))
    outcomes = {step.id: outcome for step, outcome in steps}
    return check(text, request("what is it?", *FILES), plan, outcomes).text


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Half of the people are smiling.", "Half (?)"),
        ("About half the people are smiling.", "half (?)"),
        ("There are people; roughly half are children.", "half (?)"),
        ("Three quarters of the people wear hats.", "Three quarters (?)"),
        ("Two thirds are women, a third of them old.", "Two thirds (?) are"),
        ("Most of the people are smiling.", "Most of the (?)"),
        ("The vast majority of them wear hats.", "majority (?)"),
        ("Die Hälfte der Leute lächelt.", "Hälfte (?)"),
        ("Zwei Drittel der Leute lächeln.", "Zwei Drittel (?)"),
        ("Ein Viertel der Menschen trägt Hüte.", "Ein Viertel (?)"),
        ("Die meisten Leute lächeln.", "Die meisten Leute (?)"),
        ("La moitié des gens sourient, les trois quarts sont debout.", "trois quarts (?)"),
        ("La plupart des gens sourient.", "La plupart des (?)"),
        ("La mitad de la gente sonríe, y dos tercios llevan gorro.", "dos tercios (?)"),
        ("La mayoría de la gente sonríe.", "La mayoría (?)"),
        ("Due terzi delle persone sorridono.", "Due terzi (?)"),
        ("A metade das pessoas sorri.", "A metade (?)"),
        ("De helft van de mensen lacht.", "De helft (?)"),
        ("一半的人在微笑，三分之二的人戴着帽子。", "三分之二 (?)"),
        ("人々の半分が笑っています。", "半分 (?)"),
    ],
)
def test_a_share_that_nobody_counted_is_marked(text: str, marked: str) -> None:
    assert marked in checked(CAPTION, CROWD, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Text("half of the people are smiling"), "Die Hälfte der Leute lächelt."),
        (Text("die Hälfte der Leute lächelt"), "Half of the people are smiling."),
        (Text("a half eaten sandwich"), "Half of the sandwich is eaten."),
        (Text("two thirds of the seats are empty"), "Zwei Drittel der Plätze sind leer."),
        (Text("66 % of the seats are empty"), "Two thirds of the seats are empty."),
        (Text("75 % voted yes"), "Three quarters voted yes, so the majority did."),
        (Text("¾ of the cake is left"), "Three quarters of the cake are left."),
        (Text("1/4 of the cake is left"), "Ein Viertel des Kuchens ist übrig."),
        (Text("most people wear hats"), "La plupart des gens portent un chapeau."),
        (boxes(cat=2, dog=2), "Half of the animals are cats."),
        (boxes(cat=3, dog=1), "Three quarters are cats: most of them, 3."),
        (boxes(person=4, hat=2), "Half of the people may wear a hat."),
        (boxes(person=4, hat=3), "Die Mehrheit der Leute trägt einen Hut."),
        (labels(positive=0.66), "It is positive; the model is two thirds sure."),
        (boxes(person=4, car=2, dog=1), "More than half of them are people."),
        (
            boxes(person=4, car=2, dog=1),
            "Mehr als die Hälfte sind Leute; weniger als ein Drittel von allem sind Autos.",
        ),
        (boxes(cat=9, dog=11), "Almost half of the animals are cats."),
        (labels(beagle=0.75, corgi=0.2), "A beagle; there is a one in five chance of a corgi."),
        (SALES, "Half of the chairs were red."),
        (SALES, "Die Hälfte der Stühle war rot."),
        (TABLE, "A third of the cats are black."),
        (TABLE, "Un tercio de los gatos son negros."),
        (LONG, "Most people liked it."),
        (CROWD, "The first half of the recording is about them; most of the text is in English."),
        (CROWD, "In the left half of the picture there are people, some half hidden."),
        (CROWD, "A third person, the third quarter of the year, a quarter of an hour, at most."),
        (CROWD, "Most likely a beach, with the most people. That took half the time."),
        (CROWD, "In der linken Hälfte sind Leute, im ersten Drittel des Films auch."),
        (CROWD, "Am Strand ist ein Viertel der Stadt."),
        (CROWD, "Das Team hat die meisten Stimmen. À gauche, la première moitié de la plage."),
        (CROWD, "Dans la moitié gauche, des gens ; il y a un quart d'heure."),
    ],
)
def test_a_share_that_follows_from_the_record_is_left_alone(value: Value, text: str) -> None:
    task = HEAR if value in (SALES, LONG) else CAPTION
    task = FIND if not isinstance(value, Text) else task

    assert "(?)" not in checked(task, value, text)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Less than half of them are cats.", "half (?)"),
        ("More than three quarters are cats.", "three quarters (?)"),
        ("Weniger als die Hälfte sind Katzen (cat).", "Hälfte (?)"),
        ("One in nine is a dog.", "nine (?)"),
    ],
)
def test_more_or_less_than_a_share_is_compared_as_such(text: str, marked: str) -> None:
    assert marked in checked(FIND, boxes(cat=3, dog=2), text)


def test_a_share_of_a_thing_is_not_its_share_in_all() -> None:
    """Three of four things are people; nothing says how many of the people smile."""
    found = boxes(person=3, dog=1)

    assert "Three quarters are people." in checked(FIND, found, "Three quarters are people.")
    assert "quarters (?)" in checked(FIND, found, "Three quarters of the people are smiling.")


def test_a_share_of_several_pictures_is_counted_by_whoever_looked_at_them() -> None:
    other = image("image-to-text", Media(OTHER.attachment), 1)
    more = (other, done("blip", text=Text("a dog")))
    text = "Half of the pictures show a dog."

    assert checked(CAPTION, Text("a cat"), text, more) == text
    assert "Half (?)" in checked(CAPTION, Text("a cat"), "Half of the cats are dogs.", more)


def test_a_mood_is_no_share() -> None:
    assert "(?)" not in checked(MOOD, labels(joy=0.9), "Joy, mostly.")
