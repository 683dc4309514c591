"""What the engine takes for numbers and dates, and what a query may do."""

import csv
import io
from pathlib import Path

import pytest
from openpyxl import Workbook

from adapters.media import queries
from adapters.media.bounds import Bounds
from adapters.media.column_types import find_types
from adapters.media.table_engine import DuckTables
from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.domain import Blob, QueryResult, TableInfo
from pipeline.errors import MediaError
from tests.fakes.jobs import sheet

PEOPLE = sheet("Name,Dept,Salary,Since", "Ann,IT,5100.10,2020-01-31", "Bob,HR,4000.20,2019-06-01")


def asked(sql: str, *tables: Blob) -> QueryResult:
    return queries.run([*(tables or (PEOPLE,))], sql, Bounds())


@pytest.mark.parametrize(
    ("values", "kind", "first"),
    [
        ("1|2|", "BIGINT", "1"),
        ("-5|+3", "BIGINT", "-5"),
        ("1.5|2", "DECIMAL(18,1)", "1.5"),
        ("1,234.50|2", "DECIMAL(18,2)", "1234.50"),
        ("1.234,50|2", "DECIMAL(18,2)", "1234.50"),
        ("1 234,50|5,00", "DECIMAL(18,2)", "1234.50"),
        ("1'234.50|5.00", "DECIMAL(18,2)", "1234.50"),
        ("12345678901234567890123|1", "DECIMAL(38,0)", "12345678901234567890123"),
        (f"{'9' * 40}|1", "DOUBLE", "9" * 40),
        ("1e5|2.5", "DOUBLE", "1e5"),
        ("12 %|5%|", "BIGINT", "12"),
        ("€ 1.200,00|€ 5,00", "DECIMAL(18,2)", "1200.00"),
        ("007|12", "VARCHAR", "007"),
        ("$5|7", "VARCHAR", "$5"),
        ("5|n/a", "VARCHAR", "5"),
        ("1,234|2,500", "VARCHAR", "1,234"),
        ("1.234|2.500", "VARCHAR", "1.234"),
        ("2026-11-29|2026-02-28", "DATE", "2026-11-29"),
        ("2026-02-30|2026-02-28", "VARCHAR", "2026-02-30"),
        ("29.11.2026|1.2.2026", "DATE", "2026-11-29"),
        ("11/29/2026|1/2/2026", "DATE", "2026-11-29"),
        ("1/2/2026|3/4/2026", "VARCHAR", "1/2/2026"),
        ("2026-11-29 10:30|2026-11-29T10:31:05", "TIMESTAMP", "2026-11-29 10:30:00"),
        ("True|false", "BOOLEAN", "True"),
        ("a\nb|c", "VARCHAR", "a\nb"),
        ("|", "VARCHAR", ""),
    ],
)
def test_a_column_is_of_a_type_only_if_all_its_values_are(
    values: str, kind: str, first: str
) -> None:
    (column,) = find_types([values.split("|")])

    assert (column.type, column.values[0]) == (kind, first)


def test_other_columns_tell_how_an_ambiguous_number_is_read() -> None:
    point, _ = find_types([["1,234"], ["1.5"]])
    comma, _ = find_types([["1.234"], ["0,5"]])
    plain = find_types([["1.234"]], are_plain=True)[0]

    assert (point.type, comma.type, plain.type) == ("BIGINT", "BIGINT", "DECIMAL(18,3)")
    assert (point.values, comma.values, plain.values) == (["1234"], ["1234"], ["1.234"])


def test_a_table_is_described_by_its_columns_and_some_rows() -> None:
    (table,) = queries.describe([PEOPLE], Bounds())

    assert (table.name, table.title, table.rows) == ("t1", "table", 2)
    assert [(each.name, each.type) for each in table.columns] == [
        ("Name", "VARCHAR"),
        ("Dept", "VARCHAR"),
        ("Salary", "DECIMAL(18,2)"),
        ("Since", "DATE"),
    ]
    assert table.columns[1].values == ("IT", "HR")
    assert table.samples[0] == ("Ann", "IT", "5100.10", "2020-01-31")


def test_sums_are_exact_and_rows_without_a_value_are_not_counted() -> None:
    table = sheet("x,y", *["0.1,a"] * 10, ",b")

    assert asked("SELECT sum(x), count(x), count(*) FROM t1", table).rows == (("1", "10", "11"),)


def test_names_that_are_alike_or_empty_or_hostile_are_told_apart() -> None:
    names = ['a"; DROP TABLE t1; --', "A", "a", "", "x" * 500, "two\nlines"]
    text = io.StringIO()
    csv.writer(text).writerows([names, ["1"] * 6])
    table = Blob(text.getvalue().encode(), "text/csv", "t.csv")
    (told,) = queries.describe([table], Bounds())

    made = asked("SELECT * FROM t1", table)

    assert made.rows == (("1",) * 6,)
    assert [each.name for each in told.columns][1:4] == ["A", "a 2", "column 4"]
    assert told.columns[5].name == "two lines"
    assert len(told.columns[4].name) == 60


