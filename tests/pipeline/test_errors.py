"""Errors as they travel."""

import pickle

from pipeline.errors import BadInput, ExpertUnavailable


def test_an_error_keeps_its_sentence_on_the_way_out_of_a_worker_process() -> None:
    error = BadInput("expert-input-refused", model="m", status=422)

    revived = pickle.loads(pickle.dumps(error))

    assert type(revived) is BadInput
    assert revived.sentence == error.sentence
    assert revived.args == error.args


def test_an_error_keeps_when_to_try_again_on_the_way_out_of_a_worker_process() -> None:
    revived = pickle.loads(pickle.dumps(ExpertUnavailable("expert-loading", retry_after=2.5)))

    assert isinstance(revived, ExpertUnavailable)
    assert revived.retry_after == 2.5
