"""The parts of the embedded planner: reading, features, weights."""

from importlib.resources import files
from zlib import crc32

import pytest

from adapters.embedded.planner import model
from adapters.embedded.planner.decision import EVERYDAY, WEIGHTS, predictor
from adapters.embedded.planner.extraction import find_labels, find_things
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.tagging import tag
from pipeline.task_kinds import KINDS


def test_the_weights_are_smaller_than_a_megabyte() -> None:
    assert len(files("adapters.embedded.planner").joinpath(WEIGHTS).read_bytes()) <= 1_000_000


def test_the_model_knows_every_kind_of_the_table() -> None:
    known = set(predictor(EVERYDAY).model.kinds)

    assert {*KINDS, model.TALK, model.NONE} == known, "train the weights: benchmarks/planning"


def test_hashes_are_those_of_crc_32() -> None:
    hashes = set(model.document_features(read("hello"), ["0"]).tolist())

    assert crc32(b"whello") % model.CHAR_BIT in hashes
    assert crc32(b"F0") % model.CHAR_BIT in hashes


def test_quotes_and_file_names_are_material_and_no_instruction() -> None:
    reading = read("say \"draw a cat\" and look at 'photo.jpg', notes.pdf")

    words = [word.text for clause in reading.clauses for word in clause]
    assert "draw" not in words
    assert words.count("fimg") == 1
    assert words.count("fdoc") == 1


def test_a_pasted_text_is_material() -> None:
    reading = read("summarize this:\n" + "the committee translated the picture and spoke " * 8)

    assert [word.text for clause in reading.clauses for word in clause][-1] == "qlong"


def test_scripts_without_spaces_are_read_by_the_letter() -> None:
    assert [word.text for clause in read("画猫").clauses for word in clause] == ["画", "猫"]


def test_languages_and_places_are_known_in_other_languages() -> None:
    assert tag("y ahora en francés").find_language()[0] == "fr"
    assert tag("翻译成英文").find_language()[0] == "en"
    assert tag("auf Italienisch bitte").find_language()[0] == "it"


def test_labels_are_found() -> None:
    assert find_labels(tag("label this either 'damaged', 'ok' or 'unclear'")) == (
        "damaged",
        "ok",
        "unclear",
    )
    assert find_labels(tag("billing, bug or feature request?")) == (
        "billing",
        "bug",
        "feature request",
    )
    assert find_labels(tag("is this about sports, politics or music")) == (
        "sports",
        "politics",
        "music",
    )
    assert find_labels(tag("这是猫、狗还是狐狸？")) == ("猫", "狗", "狐狸")  # noqa: RUF001
    assert find_labels(tag("これは猫、犬、それとも狐？")) == ("猫", "犬", "狐")  # noqa: RUF001
    assert find_labels(tag("does this show a bus, a tram or a train?")) == ("bus", "tram", "train")
    assert find_labels(tag("does the salad look fresh, ok or dead")) == ("fresh", "ok", "dead")
    assert find_labels(tag("classify as spam, ham, other")) == ("spam", "ham", "other")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("markiere alle Autos", "Autos"),
        ("Wie viele Leute stehen da an der Kasse?", "Leute"),
        ("zähl mal die Schafe", "Schafe"),
        ("Leute in der Halle zählen", "Leute"),
        ("put a box around each bicycle", "bicycle"),
        ("where are the traffic lights?", "traffic lights"),
        ("dónde están mis gafas verdes", "gafas verdes"),
        ("数一下有几个人", "人"),
        ("detect everything in this frame, boxes and labels", ""),
        ("headcount please", ""),
        ("how many of them are there actually", ""),
    ],
)
def test_things_are_found_without_the_words_around_them(text: str, found: str) -> None:
    assert find_things(tag(text)) == ((found,) if found else ())


@pytest.mark.parametrize("piece", ["a / ", "a, ", "a b c d, ", "a or "])
def test_endless_lists_are_looked_at_in_no_time(piece: str) -> None:
    """Without an end to a label, the ways to part these double with each one."""
    assert len(find_labels(tag(f"is this a cat or a dog? {piece * 10_000}"))) > 1
