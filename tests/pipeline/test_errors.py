"""Errors as they travel."""

import pickle
import re
import traceback

import pytest

from pipeline import errors
from pipeline.errors import (
    PASSES,
    BadInput,
    ChatError,
    ChatGone,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    FetchError,
    FetchUnavailable,
    LlmGarbled,
    LlmUnavailable,
    NotAllowed,
    PlaceRefused,
    PlaceUnreachable,
    SettingsError,
    StoreDamaged,
    StoreUnavailable,
    TroupeError,
    WorkerLost,
    does_pass,
    is_passing,
)


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


def test_every_error_is_drawn_in_the_tree_and_has_a_row_in_the_table_of_faults() -> None:
    classes = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, TroupeError)
    }
    drawn = set(re.findall(r"[A-Z]\w+", str(errors.__doc__).partition("\n\n")[2]))

    assert classes <= drawn
    assert {kind.__name__ for kind in PASSES} <= classes
    assert all(does_pass(getattr(errors, name)) in (True, False) for name in classes)


PASSING = (
    LlmUnavailable,
    StoreUnavailable,
    ChatError,
    ExpertUnavailable,
    PlaceUnreachable,
    FetchUnavailable,
    SettingsError,
)
FINAL = (LlmGarbled, NotAllowed, StoreDamaged, ChatGone, ExpertRefused, PlaceRefused, WorkerLost)


@pytest.mark.parametrize("kind", [*PASSING, *FINAL])
def test_what_may_work_later_passes_also_in_a_group(kind: type[TroupeError]) -> None:
    error = kind("store-gone")

    assert is_passing(error) == (kind in PASSING)
    assert is_passing(ExceptionGroup("of tasks", [error])) == (kind in PASSING)


def test_a_bug_does_not_pass() -> None:
    assert not is_passing(ZeroDivisionError())
