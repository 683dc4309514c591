"""Tables sorted, filtered and written as other files, and drawn as charts."""

import io
import json

import pytest
from openpyxl import load_workbook
from PIL import Image

from adapters.embedded.experts.charts import _plan_chart, parse_order
from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.typed_table import load_table
from adapters.media.charts import Chart
from pipeline.domain import Blob
from pipeline.errors import BadInput, ExpertRefused
from tests.fakes.jobs import job, sheet

SALES = sheet(
    "region,product,revenue,day",
    "North,Desk,120,2026-01-02",
    "South,Chair,80,2026-01-01",
    "North,Lamp,45,2026-01-03",
    "West,Desk,300,2026-01-04",
)


async def convert(expert: EmbeddedExpert, text: str, table: Blob = SALES) -> Blob:
    made = await expert.run(job("table-conversion", table=table, text=text))
    file = made.slots["table"]
    assert isinstance(file, Blob)
    return file


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("sort by revenue", ["45", "80", "120", "300"]),
        ("sort by revenue, highest first", ["300", "120", "80", "45"]),
        ("sortiere nach revenue absteigend", ["300", "120", "80", "45"]),
        ("trie par revenue par ordre décroissant", ["300", "120", "80", "45"]),
        ("ordena por revenue de mayor a menor", ["300", "120", "80", "45"]),
        ("按 revenue 降序排序", ["300", "120", "80", "45"]),
        ("revenueの降順に並べ替えて", ["300", "120", "80", "45"]),
        ("only rows where region is North", ["120", "45"]),
        ("only North", ["120", "45"]),
        ("filter revenue more than 100", ["120", "300"]),
        ("without North", ["80", "300"]),
        ("only over 100", ["120", "300"]),
        ("vire tout ce qui est en dessous de 100 €", ["120", "300"]),
        ("2026", ["120", "80", "45", "300"]),
        ("the first 2 rows", ["120", "80"]),
        ("sort the rows by revenue", ["45", "80", "120", "300"]),
        ("trie les lignes par revenue", ["45", "80", "120", "300"]),
        ("sort by day, oldest first", ["80", "120", "45", "300"]),
        ("sort by day, newest first", ["300", "45", "120", "80"]),
        ("sortiere nach revenue, höchstes zuerst", ["300", "120", "80", "45"]),
        ("sort by revenue descending, first 2 rows", ["300", "120"]),
        ("top 2 by revenue", ["300", "120"]),
        ("the top 3", ["120", "80", "45"]),
    ],
)
async def test_rows_are_sorted_and_filtered(
    expert: EmbeddedExpert, text: str, column: list[str]
) -> None:
    file = await convert(expert, text)

    _, *rows = file.data.decode().split()
    assert [row.split(",")[2] for row in rows] == column


PEOPLE = sheet("name,age,born,price", "Ada,41,1985,7", "Bo,29,1997,9", "Cy,35,1991,8")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sort by age, oldest first", "Ada Cy Bo"),
        ("sort by age, youngest first", "Bo Cy Ada"),
        ("sort by born, oldest first", "Ada Cy Bo"),
        ("年齢の高い順に age を並べ替え", "Ada Cy Bo"),
        ("sort by price, cheapest first", "Ada Cy Bo"),
        ("sort by price, most expensive first", "Bo Cy Ada"),
    ],
)
async def test_who_is_first_is_told_by_what_a_column_holds(
    expert: EmbeddedExpert, text: str, names: str
) -> None:
    _, *rows = (await convert(expert, text, PEOPLE)).data.decode().split()

    assert " ".join(row.partition(",")[0] for row in rows) == names


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("only the columns region and revenue", "region,revenue"),
        ("remove the column day", "region,product,revenue"),
        ("nur die Spalten region und day", "region,day"),
    ],
)
async def test_columns_are_kept_and_removed(expert: EmbeddedExpert, text: str, head: str) -> None:
    assert (await convert(expert, text)).data.decode().split()[0] == head


async def test_the_type_that_a_file_has_is_not_the_one_it_becomes(expert: EmbeddedExpert) -> None:
    file = await convert(expert, "make this csv an excel file")

    assert file.name == "table.xlsx"


