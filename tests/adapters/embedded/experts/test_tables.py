"""Questions on tables, and predictions for their columns."""

import csv
import io
import random
import tomllib
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import pytest
from openpyxl import Workbook

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.predictions import find_column
from adapters.embedded.experts.tables import answer_on_table
from adapters.embedded.experts.task_io import answer_each
from adapters.embedded.experts.typed_table import TypedTable, load_table
from adapters.media.tables import MEDIA_TYPES
from pipeline.domain import Blob, LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused, MediaError
from pipeline.words import say
from tests.fakes.jobs import job, sheet

_DATA = tomllib.loads(Path(__file__).with_name("table_questions.toml").read_text("utf-8"))
_FEWEST_ANSWERED = 0.9


@cache
def _load(name: str) -> TypedTable:
    return load_table(sheet(*_DATA["tables"][name].strip().splitlines()))


def _answer(language: str, table: str, question: str) -> str:
    """The bare answer to a question; "" where it is refused."""
    with suppress(ExpertRefused):
        result = answer_each(question, partial(answer_on_table, _load(table), language))
        value = result.slots.get("text")
        return " ".join(value.text.split()) if isinstance(value, Text) else ""
    return ""


def test_answers_from_a_table_are_right_or_refused_and_most_are_answered() -> None:
    answers = [
        (question, _answer(asked["language"], asked["table"], question), right)
        for asked in _DATA["questions"]
        for question, right in asked["ask"]
    ]

    assert [one for one in answers if one[1] not in ("", one[2])] == []
    refused = [question for question, answer, right in answers if right and not answer]
    assert len(refused) <= (1 - _FEWEST_ANSWERED) * sum(bool(one[2]) for one in answers), refused


@pytest.mark.parametrize(
    ("values", "average"),
    [(("1000", "1000", "1001"), "1,000.33"), (("0.1", "0.1", "0.2"), "0.133333"), (("7",), "7")],
)
def test_an_average_has_no_needless_decimal_places(values: tuple[str, ...], average: str) -> None:
    table = load_table(sheet("revenue", *values))

    finding = answer_on_table(table, "en", "What is the average revenue?")

    assert finding.words == average


async def test_the_operation_is_shown_with_the_answer(expert: EmbeddedExpert) -> None:
    table = sheet("month,revenue", "March,10", "March,20", "May,5")
    question = "What is the average revenue in March?"

    made = await expert.run(job("table-question-answering", question=question, table=table))

    done = LocalizedText(
        "embedded-table-operation",
        {"op": "mean", "column": "revenue", "rows": 2, "where": "month = March"},
    )
    assert made.slots["text"] == Text("15")
    assert made.source == say("en", done)


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("How many people left?", "embedded-table-unclear", "people, left"),
        ("How many have a revenue over 1.250?", "embedded-table-unclear", "1.250"),
        ("What is the total month?", "embedded-table-not-numbers", None),
        ("What is the average?", "embedded-table-which-column", None),
        ("What is the revenue in March?", "embedded-table-several-rows", None),
        ("and in March?", "embedded-table-which-column", None),
        ("What is the highest and average revenue per month in which?", "embedded-table-", None),
    ],
)
def test_what_was_not_understood_is_named(question: str, sentence: str, words: str | None) -> None:
    table = load_table(sheet("month,revenue", "March,10", "March,20", "May,5"))

    with pytest.raises(ExpertRefused) as caught:
        answer_on_table(table, "en", question)

    assert caught.value.sentence.id.startswith(sentence)
    assert caught.value.sentence.args.get("words") == words or words is None


async def test_two_questions_are_answered_each_or_named(expert: EmbeddedExpert) -> None:
    table = sheet("month,revenue", "March,10", "May,5")
    question = "What is the total revenue? Who left?"

    result = answer_each(question, partial(answer_on_table, load_table(table), "en"))

    assert [sentence.id for sentence in result.sentences] == [
        "embedded-part",
        "embedded-part-refused",
    ]


async def test_a_part_of_a_question_goes_on_from_the_part_before(expert: EmbeddedExpert) -> None:
    table = sheet("team,wins,losses", "Reds,10,2", "Blues,8,4", "Greens,8,6")

    totals = await _ask(expert, table, "Who has the most wins?\n\ntotal wins and losses")
    lookups = await _ask(expert, table, "Who has the most wins?\n\nwins of Reds and Blues")

    assert [words.rpartition("**")[0].rpartition("**")[2] for words in totals] == ["26", "12"]
    assert [words.rpartition("**")[0].rpartition("**")[2] for words in lookups] == ["10", "8"]


