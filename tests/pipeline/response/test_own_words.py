"""Answers in a good model's own words: rounded, worked out, turned into other units, told shorter; nothing in them is marked or told twice."""

# ruff: noqa: RUF001 - words of many languages

from dataclasses import replace

import pytest

from pipeline.domain import Failed, Label, Labels, Media, Outcome, Plan, Sentence, Task, Text, Turn
from pipeline.response import check
from tests.pipeline.planning.builders import ANNA, request
from tests.pipeline.response.recorded import (
    BILL,
    BUSY,
    CAPTION,
    CLASSIFY,
    FILES,
    FIND,
    GONE,
    HEAR,
    MOOD,
    OTHER,
    SLOW,
    boxes,
    done,
    image,
    of,
    task,
)

Steps = tuple[tuple[Task, Outcome], ...]

READ = image("optical-character-recognition")
ASK = image("visual-question-answering", number=1, question="how many?")
SECOND = image("image-to-text", Media(OTHER.attachment), 1)
LOOK = image("object-detection", number=1)
GERMAN = task(1, "translation", text=of(0, "text"), language="German")
ALOUD = task(2, "text-to-speech", text=of(1, "text"))
DOWN = Failed(Sentence("expert-broken", {"model": "openai/whisper-large-v3", "status": 503}))


def found(step: Task, text: str) -> Steps:
    return ((step, done("acme/x", text=Text(text, 0.97))),)


def classes(step: Task, **scores: float) -> Steps:
    items = tuple(Label(label.replace("_", " "), score) for label, score in scores.items())
    return ((step, done("acme/x", labels=Labels(items))),)


TOTAL = found(BILL, "1,248.50 EUR")
PRICES = found(READ, "Adler 129 EUR per night, Rose 84 EUR per night, breakfast 9 EUR")
CLOCK = found(HEAR, "It opens at half past eight and closes at six, 10 minutes later on Mondays.")
PALLETS = found(HEAR, "240 pallets in the north hall and 60 in the south hall, 18,400 in a year")
NOON = found(HEAR, "会议改到星期三下午三点，地点是二楼的会议室，共二十五人。")
HUNDREDS = found(HEAR, "deux cent quarante chaises, dreihundertzwölf Tische")
COUNTED = ((FIND, done("detr", boxes=boxes(person=3))), (ASK, done("vqa", text=Text("5"))))
SEEN: tuple[tuple[str, Steps, tuple[str, ...]], ...] = (
    (
        "a sum of money",
        TOTAL,
        (
            "You have to pay 1,248 euros and 50 cents.",
            "It is 1,248.50 EUR, roughly 1,250 euros. I can make 2 or 3 tables of it, if you like.",
            "1.248,50 EUR, das sind rund 1.250 Euro.",
        ),
    ),
    (
        "prices",
        PRICES,
        ("Rose: even with breakfast it is 93 EUR. Adler costs 45 EUR more than Rose without.",),
    ),
    (
        "times of day",
        CLOCK,
        ("It opens at 8:30 and closes at 18:00 (6 pm), 600 seconds later on Mondays.",),
    ),
    (
        "numbers of things",
        PALLETS,
        (
            "There are three hundred pallets: 240 and 60, so 80 % are in the north hall.",
            "About 18 thousand a year, 18.4 thousand to be exact.",
        ),
    ),
    ("Chinese signs", NOON, ("会议改到周三下午3点，在2楼，一共25人。",)),
    ("hundreds in words", HUNDREDS, ("There are 240 chairs and 312 tables.",)),
    (
        "shares of several",
        classes(MOOD, positive=0.62, neutral=0.27, negative=0.11),
        ("Mixed: 62% positive, 27% neutral and 11% negative.", "Positive, six times out of ten."),
    ),
    (
        "a label in part or in other words",
        classes(CLASSIFY, playing_tennis=0.9, playing_badminton=0.05),
        ("It is a tennis match.",),
    ),
    ("a short label", classes(CLASSIFY, ang=0.9, neu=0.1), ("The speaker sounds angry.",)),
    (
        "a label with a number",
        classes(MOOD, **{"3_stars": 0.51, "4_stars": 0.38}),
        ("Three stars, perhaps four; the model isn't very certain.",),
    ),
    ("two counts", COUNTED, ("Either three or five: one model found three, the other says five.",)),
    (
        "what nobody could do",
        ((CAPTION, DOWN), (GERMAN, GONE), (ALOUD, GONE)),
        (
            "The picture can't be described now, so the text was neither translated nor read aloud.",
            "None of it worked: there is no description of the picture, no translation and no recording.",
        ),
    ),
    (
        "counting that failed",
        ((CAPTION, done("blip", text=Text("a crowd"))), (LOOK, SLOW)),
        ("A crowd. Counting the people took more than two minutes and was given up.",),
    ),
    ("hearing that failed", ((HEAR, DOWN),), ("Whisper-large-v3 broke down (503), so it failed.",)),
)


