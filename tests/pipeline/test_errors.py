"""Errors as they travel."""

import pickle
import traceback

from pipeline.errors import BadInput, ExpertGarbled, ExpertUnavailable, FetchError


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


def test_the_log_gets_no_words_names_of_files_or_addresses_of_people() -> None:
    inner = FetchError("fetch-status", host="secret.example", status="404")
    error = ExpertGarbled(
        "expert-result", model="org/m", problem=inner.sentence, name="secret.pdf", limit=3
    )

    for told in (str(error), repr(error), "".join(traceback.format_exception(error))):
        assert "secret" not in told
    assert str(error) == "expert-result model=org/m problem=(fetch-status status=404) limit=3"
    assert error.sentence.args["name"] == "secret.pdf"