async def _ask(expert: EmbeddedExpert, table: Blob, question: str) -> list[str]:
    """The lines of an answer."""
    made = await expert.run(job("table-question-answering", question=question, table=table))
    text = made.slots["text"]
    assert isinstance(text, Text)
    return text.text.splitlines()


async def test_a_row_of_totals_is_no_row_of_the_table(expert: EmbeddedExpert) -> None:
    sums = sheet("item,amount", "Rent,1000", "Food,400", "Total,1400")
    brands = sheet("brand,sales", "Shell,1000", "Esso,400", "Total,300")

    assert await _ask(expert, sums, "What is the sum of amount?") == ["1,400"]
    assert await _ask(expert, sums, "How many items are there?") == ["2"]
    assert await _ask(expert, brands, "What is the sum of sales?") == ["1,700"]


@pytest.mark.parametrize(
    "table", [sheet("a,b"), sheet(""), sheet("a,b", ","), sheet("a,b", "x" * 200_000)]
)
async def test_a_table_without_rows_is_bad_input(table: Blob, expert: EmbeddedExpert) -> None:
    with pytest.raises((BadInput, MediaError)):
        await expert.run(job("table-question-answering", question="how many?", table=table))


async def test_columns_may_be_parted_by_semicolons(expert: EmbeddedExpert) -> None:
    table = sheet("Name;Preis", "Brot;3,50", "Käse;12,00")

    made = await expert.run(
        job("table-question-answering", question="What is the total Preis?", table=table)
    )

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert text.text.startswith("15.5")


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,234.5", "7"], [1234.5, 7]),
        (["1.234,5", "7"], [1234.5, 7]),
        (["€ 12", "€ 3.50"], [12, 3.5]),
        (["12 %", "-3 %"], [12, -3]),
        (["12 %", "-3"], None),
        (["007", "012"], None),
        (["x", "1"], None),
        (["1,285", "3,100"], None),
    ],
)
def test_a_column_is_numeric_only_where_it_can_be_read_in_one_way(
    cells: list[str], numbers: list[float] | None
) -> None:
    table = load_table(sheet("a;b", *(f"x;{cell}" for cell in cells)))

    assert table.is_numeric("b") == (numbers is not None)
    assert numbers is None or list(table.typed["b"]) == numbers


def _flowers(rows: int, *, gaps: int = 0) -> Blob:
    chance = random.Random(7)
    lines = ["length,colour,kind"]
    for place in range(rows):
        long = place % 2
        kind = "" if place < gaps else ("rose" if long else "daisy")
        lines.append(f"{chance.gauss(5 + 4 * long, 1):.2f},{chance.choice('rb')},{kind}")
    return sheet(*lines)


async def test_classes_are_learnt_and_judged_on_rows_not_seen(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("tabular-classification", table=_flowers(60, gaps=4), target="kind")
    )

    table, text = made.slots["table"], made.slots["text"]
    assert isinstance(table, Blob)
    assert isinstance(text, Text)
    rows = list(csv.DictReader(io.StringIO(table.data.decode())))
    assert [row["predicted kind"] for row in rows[:4]] == ["daisy", "rose", "daisy", "rose"]
    assert len(rows) == 60
    assert "of 56 rows it was not trained on" in text.text
    assert "Predicted: kind" in text.text
    assert "Gaps filled: 4" in text.text


async def test_a_column_of_noise_is_not_said_to_be_learnt(expert: EmbeddedExpert) -> None:
    chance = random.Random(3)
    table = sheet("x,coin", *(f"{chance.random():.3f},{chance.choice('ht')}" for _ in range(80)))

    made = await expert.run(job("tabular-classification", table=table))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert int(text.text.splitlines()[-1].split()[2]) < 70
    assert "the last one (coin) was used" in text.text


async def test_figures_are_learnt_and_judged_on_rows_not_seen(expert: EmbeddedExpert) -> None:
    chance = random.Random(5)
    rows = [(size := chance.uniform(20, 120), 3 * size + chance.gauss(0, 15)) for _ in range(60)]
    table = sheet("size,price", *(f"{size:.1f},{price:.1f}" for size, price in rows))

    made = await expert.run(job("tabular-regression", table=table, target="Price"))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert "R² 0.9" in text.text


