"""What is read of Excel files, and that hostile ones do no harm."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

import pytest
from openpyxl import Workbook

from adapters.media.bounds import Bounds
from adapters.media.local import LocalMedia
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import MediaError
from pipeline.text.sheets import cells
from pipeline.words import say
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HEAD = ["Region", "Units"]
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def _media(bounds: Bounds | None = None) -> LocalMedia:
    return LocalMedia(FakeWorkers(), ffmpeg=lambda: None, bounds=bounds)


def _save(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _book(*rows: Iterable[object], merged: str = "", formats: Mapping[str, str] = {}) -> bytes:
    book = Workbook()
    sheet: Any = book.active
    for row in rows:
        sheet.append(row)
    if merged:
        sheet.merge_cells(merged)
    for place, number_format in formats.items():
        sheet[place].number_format = number_format
    return _save(book)


def _change(data: bytes, part: str, pattern: str, new: str) -> bytes:
    """The file with something else in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text, count = re.subn(pattern, new, parts[part].decode(), count=1)
    assert count
    return samples.zipped(parts | {part: text.encode()})


def _as_excel_writes_it() -> bytes:
    """With shared strings, one of them in two fonts, and no row for what is empty."""
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    links = {"r1": ("worksheet", "worksheets/sheet1"), "r2": ("sharedStrings", "sharedStrings")}
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        f'content-types"><Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"'
        f'/><Override PartName="/{STRINGS}" ContentType="{kinds}.sharedStrings+xml"/></Types>',
        "xl/workbook.xml": f'<workbook {main} xmlns:r="{rel}"><sheets><sheet name="Sales" '
        'sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/'
        'package/2006/relationships">'
        + "".join(
            f'<Relationship Id="{key}" Type="{rel}/{kind}" Target="{target}.xml"/>'
            for key, (kind, target) in links.items()
        )
        + "</Relationships>",
        STRINGS: f"<sst {main}><si><t>Units</t></si><si><r><t>Re</t></r><r><t>gion</t></r></si>"
        "<si><t>North</t></si></sst>",
        SHEET: f'<worksheet {main}><sheetData><row r="3"><c r="B3" t="s"><v>1</v></c>'
        '<c r="C3" t="s"><v>0</v></c></row><row r="5"><c r="B5" t="s"><v>2</v></c>'
        '<c r="C5"><f>60*2</f><v>120</v></c></row></sheetData></worksheet>',
    }
    return samples.zipped({name: text.encode() for name, text in parts.items()})


async def _convert(data: bytes, bounds: Bounds | None = None) -> Blob:
    return await _media(bounds).convert(Blob(data, XLSX, "sales.xlsx"), "text/csv")


async def _read(data: bytes) -> list[list[str]]:
    return cells((await _convert(data)).data.decode(), "text/csv")


async def test_an_excel_file_is_a_table_whatever_its_name() -> None:
    data = _book(HEAD, ["North", 120], ["South", 250])

    described = await _media().describe(Blob(data, "", "sales.zip"))
    table = await _convert(data)

    assert Blob(data, described.media_type).type is Type.TABLE
    assert (
        described.description
        == "spreadsheet (Excel), sheet “Sheet”: 2 rows × 2 columns: “Region, Units”"
    )
    assert table == Blob(b"Region,Units\nNorth,120\nSouth,250\n", "text/csv", "sales.xlsx")


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (1234.5, "#,##0.00 €", "1234.5"),
        (0.1 + 0.2, "General", "0.3"),
        (123456789012345, "0", "123456789012345"),
        (1e-7, "General", "0.0000001"),
        (0.15, "0%", "15%"),
        (0.285, "0.00%", "28.5%"),
        (2, "0%", "200%"),
        (date(2026, 3, 1), "dd.mm.yy", "2026-03-01"),
        (datetime(2026, 3, 1, 14, 30), "General", "2026-03-01 14:30"),  # noqa: DTZ001 - as in Excel
        (time(14, 30), "h:mm", "14:30:00"),
        (True, "General", "TRUE"),
        ("a, “b”\nc ", "General", "a, “b”\nc"),
        ("007", "@", "007"),
    ],
)
async def test_a_cell_reads_as_people_see_it(value: object, number_format: str, shown: str) -> None:
    given = {} if number_format == "General" else {"B2": number_format}

    assert await _read(_book(HEAD, ["North", value], formats=given)) == [HEAD, ["North", shown]]


async def test_what_stands_around_a_table_is_no_part_of_it() -> None:
    data = _book([], [None, "Sales 2026"], [], *([None, *row] for row in (HEAD, ["North", 1])))

    assert await _read(data) == [HEAD, ["North", "1"]]


