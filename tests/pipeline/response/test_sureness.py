"""How sure an expert is, in words: one scale, whoever puts a score into words."""

import pytest

from pipeline.domain import FAIRLY, SURE, Plan, Text
from pipeline.response import check
from pipeline.response.plain import plain_answer
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import HEAR, done

SCALE = [(0.97, "very sure"), (SURE, "very sure"), (0.7, "fairly sure"), (0.58, "not sure")]


@pytest.mark.parametrize(("score", "told"), SCALE)
def test_the_plain_answer_and_the_check_use_the_same_words(score: float, told: str) -> None:
    outcomes = {HEAR.id: done("asr", text=Text("a short talk", score))}

    plain = plain_answer(request("?"), Plan((HEAR,)), outcomes)[0]
    checked = check("A short talk.", request("?"), Plan((HEAR,)), outcomes).text

    assert told in plain
    assert (checked != "A short talk.") == (told == "not sure") == (score < FAIRLY)