@pytest.mark.parametrize(
    ("kind", "target", "unit"),
    [
        ("tabular-classification", "length", "R²"),
        ("tabular-regression", "kind", "correct"),
    ],
)
async def test_the_column_decides_whether_figures_or_classes_are_learnt(
    kind: str, target: str, unit: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job(kind, table=_flowers(60), target=target))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert unit.casefold() in text.text.casefold()


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("predict the kind", "kind"),
        ("predict the colour from length and kind", "colour"),
        ("Predict the Kind of flower, please", "kind"),
        ("predict kinds for me", ""),
        ("the length of it as a class", "length_of_it"),
    ],
)
def test_the_column_is_found_in_the_words(words: str, column: str) -> None:
    lines = [f"{place % 2},{'rb'[place % 2]},{place % 3},{place % 2}" for place in range(40)]
    table = sheet("length,colour,kind,length_of_it", *lines)

    assert find_column(load_table(table), words) == column


@pytest.mark.parametrize(
    ("table", "target", "sentence"),
    [
        (_flowers(10), "kind", "embedded-few-rows"),
        (_flowers(40), "price", "embedded-no-column"),
        (sheet("kind,name", *(f"{n % 2},n{n}" for n in range(40))), "name", "embedded-not-classes"),
    ],
)
async def test_what_cannot_be_learnt_ends_in_a_plain_sentence(
    table: Blob, target: str, sentence: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(BadInput) as caught:
        await expert.run(job("tabular-classification", table=table, target=target))

    assert caught.value.sentence.id == sentence


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["total revenue?", "and in March?"], "15"),
        (["total revenue in May?", "and in March?"], "15"),
        (["total revenue in March?", "and in the South?"], "10"),
        (["total revenue?", "and in March?", "and in the South?"], "10"),
        (["total revenue?", "per region"], "North: 5; South: 17"),
        (["total revenue in May?", "average instead"], "7"),
        (["total revenue in May?", "how many rows?"], "3"),
    ],
)
async def test_a_short_question_goes_on_from_the_one_before(
    asked: list[str], answer: str, expert: EmbeddedExpert
) -> None:
    table = sheet(
        "month,region,revenue", "2026-03-01,North,5", "2026-03-01,South,10", "2026-05-01,South,7"
    )

    made = await expert.run(
        job("table-question-answering", question="\n\n".join(asked), table=table)
    )

    assert made.slots["text"] == Text(answer)


STAFF = sheet(
    "Emp ID,Name,Dept.,Salary (USD),Start date,Age,Remote?",
    "11,Ana Lima,IT,82000,2019-03-01,44,yes",
    "12,Bo Chen,IT,61000,2022-01-10,29,no",
    "13,Cleo Diaz,Sales,70500,2023-07-01,51,yes",
    "14,Dan Ek,Sales,64000,2021-05-20,38,no",
)
STOCK = sheet(
    "SKU,Item,Cat,Qty on hand,Unit price,Supplier",
    "A-1,Tape measure 5m,Tools,57,8.50,Ashby",
    "A-2,Jigsaw 600W,Power tools,4,79.90,Bolt & Co",
    "A-3,Claw hammer,Tools,22,14.99,Ashby",
)
MONTHS = sheet("Month,Units", "Jan,5", "Feb,7", "Mar,9")


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        (STAFF, "How many people work in IT?", "2"),
        (STAFF, "How many people work remotely in IT?", "1"),
        (STAFF, "Wie viele Leute arbeiten in Sales?", "2"),
        (STAFF, "Combien de personnes travaillent en Sales ?", "2"),
        (STAFF, "Who is the oldest?", "Cleo Diaz"),
        (STAFF, "Wer ist am jüngsten?", "Bo Chen"),
        (STAFF, "Who earns the most?", "Ana Lima"),
        (STAFF, "who started last", "Cleo Diaz"),
        (STAFF, "how many joined in 2022 or later?", "2"),
        (STAFF, "how many started before 2020?", "1"),
        (STAFF, "names of everyone in IT making over 80k", "Ana Lima"),
        (STAFF, "What is Cleo's salary?", "70500"),
        (STAFF, "When did Ana start?", "2019-03-01"),
        (STAFF, "average salary in IT? two decimals", "71,500"),
        (STOCK, "How many tape measures have we got?", "57"),
        (STOCK, "cheapest tool?", "Tape measure 5m"),
        (STOCK, "most expensive item?", "Jigsaw 600W"),
        (STOCK, "Who supplies the jigsaw?", "Bolt & Co"),
        (STOCK, "how many different suppliers do we have?", "2"),
        (STOCK, "Which supplier has the most rows?", "Ashby"),
        (MONTHS, "units in February?", "7"),
        (MONTHS, "Wie hoch sind die Units im Februar?", "7"),
        (MONTHS, "unités en février ?", "7"),
    ],
)
async def test_common_questions_are_answered(
    table: Blob, question: str, answer: str, expert: EmbeddedExpert
) -> None:
    assert await _ask(expert, table, question) == [answer]