async def test_excel_has_numbers_and_no_formulas(expert: EmbeddedExpert) -> None:
    file = await convert(expert, "convert to excel", sheet("name,n", "=1+1,2", "b,3"))

    cells = [[cell.value for cell in row] for row in load_workbook(io.BytesIO(file.data)).active]
    assert (file.name, cells) == ("table.xlsx", [["name", "n"], ["=1+1", 2], ["b", 3]])


async def test_json_is_a_list_of_objects(expert: EmbeddedExpert) -> None:
    file = await convert(expert, "als json", sheet("name,n", "Käse,2", "b,"))

    assert json.loads(file.data) == [{"name": "Käse", "n": 2}, {"name": "b", "n": ""}]


@pytest.mark.parametrize("text", ["sort by colour", "pivot it", "only the best", "sort"])
async def test_a_word_that_is_not_understood_is_refused(expert: EmbeddedExpert, text: str) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await convert(expert, text)

    assert str(caught.value.sentence.args.get("words", "")) in text


async def test_no_row_is_no_file(expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await convert(expert, "revenue more than 1000")


def plan(text: str, table: Blob = SALES) -> tuple[Chart, str]:
    loaded = load_table(table)
    return _plan_chart(loaded, parse_order(loaded, text))


@pytest.mark.parametrize(
    "text",
    [
        "bar chart of revenue by region",
        "Balkendiagramm: revenue pro region",
        "diagramme en barres de revenue par region",
        "gráfico de barras de revenue por region",
        "region 的 revenue 柱状图",
        "regionごとのrevenueの棒グラフ",
    ],
)
def test_a_bar_chart_joins_rows_with_the_same_label(text: str) -> None:
    chart, aggregate = plan(text)

    assert chart.form == "bar"
    assert dict(zip(chart.labels, chart.series["revenue"], strict=True)) == {
        "North": 165, "South": 80, "West": 300,
    }  # fmt: skip
    assert aggregate == "sum"


def test_a_line_goes_along_the_dates_in_their_order() -> None:
    chart, aggregate = plan("line chart of revenue over day")

    assert [*chart.labels] == ["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04"]
    assert [*chart.series["revenue"]] == [80, 120, 45, 300]
    assert not aggregate


@pytest.mark.parametrize(
    ("text", "aggregate"),
    [("average revenue per region as bars", "mean"), ("how many rows per region", "count")],
)
def test_averages_and_counts_are_drawn(text: str, aggregate: str) -> None:
    assert plan(text)[1] == aggregate


STAFF = sheet("name,team,age,salary", "Ada,IT,41,5200", "Bo,HR,29,3900", "Cy,IT,35,4800")


def test_a_column_of_words_alone_is_counted() -> None:
    chart, aggregate = plan("draw a pie chart of the teams", STAFF)

    assert ([*chart.labels], chart.series["team"], aggregate) == (["IT", "HR"], [2, 1], "count")


@pytest.mark.parametrize("text", ["bar chart of the table", "bar chart by team"])
def test_unlike_columns_are_not_put_on_one_axis_unasked(text: str) -> None:
    with pytest.raises(ExpertRefused) as caught:
        plan(text, STAFF)

    assert caught.value.sentence.args["columns"] == "name, team, age, salary"


def test_columns_that_are_alike_are_drawn_together() -> None:
    chart, _ = plan("bar chart of the table", sheet("month,north,south", "Jan,3,4", "Feb,5,2"))

    assert [*chart.series] == ["north", "south"]


@pytest.mark.parametrize("form", ["bar", "line", "pie", "scatter"])
async def test_every_form_is_drawn(expert: EmbeddedExpert, form: str) -> None:
    table = sheet("city,a,b", "Bern $x$,1,2", "Köln,3,5", "Oslo,2,4")
    text = f"{form} chart" + (" of b over a" if form == "scatter" else " of a by city")

    made = await expert.run(job("table-to-chart", table=table, text=text))

    image = made.slots["image"]
    assert isinstance(image, Blob)
    assert Image.open(io.BytesIO(image.data)).size[0] > 1000
    assert made.note


@pytest.mark.parametrize("text", ["chart of profit", "3d bar chart of revenue", "radar chart"])
async def test_a_chart_that_is_not_understood_is_refused(expert: EmbeddedExpert, text: str) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(job("table-to-chart", table=SALES, text=text))
