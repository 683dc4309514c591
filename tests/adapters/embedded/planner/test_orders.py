"""Links of TaskBench's requests: where kinds are spoken of, and in which order they may run."""

import numpy as np
import pytest

from adapters.embedded.planner import plan_batch_row
from adapters.embedded.planner.linking import surest
from adapters.embedded.planner.model import Scores
from adapters.embedded.planner.orders import chained, sourced
from adapters.embedded.planner.places import Spoken, before

A, B, C = range(3)


def test_a_chain_is_likely_where_each_of_its_links_is() -> None:
    value = np.zeros((3, 3))
    value[A, B] = value[B, C] = 9

    sure = chained(value)

    assert sure[A, B] > 0.99
    assert sure[B, C] > 0.99
    assert sure.sum() == pytest.approx(2)


def test_orders_that_are_alike_share_their_links() -> None:
    sure = chained(np.zeros((3, 3)))

    assert sure[A, B] == pytest.approx(1 / 3)
    assert np.diag(sure).sum() == 0


def test_a_kind_has_one_source_or_none() -> None:
    value = np.array([[0.0, 2.0, 2.0], [0.0, 0.0, 2.0], [-9.0, -9.0, 0.0]])

    sure = sourced(value, (0.0, 0.0))

    assert sure[:, C].sum() < 1
    assert sure[A, C] == pytest.approx(sure[B, C])
    assert sure[A, B] > 0.8
    assert sure[:, A].sum() < 0.6


def test_no_link_closes_a_circle() -> None:
    odds = np.array([[0.0, 0.9, 0.0], [0.0, 0.0, 0.8], [0.7, 0.0, 0.0]], np.float32)

    assert surest(odds, least=0.5, sources=3) == [(A, B), (B, C)]


def test_a_kind_may_have_several_sources_where_that_is_said() -> None:
    odds = np.array([[0, 0, 0.9], [0, 0, 0.8], [0, 0, 0]], np.float32)

    assert surest(odds, least=0.5, sources=3) == [(A, C), (B, C)]
    assert surest(odds, least=0.5, sources=1) == [(A, C)]


def test_what_a_later_word_speaks_of_comes_later() -> None:
    words = np.array([[9, 0, 0], [0, 0, 0], [0, 0, 0], [0, 9, 0]], np.float32)
    clauses = np.zeros((1, 3), np.float32)
    scores = Scores(("a", "b", "c"), clauses[0], clauses, np.zeros(3, np.float32))

    odds, step = before(Spoken(words, np.zeros(4, np.int64)), scores, [A, B])

    assert odds[A, B] > 1 > -1 > odds[B, A]
    assert step[A, B] == 1


def test_steps_run_in_the_order_in_which_they_are_told() -> None:
    row = plan_batch_row(
        "I have an audio file 'example.wav'. Please transcribe it, translate the transcript to "
        "French, and then convert the translated text to speech."
    )

    assert row["task_links"] == [
        {"source": "Automatic Speech Recognition", "target": "Translation"},
        {"source": "Translation", "target": "Text-to-Speech"},
    ]


def test_a_task_stands_after_all_that_feed_it() -> None:
    row = plan_batch_row(
        "I have an image 'example.jpg' and an audio file 'example.wav'. Transcribe the audio, "
        "caption the image, and tell me how similar the caption and the transcript are."
    )

    names = [node["task"] for node in row["task_nodes"]]  # type: ignore[attr-defined]
    for link in row["task_links"]:  # type: ignore[attr-defined]
        assert names.index(link["source"]) < names.index(link["target"])
