"""Tables in text files, however they were written."""

import pytest

from pipeline.text.encodings import decode
from pipeline.text.sheets import cells

ROWS = [["name", "price"], ["cat", "1,5"], ["dog", "2"]]


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b'name,price\ncat,"1,5"\ndog,2\n', "text/csv"),
        (b"name;price\r\ncat;1,5\r\n\r\ndog;2", "text/csv"),
        (b"name\tprice\ncat\t1,5\ndog\t2\n", "text/tab-separated-values"),
        (b"name|price\ncat|1,5\ndog|2\n", "text/csv"),
        ("name;price\ncat;1,5\ndog;2\n".encode("utf-16"), "text/csv"),
        ("name;price\ncat;1,5\ndog;2\n\n".encode("utf-16-le"), "text/csv"),
        ("\ufeffname;price\ncat;1,5\ndog;2\n".encode(), "text/csv"),
    ],
)
def test_the_cells_of_a_table_are_found_whatever_stands_between_them(
    data: bytes, media_type: str
) -> None:
    assert cells(decode(data) or "", media_type) == ROWS


def test_rows_of_different_lengths_are_parted_as_their_heading_is() -> None:
    assert cells("a;b;c\n1;2\n3,5;4;5;6\n") == [["a", "b", "c"], ["1", "2"], ["3,5", "4", "5", "6"]]