def test_every_sheet_of_a_file_is_a_table() -> None:
    book = Workbook()
    for title, name, number in (("Prices", "price", 1.5), ("Sold", "n", 4)):
        page = book.create_sheet(title)
        page.append(["item", name])
        page.append(["pen", number])
    file = io.BytesIO()
    book.save(file)
    table = Blob(b"item,price\npen,1.5\n", "text/csv", "shop.xlsx", original=file.getvalue())

    told = queries.describe([table], Bounds())
    made = asked("SELECT price * n FROM t1 JOIN t2 USING (item)", table)

    assert [each.title for each in told] == ["shop: Prices", "shop: Sold"]
    assert made.rows == (("6",),)


HOSTILE = {
    "SELECT * FROM read_csv('/etc/passwd'), t1": "the function read_csv",
    "SELECT * FROM '/etc/passwd'": "there is no table",
    "SELECT * FROM t1, '/etc/passwd'": "there is no table",
    "SELECT * FROM t1, read_text('/etc/passwd')": "the function read_text",
    "SELECT (SELECT content FROM read_text('/etc/passwd')) FROM t1": "the function read_text",
    "SELECT * FROM t1, glob('/*')": "the function glob",
    "SELECT * FROM t1, query('SELECT 1')": "the function query",
    "SELECT getenv('HOME') FROM t1": "the function getenv",
    "SELECT current_setting('home_directory') FROM t1": "the function current_setting",
    "SELECT * FROM t1, duckdb_settings()": "the function duckdb_settings",
    "SELECT * FROM t1, information_schema.tables": "there is no table",
    "SELECT * FROM t1, pg_catalog.pg_class": "there is no table",
    "SELECT * FROM other.t1": "there is no table",
    "SELECT random() FROM t1": "the function random",
    "SELECT sleep_ms(9) FROM t1": "the function sleep_ms",
    "SELECT 42": "reads none",
    "SELECT 1; SELECT 2": "only one SELECT",
    "SELECT 1 FROM t1; DROP TABLE t1": "only one SELECT",
    "COPY t1 TO '/tmp/stolen.csv'": "only one SELECT",
    "COPY (SELECT * FROM t1) TO '/tmp/stolen.csv'": "only one SELECT",
    "ATTACH '/tmp/stolen.db'": "only one SELECT",
    "INSTALL httpfs": "only one SELECT",
    "LOAD httpfs": "only one SELECT",
    "PRAGMA database_list": "only one SELECT",
    "SET memory_limit = '100GB'": "only one SELECT",
    "RESET enable_external_access": "only one SELECT",
    "CREATE TABLE x AS SELECT * FROM t1": "only one SELECT",
    "INSERT INTO t1 SELECT * FROM t1": "only one SELECT",
    "EXPLAIN ANALYZE SELECT * FROM t1": "only one SELECT",
    "DESCRIBE t1": "only one SELECT",
    "EXPORT DATABASE '/tmp/stolen'": "only one SELECT",
    "CALL pragma_version()": "only one SELECT",
    'WITH x AS (WITH "/etc/hosts" AS (SELECT 1) SELECT 1) FROM "/etc/hosts", t1': "does not exist",
    "SELECT * FROM t1 WHERE (": "Parser Error",
    "": "only one SELECT",
    f"SELECT {'1+' * 20_000}1 FROM t1": "too long",
    f"SELECT {'(' * 4_000}1{')' * 4_000} FROM t1": "",
    "SELECT nothing FROM t1": "Binder Error",
}  # fmt: skip


@pytest.mark.parametrize("sql", HOSTILE)
def test_nothing_is_read_but_the_table_and_the_reason_is_told(sql: str) -> None:
    made = asked(sql)

    assert HOSTILE[sql] in made.problem
    assert made.problem
    assert not made.rows
    assert not Path("/tmp/stolen.csv").exists()


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT list(a.x), list(b.x) FROM t1 a, t1 b",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r, t1",
        "SELECT count(*) FROM t1 a, t1 b, t1 c, t1 d WHERE a.x + b.x + c.x + d.x = 7",
    ],
)
@pytest.mark.program
async def test_a_query_without_end_is_stopped_and_the_next_one_is_carried_out(sql: str) -> None:
    table = sheet("x,y", *(f"{at},a" for at in range(20_000)))
    async with process_workers(1, child_environment()) as workers:
        engine = DuckTables(workers)
        made = await engine.query([table], sql)
        after = await engine.query([table], "SELECT sum(x) FROM t1")

    assert "the query takes" in made.problem
    assert after.rows == (("199990000",),)


@pytest.mark.program
async def test_the_engine_works_in_the_sandbox_of_a_worker() -> None:
    async with process_workers(1, child_environment()) as workers:
        engine = DuckTables(workers)
        (told,) = await engine.describe([PEOPLE])
        made = await engine.query([PEOPLE], "SELECT Name FROM t1 ORDER BY Salary")

    assert isinstance(told, TableInfo)
    assert made.rows == (("Bob",), ("Ann",))
    assert made.file == b"Name\r\nBob\r\nAnn\r\n"


@pytest.mark.parametrize("data", [b"", b"\0\1\2\3" * 100, b"only,a,head\n"])
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(MediaError):
        queries.describe([Blob(data, "text/csv", "t.csv")], Bounds())


def test_a_table_of_too_many_cells_is_refused() -> None:
    with pytest.raises(MediaError) as refused:
        queries.describe([Blob(b"a\n" + b",,,,1\n" * 1_000_002, "text/csv", "t.csv")], Bounds())

    assert refused.value.sentence.id == "media-sheet-too-large"
