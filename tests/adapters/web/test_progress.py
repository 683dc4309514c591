"""What the page is told about a task that waits."""

import pytest

from adapters.web.serialization import serialize_event
from pipeline.domain import Progressed, TaskId
from pipeline.words import LOCALES


@pytest.mark.parametrize("locale", LOCALES)
def test_the_place_in_a_queue_is_told_in_words(locale: str) -> None:
    queued = serialize_event(Progressed(TaskId(1), -1.0, "#3"), locale)
    begun = serialize_event(Progressed(TaskId(1), -1.0), locale)

    assert queued["type"] == begun["type"] == "progressed"
    assert "#3" in str(queued["note"])
    assert queued["note"] != "#3"
    assert begun["note"] == ""
