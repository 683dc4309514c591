"""How sure an expert is, in words: one scale for each kind of task, whoever puts a score into words."""

from collections.abc import Callable, Sequence

import pytest

from adapters.embedded.experts.hearing import said_of_hearing
from adapters.embedded.experts.reading import said_of_reading
from pipeline.domain import Media, Plan, Sentence, Sureness, Task, Text, how_sure, no_surer
from pipeline.response import check
from pipeline.response.evidence import evidence
from pipeline.response.plain import plain_answer
from pipeline.words import say
from tests.pipeline.planning.builders import request
from tests.pipeline.response.recorded import BILL, HEAR, PHOTO, done, task

READ = task(0, "optical-character-recognition", image=Media(PHOTO.attachment))
HUNDRED = [one / 100 for one in range(101)]


@pytest.mark.parametrize(
    ("step", "score", "told"),
    [
        (BILL, 0.97, "very sure"),
        (BILL, 0.85, "very sure"),
        (BILL, 0.7, "fairly sure"),
        (BILL, 0.58, "not sure"),
        (HEAR, 0.73, "not sure"),
        (HEAR, 0.85, "fairly sure"),
        (READ, 0.8, "not sure"),
        (READ, 0.9, "fairly sure"),
        (READ, 0.98, "very sure"),
    ],
)
def test_the_plain_answer_the_check_and_the_evidence_use_the_same_words(
    step: Task, score: float, told: str
) -> None:
    outcomes = {step.id: done("asr", text=Text("a short talk", score))}

    plain = plain_answer(request("?"), Plan((step,)), outcomes)[0]
    checked = check("A short talk.", request("?"), Plan((step,)), outcomes).text
    shown = evidence(request("?"), Plan((step,)), outcomes, tokens=99)

    assert told in plain
    assert f'"sure":"{told}"' in shown
    assert (checked != "A short talk.") == (told == "not sure")


@pytest.mark.parametrize("score", HUNDRED)
@pytest.mark.parametrize(
    ("step", "said"), [(HEAR, said_of_hearing), (READ, said_of_reading)], ids=["heard", "read"]
)
def test_what_an_expert_says_of_itself_and_what_the_answer_says_agree(
    step: Task, said: Callable[[float], Sequence[Sentence]], score: float
) -> None:
    """Whoever says that much may be wrong is not called sure, and the other way round."""
    notes = "\n".join(say("en", sentence) for sentence in said(score))
    outcomes = {step.id: done("asr", notes, text=Text("a short talk", score))}

    told = "\n".join(plain_answer(request("?"), Plan((step,)), outcomes))

    assert ("may be wrong" in told) == ("not sure" in told)
    assert not ("may be wrong" in told and ("fairly sure" in told or "very sure" in told))


@pytest.mark.parametrize("score", HUNDRED)
@pytest.mark.parametrize("base", list(Sureness))
def test_an_answer_is_no_surer_than_what_it_was_read_from(score: float, base: Sureness) -> None:
    order, kind = list(Sureness), "document-question-answering"

    lowered = how_sure(no_surer(score, kind, base), kind)

    assert order.index(lowered) == max(order.index(how_sure(score, kind)), order.index(base))
