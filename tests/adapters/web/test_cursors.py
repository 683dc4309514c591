from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from adapters.web.cursors import MAX_CURSOR, read_cursor, write_cursor
from adapters.web.options import Refused

SHAPE = TypeAdapter(tuple[bool, datetime, str])


@given(st.tuples(st.booleans(), st.datetimes(timezones=st.just(UTC)), st.text("aé/?")))
def test_a_place_comes_back_as_it_was(place: tuple[bool, datetime, str]) -> None:
    cursor = write_cursor(place, SHAPE)

    assert cursor.replace("-", "").replace("_", "").isalnum()
    if len(cursor) <= MAX_CURSOR:
        assert read_cursor(cursor, SHAPE) == place


def test_without_a_cursor_a_list_begins() -> None:
    assert read_cursor("", SHAPE) is None


@pytest.mark.parametrize(
    "given_text",
    ["x", "====", "é", "W10", "WzEsMiwzXQ", "a b", "\0", "W" * 5000, "WzFd"],
)
def test_what_is_no_cursor_is_refused(given_text: str) -> None:
    with pytest.raises(Refused) as raised:
        read_cursor(given_text, SHAPE)

    assert (raised.value.status, raised.value.sentence.id) == (400, "web-bad-query")


@given(st.text(max_size=600))
def test_no_text_breaks_the_reading(text: str) -> None:
    with suppress(Refused):
        read_cursor(text, SHAPE)
