"""Pages with columns are read column by column, and tables row by row."""

import io
from collections.abc import Sequence

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from adapters.media.document_text import DocumentText
from adapters.media.documents import read
from pipeline.domain import Blob

_LEFT = (
    "The harbour museum opened",
    "in 1921 in an old warehouse",
    "near the docks. It was first",
    "run by sailors who gave",
    "their own things to it.",
)
_RIGHT = (
    "Today the museum owns",
    "more than nine thousand",
    "objects, most of them from",
    "ships. Visitors can see",
    "them on three floors.",
)
_TABLE = (
    ("Item", "Description", "Price"),
    ("Tea", "green tea from Japan", "3.50"),
    ("Bread", "rye bread, one kilogram", "2.50"),
    ("Milk", "whole milk, one litre", "1.20"),
    ("Oil", "olive oil, half a litre", "8.20"),
    ("Salt", "sea salt with herbs", "1.00"),
)
_QUESTIONS = (
    ("What does it cost to enter?", "It costs five euros a day."),
    ("When does the house open?", "We open at nine on weekdays."),
    ("Where can I park my car?", "There is a car park behind it."),
    ("Is there a cafe inside?", "Yes, on the second floor."),
    ("Can I bring my dog along?", "Small dogs are welcome here."),
)


def _read(rows: Sequence[Sequence[str]], places: Sequence[int]) -> DocumentText:
    """A page that draws its rows one after the other, the words of each at these places."""
    drawn = [
        f"1 0 0 1 {left} {760 - 14 * number} Tm ({words}) Tj"
        for number, row in enumerate(rows)
        for left, words in zip(places, row, strict=False)
    ]
    words, writer, file = DecodedStreamObject(), PdfWriter(), io.BytesIO()
    words.set_data(f"BT /F 10 Tf {' '.join(drawn)} ET".encode())
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    fonts = DictionaryObject(
        {
            NameObject("/F"): DictionaryObject(
                {NameObject(k): NameObject(v) for k, v in font.items()}
            )
        }
    )
    page = writer.add_blank_page(600, 842)
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    page[NameObject("/Contents")] = writer._add_object(words)  # noqa: SLF001 - the library has no other way
    writer.write(file)
    return read(Blob(file.getvalue(), "application/pdf", "a.pdf"), lambda _pixels: ("", 0.0))


def test_columns_that_are_drawn_row_by_row_are_read_one_after_the_other() -> None:
    heading = "The museum by the sea: a short history of a house and of all its friends"
    rows = [(heading,), *zip(_LEFT, _RIGHT, strict=True)]

    document = _read(rows, (60, 320))

    assert document.text.splitlines() == [heading, *_LEFT, *_RIGHT]
    assert not document.notes


def test_columns_without_a_plain_gap_are_said_to_be_mixed() -> None:
    long = "and its keepers were former sailors from all the"
    rows = [*zip(_LEFT, _RIGHT, strict=True), (long, "", "world, who told of ships")]

    document = _read(rows, (60, 240, 330))

    assert [note.id for note in document.notes] == ["embedded-columns-mixed"]


@pytest.mark.parametrize(("rows", "places"), [(_TABLE, (60, 160, 400)), (_QUESTIONS, (60, 320))])
def test_a_table_is_read_row_by_row(rows: Sequence[Sequence[str]], places: Sequence[int]) -> None:
    document = _read(rows, places)

    assert document.text.splitlines() == [" ".join(row) for row in rows]
    assert not document.notes
