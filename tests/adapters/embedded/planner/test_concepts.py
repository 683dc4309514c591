"""What words mean, in six languages, and the network that is told of it."""

import numpy as np
import pytest

from adapters.embedded.lexicon import fold
from adapters.embedded.planner import model
from adapters.embedded.planner.decision import EVERYDAY, predictor
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.tagging import LONGEST_WORD, find_concepts, tag


def meant(text: str) -> set[str]:
    words = [word.text for clause in read(text).clauses for word in clause]
    return {concept for _, concept in find_concepts(words)}


@pytest.mark.parametrize(
    "text",
    [
        "summarize the recording",
        "fass die Aufnahme zusammen",
        "resume la grabación",
        "résume l'enregistrement",
        "总结一下录音",
        "録音を要約して",
    ],
)
def test_the_same_wish_means_the_same_in_every_language(text: str) -> None:
    assert {"summary", "sound-file"} <= meant(text)


def test_accents_may_be_left_out() -> None:
    assert fold("übersetzé") == "ubersetze"
    assert fold("ががく") == "ががく"
    assert meant("que dice en el vídeo") == meant("qué dice en el video")


def test_words_are_known_by_their_beginning_their_end_and_together() -> None:
    assert "transcribe" in meant("transcribing")
    assert "receipt" in meant("Stromrechnung")
    assert "cut-out" in meant("cut out the dog")
    assert "cut-out" not in meant("cut the dog")


def test_the_longest_run_of_characters_counts() -> None:
    assert "depth" in meant("深度图")
    assert "picture" not in meant("深度图")


def test_the_network_has_a_number_for_every_kind() -> None:
    kinds = predictor(EVERYDAY).model
    assert kinds.network is not None

    for text in ("draw a fox", "", "a" * 4000, "画狐狸 " * 900):
        scores = kinds.network.score(read(text), ["0"])
        assert scores.shape == (len(kinds.kinds),)
        assert np.isfinite(scores).all()


def test_the_beginning_and_the_end_of_a_long_request_are_looked_at() -> None:
    row = model.tokens(read("draw " + "x " * 400 + "loud"))

    assert len(row) == model.MOST_TOKENS
    assert model.key("wdraw") in row[0].keys
    assert model.key("wloud") in row[-1].keys


@pytest.mark.parametrize("letter", ["a", "ﷺ"])
def test_of_a_very_long_word_only_the_beginning_is_looked_at(letter: str) -> None:
    text = letter * 1000

    words = [*tag(text).words, *(word.text for clause in read(text).clauses for word in clause)]

    assert words
    assert all(len(word) <= LONGEST_WORD for word in words)
