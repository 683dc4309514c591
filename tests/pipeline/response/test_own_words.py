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
    DRAW,
    FILES,
    FIND,
    GONE,
    HEAR,
    MOOD,
    OTHER,
    PICTURE,
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
DOG = ((CAPTION, done("blip", text=Text("a brown dog lying on a red sofa next to a window"))),)
FOUND = ((FIND, done("detr", boxes=boxes(car=2, truck=1, dog=1))),)
BREED = classes(CLASSIFY, golden_retriever=0.9, cocker_spaniel=0.05)
DUE = found(BILL, "due 2026-03-15")
SIGN = found(READ, "NO PARKING MON-SAT")
CALLED = found(HEAR, "we shipped it on Tuesday, says Lucie, and Wien is next on the ninth of July")
COUNTED = ((FIND, done("detr", boxes=boxes(person=3))), (ASK, done("vqa", text=Text("5"))))
SEEN: tuple[tuple[str, Steps, tuple[str, ...]], ...] = (
    (
        "a sum of money",
        TOTAL,
        (
            "You have to pay 1,248 euros and 50 cents.",
            "It is 1,248.50 EUR, roughly 1,250 euros. I can make 2 or 3 tables of it, if you like.",
            "1.248,50 EUR, das sind rund 1.250 Euro.",
            "You owe about 1,250 EUR. Topics: 1) the total 2) the bill 3) the rest.",
        ),
    ),
    (
        "prices",
        PRICES,
        (
            "Rose with breakfast is 93 EUR, 36 EUR less than 129. Adler costs 45 EUR more than Rose without.",
        ),
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
        ("Three stars, perhaps four; the model isn't very certain.", "3 out of 5 stars, perhaps."),
    ),
    (
        "things and colours",
        DOG,
        (
            "A puppy or a dog with brown fur on a red couch; I don't see other animals such as cats.",
            "Ein brauner Hund liegt auf dem roten Sofa. Andere Tiere, etwa Katzen, sehe ich nicht.",
            "Un chien brun est en train de dormir sur un canapé rouge ; il n'y a pas de chat.",
            "Un perro marrón en un sofá rojo, sin gatos.",
            "红色沙发上有一只棕色的狗，没有猫。",
            "赤いソファーに茶色の犬がいます。猫はいません。",
            "A brown dog on a red sofa. Would you like me to look for cats, too?",
        ),
    ),
    (
        "things that were counted",
        FOUND,
        (
            "2 cars, a truck and a dog: the truck, 25 % of all, is large.",
            "Zwei Autos, ein Lastwagen, ein Hund.",
            "車ではなく自動車が2台です。",
        ),
    ),
    ("one of its kind", BREED, ("Golden retrievers are dogs, and this dog is one of them.",)),
    (
        "dates",
        DUE,
        ("Due on 15.03.2026, a Sunday.", "It is due on March 15th, 2026.", "Le 15 mars 2026."),
    ),
    ("days between days", SIGN, ("No parking on Mondays or Fridays; you may on Sundays.",)),
    (
        "names in another form",
        CALLED,
        ("Lucie says that they shipped it on Tuesday; Vienna is next, on 9 July.",),
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
    ("another minute", found(HEAR, "at 10:45"), "At 11:45.", "11:45 (?)"),
    (
        "a score in a sentence",
        ((FIND, done("detr", boxes=boxes(horse=1))),),
        "The horse was found with 97 %.",
        "97 % (?)",
    ),
    (
        "two for one",
        ((DRAW, done("flux", image=PICTURE)),),
        "Here are both pictures.",
        "both pictures (?)",
    ),
    (
        "one and another",
        ((DRAW, done("flux", image=PICTURE)),),
        "Hier sind das Schiff und das Video.",
        "das Video (?)",
    ),
    ("dozens", DOG, "There are dozens of dogs.", "dozens of (?)"),
    ("a half in one sign", TOTAL, "It is ½ of the budget.", "½ (?)"),
    ("a model with its version", DOG, "A brown dog, says the model Florence-2.", "Florence-2 (?)"),
    ("a name in a heading", DOG, "**Charlie** lies on a red sofa.", "Charlie (?)"),
    (
        "the other of two pictures",
        (
            (task(0, "text-to-image", text="a fox"), done("sd", image=PICTURE)),
            (task(1, "text-to-image", text="a bear"), BUSY),
        ),
        "Here is the fox. Here is your bear.",
        "your bear (?)",
    ),
    ("no offer", TOTAL, "It has 7 pages. I can count them, if you like.", "7 (?) pages"),
    ("in Chinese signs", NOON, "会议共三十五人。", "三十五 (?)"),
    (
        "one of two failures",
        ((CAPTION, BUSY), (SECOND, SLOW)),
        "The first picture could not be described.",
        "Describing a picture (image 2) did not work: It took longer",
    ),
    (
        "a failure of something else",
        ((CAPTION, BUSY), (LOOK, BUSY)),
        "Unfortunately the picture could not be described.",
        "Finding things in a picture did not work",
    ),
    *(
        (text, DOG, text, f"{text.split()[1]} (?)")
        for text in ("A cat lies on a red sofa.", "Un chat sur un canapé.", "Un gato en un sofá.")
    ),
    ("a colour", DOG, "A brown dog on a green sofa.", "green (?)"),
    ("a colour in German", DOG, "Ein schwarzer Hund auf dem roten Sofa.", "schwarzer (?)"),
    ("in Chinese", DOG, "沙发上有一只猫。", "猫 (?)"),
    ("in Japanese", DOG, "猫がソファーにいます。", "猫 (?)"),
    ("not this but that", DOG, "It is not a dog but a cat.", "cat (?)"),
    ("a count in German", FOUND, "Es sind 2 Autos und 2 Lastwagen.", "2 (?) Lastwagen"),
    ("a count in Japanese", FOUND, "犬が三匹います。", "三 (?)匹"),
    ("another breed", BREED, "This is a beagle.", "beagle (?)"),
    ("a lesser label", classes(MOOD, cooking=0.9, sport=0.02), "It is about sport.", "sport (?)"),
    ("before another month", DUE, "Pay before April.", "April (?)"),
    ("another month", DUE, "It is due in April 2026.", "April (?)"),
    ("another date", DUE, "It is due on 03/25/2026.", "03/25/2026 (?)"),
    ("another day", CALLED, "Lucie says that it was shipped on Monday.", "Monday (?)"),
    ("another day in Spanish", found(HEAR, "llego el domingo"), "Llega el lunes.", "lunes (?)"),
    ("another day in Chinese", NOON, "会议改到星期五下午三点。", "星期五 (?)"),
    ("a name in front", DOG, "Charlie lies on a red sofa.", "Charlie (?)"),
    ("a name in front in German", DOG, "Bello liegt auf dem Sofa.", "Bello (?)"),
    ("a place in German", DOG, "Ein Hund auf dem Sofa, in Hamburg.", "Hamburg (?)"),
    ("a name in French", DOG, "Le chien Ouragan est sur le canapé.", "Ouragan (?)"),
    ("a deed", DOG, "A brown dog. I also translated it into French.", "translated (?)"),
    ("a deed in German", DOG, "Ein brauner Hund. Ich habe es dir vorgelesen.", "vorgelesen (?)"),
    ("a deed of nobody", DOG, "A brown dog. I emailed it to you.", "emailed (?)"),
    ("a copy", DOG, "A brown dog. I attached an annotated copy of it.", "annotated copy (?)"),
    (
        "what was not made",
        ((task(0, "text-to-image", text="a dragon at sea"), BUSY),),
        "Here is your dragon!",
        "your dragon (?)",
    ),
    ("certainty", classes(CLASSIFY, mouse=0.3), "A mouse, no doubt.", "not sure about this"),
)


@pytest.mark.parametrize(("name", "steps", "text", "told"), LIES, ids=[name for name, *_ in LIES])
def test_what_only_looks_right_does_not(name: str, steps: Steps, text: str, told: str) -> None:
    assert told in checked(steps, text), name