@pytest.mark.parametrize(
    ("table", "question"),
    [
        (STAFF, "What is the sum of Emp ID?"),
        (STAFF, "How much is it in total?"),
        (STAFF, "Who has the largest Emp ID?"),
        (STAFF, "Who is taller, Ana or Bo?"),
        (STAFF, "who was hired by Ana?"),
        (STOCK, "What's the stock value of the jigsaw?"),
        (STOCK, "How many tools?"),  # rows or pieces?
        (STOCK, "Who bought the jigsaw?"),
        (MONTHS, "How many people work in February?"),
        (sheet("Project,Team,Budget", "Intranet,4,10", "App,3,20"), "How many people work on App?"),
    ],
)
async def test_what_could_be_meant_otherwise_is_refused(
    table: Blob, question: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused):
        await _ask(expert, table, question)


@pytest.mark.parametrize(
    ("values", "average"),
    [(("75%", "", "25%"), "50%"), (("€ 2", "€ 4", ""), "€ 3"), (("2 $", "4 $", ""), "3 $")],
)
def test_an_average_has_the_sign_of_its_column_and_the_rows_that_have_one(
    values: tuple[str, ...], average: str
) -> None:
    table = load_table(sheet("team,share", *(f"t{at},{cell}" for at, cell in enumerate(values))))

    finding = answer_on_table(table, "en", "What is the average share?")

    assert isinstance(finding.source, LocalizedText)
    assert (finding.words, finding.source.args["rows"]) == (average, 2)


_STAFF = sheet("name,age,salary,units", "Ada,41,5200,143", "Bo,29,3900,95", "Cy,35,4800,143")
_STOCK = sheet("product,price", "Lamp,39", "Desk,249")
_SHELF = sheet("product,price,in stock", "Lamp,39,yes", "Desk,249,no", "Chair,89,yes")


@pytest.mark.parametrize(
    ("table", "question", "answer"),
    [
        (_STOCK, "What is the most expensive product?", "Desk"),
        (_STOCK, "Which products are cheaper than 100?", "Lamp"),
        (_SHELF, "What is the most expensive product in stock?", "Chair"),
        (_SHELF, "Which products are in stock?", "Lamp, Chair"),
        (_SHELF, "How many products are in stock?", "2"),
        (_SHELF, "Is the desk in stock?", "no"),
        (_STAFF, "Who is older than 30 years?", "Ada, Cy"),
        (_STAFF, "Wer ist jünger als 30 Jahre?", "Bo"),
        (_STAFF, "Which names have 143 units?", "Ada, Cy"),
        (_STAFF, "Which name has more than 100 units?", "Ada, Cy"),
        (_STAFF, "How many people are aged 41?", "1"),
    ],
)
def test_comparisons_are_understood(table: Blob, question: str, answer: str) -> None:
    assert answer_on_table(load_table(table), "en", question).words == answer


async def test_a_refusal_says_that_other_sheets_were_not_read(expert: EmbeddedExpert) -> None:
    book = Workbook()
    for row in (("source", "euro"), ("rent", 900)):
        book.active.append(row)
    book.create_sheet("Costs").append(("item", "euro"))
    file = io.BytesIO()
    book.save(file)
    table = Blob(file.getvalue(), MEDIA_TYPES["xlsx"], "a.xlsx")

    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("table-question-answering", table=table, question="the insurance?"))

    assert "Only the sheet" in say("en", caught.value.sentence)
