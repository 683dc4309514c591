"""Which of several files is meant: by their places, by their names, by what they are."""

from collections.abc import Sequence

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.references import find_places
from adapters.embedded.planner.tagging import tag
from adapters.embedded.planner.view import view
from tests.adapters.embedded.planner.builders import ANN, BOT, scene, taken


@pytest.mark.parametrize(
    ("said", "count", "places"),
    [
        ("the second one", 3, (1,)),
        ("the last two", 4, (2, 3)),
        ("die letzten beiden", 3, (1, 2)),
        ("das erste und das dritte Bild", 3, (0, 2)),
        ("les deux dernières", 3, (1, 2)),
        ("las dos últimas", 3, (1, 2)),
        ("最后两张", 3, (1, 2)),
        ("第一张和第三张", 3, (0, 2)),
        ("最後の2枚", 3, (1, 2)),
        ("1枚目", 3, (0,)),
        ("the fourth picture", 2, (3,)),
        ("cut the first 10 seconds", 3, ()),
        ("a 30 second clip", 3, ()),
        ("a picture of my son", 3, ()),
        ("the last page", 3, ()),
    ],
)
def test_places_are_read_in_many_languages(said: str, count: int, places: Sequence[int]) -> None:
    assert find_places(tag(said), count) == places


@pytest.mark.parametrize(
    ("text", "sent", "meant"),
    [
        ("describe the last two", "a.jpg b.jpg c.jpg", "b.jpg c.jpg"),
        ("transcribe the first two", "a.ogg b.ogg c.ogg", "a.ogg b.ogg"),
        ("describe the fourth picture", "a.jpg b.jpg", ""),
        ("describe pics 2 and 3", "a.jpg b.jpg c.jpg d.jpg", "b.jpg c.jpg"),
        ("describe #2", "a.jpg b.jpg c.jpg", "b.jpg"),
        ("describe image 5", "a.jpg b.jpg", ""),
        ("resize image 1024x768", "a.jpg b.jpg", "a.jpg b.jpg"),
        ("describe team photo", "Team-Photo.jpg logo.png", "Team-Photo.jpg"),
        ("describe the cat picture", "cat.png dog.png", "cat.png"),
        ("describe sunset.png", "sunset.jpg mountain.jpg", "sunset.jpg"),
        ("übersetze angebot.docx ins Englische", "angebot.docx preise.docx", "angebot.docx"),
        ("what is the total of the april bill?", "march_bill.pdf april_bill.pdf", "april_bill.pdf"),
        ("describe cat.png and dog.png", "cat.png cow.png dog.png", "cat.png dog.png"),
        ("convert the video to gif", "clip.mp4 thumb.png", "clip.mp4"),
        ("描述cat.png", "cat.png dog.png", "cat.png"),
        ("契約書.pdfを要約して", "請求書.pdf 契約書.pdf", "契約書.pdf"),
    ],
)
def test_of_the_files_that_were_sent_those_are_taken_that_are_meant(
    text: str, sent: str, meant: str
) -> None:
    made = tasks(view(scene(text, sent)))

    assert (taken(made) if meant else []) == meant.split()


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("now make the original black and white", "b.png"),
        ("und jetzt das Original in Schwarzweiß", "b.png"),
        ("把原图变成黑白", "b.png"),
        ("crop the second one to a square", "y.png"),
        ("make them brighter", "x.png y.png"),
        ("make all of them brighter", "x.png y.png"),
        ("make it brighter", "y.png"),
        ("make b.png brighter", "b.png"),
        ("make image 1 brighter", "a.png"),
    ],
)
def test_what_came_last_in_a_thread_is_counted_by_itself(text: str, meant: str) -> None:
    before = ((ANN, "two sketches please", "a.png b.png"), (BOT, "I made two.", "x.png y.png"))

    assert taken(tasks(view(scene(text, "", *before)))) == meant.split()


def test_a_result_is_not_meant_by_the_words_that_it_was_made_with() -> None:
    turns = (ANN, "make it sepia", "zebra.png"), (BOT, "Here.", "zebra-sepia.png")
    dog = (ANN, "", "dog.png")

    assert taken(tasks(view(scene("make it sepia", "", *turns, dog)))) == ["dog.png"]
    assert taken(tasks(view(scene("describe zebra-sepia.png", "", *turns, dog)))) == [
        "zebra-sepia.png"
    ]