@pytest.mark.parametrize(
    ("rows", "merged", "last"),
    [
        ([["North", 1], [None, 2]], "A2:A3", ["North", "2"]),
        ([["North", "late"], ["South", None]], "B2:B3", ["South", "late"]),
        ([["North", 1], ["South", None]], "B2:B3", ["South", ""]),
    ],
    ids=["first column", "last column", "a number, which would count twice"],
)
async def test_a_text_merged_over_rows_holds_for_each_of_them(
    rows: list[list[object]], merged: str, last: list[str]
) -> None:
    assert (await _read(_book(HEAD, *rows, merged=merged)))[-1] == last


async def test_the_first_visible_sheet_with_content_is_read_and_named() -> None:
    book = Workbook()  # its first sheet stays empty
    hidden, sales, costs = (book.create_sheet(name) for name in ("Lists", "Sales", "Costs"))
    hidden.sheet_state = "hidden"
    for sheet in (hidden, sales, costs):
        sheet.append([sheet.title, "Units"])
        sheet.append(["North", 1])
    data = _save(book)

    table = await _convert(data)
    described = await _media().describe(Blob(data, "", "sales.xlsx"))

    assert table.data == b"Sales,Units\nNorth,1\n"
    told = {"file": "sales.xlsx", "sheet": "Sales", "count": "2"}
    assert table.note == LocalizedText("sheet-read", told)
    assert "first sheet “Sales” of 2: 1 row × 2 columns" in described.description


async def test_shared_strings_formulas_and_gaps_are_read() -> None:
    assert await _read(_as_excel_writes_it()) == [HEAD, ["North", "120"]]


async def test_a_wrong_size_in_the_file_hides_no_rows() -> None:
    data = _change(_book(HEAD, ["North", 1]), SHEET, 'dimension ref="A1:B2"', 'dimension ref="A1"')

    assert await _read(data) == [HEAD, ["North", "1"]]


async def test_a_cell_far_away_takes_no_room() -> None:
    book = Workbook()
    sheet: Any = book.active
    sheet["A1"], sheet["B1"], sheet["XFD1048576"] = *HEAD, "far"

    assert await _read(_save(book)) == [[*HEAD, ""], ["", "", "far"]]


BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaaaaaaaaaaaa">{}]><sst\\g<1>&f;'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 50}">' for a, b in zip("abcde", "bcdef", strict=True))
)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (_book(), "media-blank"),
        (_book(HEAD, *(["North", 1] for _ in range(11))), "media-sheet-too-large"),
        (_book(HEAD, ["x"] * 60), "media-sheet-too-large"),
        (_change(_book(HEAD), SHEET, "<sheetData>", "<sheetData><row"), "media-broken"),
        (_change(_book(HEAD), SHEET, "(?s).*", " " * 2_000_000), "media-bomb"),
        (_change(_as_excel_writes_it(), STRINGS, "<sst(.*)North", BOMB), "media-broken"),
    ],
    ids=["empty", "too long", "too wide", "broken", "zip bomb", "entities"],
)  # fmt: skip
async def test_what_cannot_be_read_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(MediaError) as refused:
        await _media(Bounds(rows=11, cells=50, unpacked=1_000_000)).describe(
            Blob(data, "", "sales.xlsx")
        )

    assert refused.value.sentence.id == problem


async def _read_with_note(data: bytes) -> tuple[list[list[str]], str]:
    table = await _media().convert(Blob(data, XLSX, "a.xlsx"), "text/csv")
    return cells(table.data.decode()), say("en", table.note) if table.note else ""


async def test_formulas_without_stored_results_are_calculated() -> None:
    data = _book(
        ["Item", "Qty", "Price", "Total", "Share"],
        ["Desk", 2, 150, "=B2*C2", "=D2/D$4"],
        ["Chair", 4, 80, "=B3*C3", "=D3/D$4"],
        ["Sum", None, None, "=SUM(D2:D3)", None],
        formats={"E2": "0%", "E3": "0%"},
    )

    rows, note = await _read_with_note(data)

    assert [row[3] for row in rows] == ["Total", "300", "320", "620"]
    assert [row[4][:4] for row in rows[1:3]] == ["48.3", "51.6"]
    assert note == "5 formulas had no stored results and were calculated here."


async def test_formulas_that_cannot_be_calculated_are_told_with_what_to_do() -> None:
    rows, note = await _read_with_note(
        _book(["a", "b"], ["x", "=NOSUCHTHING(1)"], ["y", "=[1]Other!A1"])
    )

    assert rows == [["a", "b"], ["x", ""], ["y", ""]]
    assert note.startswith(
        "2 formulas have no stored results and were read as empty. Open the file"
    )


async def test_charts_pictures_and_macros_of_a_workbook_are_named() -> None:
    with zipfile.ZipFile(io.BytesIO(_book(HEAD, ["North", 1]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    more = (
        "xl/charts/chart1.xml",
        "xl/media/image1.png",
        "xl/media/image2.png",
        "xl/vbaProject.bin",
    )

    _, note = await _read_with_note(samples.zipped(parts | dict.fromkeys(more, b"")))

    assert note == "Not read: one chart, 2 pictures, macros."