def checked(steps: Steps, text: str, *said: str) -> str:
    asked = request("what is it?", *FILES)
    turns = tuple(Turn("t", ANNA, one, (), asked.context.turns[0].at) for one in said)
    asked = replace(asked, context=replace(asked.context, turns=turns))
    plan = Plan(tuple(step for step, _ in steps))
    return check(text, asked, plan, {step.id: outcome for step, outcome in steps}).text


@pytest.mark.parametrize(("name", "steps", "texts"), SEEN, ids=[name for name, *_ in SEEN])
def test_what_is_right_goes_out_as_it_is(name: str, steps: Steps, texts: tuple[str, ...]) -> None:
    assert {checked(steps, text) for text in texts} == set(texts), name


def test_what_people_said_in_the_thread_is_known_but_not_what_was_marked_there() -> None:
    text = "37 people, and 2 buses with 52 seats each have 104 seats, for 820 euros."
    thread = "each bus has 52 seats and costs 410 euros; it takes 99 (?) minutes"

    assert checked(found(ASK, "37"), text, thread) == text
    assert "99 (?)" in checked(found(ASK, "37"), "37, in 99 minutes.", thread)


LIES: tuple[tuple[str, Steps, str, str], ...] = (
    ("a loss", TOTAL, "The total is -1,248.50 EUR.", "-1,248.50 (?)"),
    ("rounded wrongly", TOTAL, "The total is about 1,300 EUR.", "1,300 (?)"),
    ("spelled out", TOTAL, "It is two hundred and forty euros.", "two hundred and forty (?)"),
    ("in one word", TOTAL, "Es sind dreihundertzwölf Euro.", "dreihundertzwölf (?)"),
    ("another sum", PRICES, "Rose is cheaper by 35 EUR.", "35 (?)"),
    ("another hour", CLOCK, "It closes at 7 pm.", "7 (?)"),
    ("another share", PALLETS, "There are 240 and 60, 70 % of them in the north.", "70 % (?)"),
    ("another scale", PALLETS, "About 81 thousand a year.", "81 thousand (?)"),
    (
        "another currency behind a scale",
        found(BILL, "12.4 million pounds"),
        "It costs 12.4 million dollars.",
        "million dollars (?)",
    ),
    ("no offer", TOTAL, "It has 7 pages. I can count them, if you like.", "7 (?) pages"),
    ("in Chinese signs", NOON, "会议共三十五人。", "三十五 (?)"),
    (
        "one of two failures",
        ((CAPTION, BUSY), (SECOND, SLOW)),
        "The first picture could not be described.",
        "Describing a picture did not work: It took longer",
    ),
    (
        "a failure of something else",
        ((CAPTION, BUSY), (LOOK, BUSY)),
        "Unfortunately the picture could not be described.",
        "Finding things in a picture did not work",
    ),
    ("certainty", classes(CLASSIFY, mouse=0.3), "A mouse, no doubt.", "not sure about this"),
)


@pytest.mark.parametrize(("name", "steps", "text", "told"), LIES, ids=[name for name, *_ in LIES])
def test_what_only_looks_right_does_not(name: str, steps: Steps, text: str, told: str) -> None:
    assert told in checked(steps, text), name
