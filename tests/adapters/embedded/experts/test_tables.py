"""Questions on tables, and predictions for their columns."""

import csv
import io
import random

import pytest

from adapters.embedded.experts import EmbeddedExpert
from adapters.embedded.experts.figures import figure
from adapters.embedded.experts.learning import _lesson, _wilson
from pipeline.domain import Blob, Text
from pipeline.errors import BadInput, ExpertRefused
from tests.fakes.jobs import job, sheet

CITIES = sheet(
    "city,country,people (million),area",
    'Rome,Italy,2.8,"1,285"',
    "Milan,Italy,1.4,182",
    "Paris,France,2.1,105",
    "Lyon,France,0.5,48",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which city has the most people?", "Rome"),
        ("Which city has the smallest area?", "Lyon"),
        ("Welche Stadt hat die größte area?", "Rome"),
        ("What is the highest number of people?", "2.8 (Rome)"),
        ("How many people live in Paris?", "2.1"),
        ("What is the area of Milan?", "182"),
        ("In which country is Lyon?", "France"),
        ("What is the total area?", "1,620"),
        ("What is the average area in Italy?", "733.5"),
        ("What is the median area?", "143.5"),
        ("How many cities are in France?", "2"),
        ("How many rows are there?", "4"),
        ("How many have an area over 100?", "3"),
    ],
)
async def test_simple_questions_on_a_table_are_answered(
    question: str, answer: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job("table-question-answering", question=question, table=CITIES))

    assert made.slots["text"] == Text(answer)
    assert "simple rules" in made.note


async def test_an_answer_from_a_column_that_nobody_named_is_a_guess(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("table-question-answering", question="Which city is the biggest?", table=CITIES)
    )

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert text.score == 0.3
    assert "so “area” was taken" in made.note


async def test_a_question_beyond_simple_sums_is_not_answered(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(
            job("table-question-answering", question="Why is the sky blue?", table=CITIES)
        )


@pytest.mark.parametrize(
    "table", [sheet("a,b"), sheet(""), sheet("a,b", ","), sheet("a,b", "x" * 200_000)]
)
async def test_a_table_without_rows_is_bad_input(table: Blob, expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("table-question-answering", question="how many?", table=table))


async def test_columns_may_be_parted_by_semicolons(expert: EmbeddedExpert) -> None:
    table = sheet("Name;Preis", "Brot;3,50", "Käse;12,00")

    made = await expert.run(
        job("table-question-answering", question="What is the total Preis?", table=table)
    )

    assert made.slots["text"] == Text("15.5")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1.234.567", 1234567),
        ("12,5", 12.5),
        ("1,285", 1285),
        ("€ 12", 12),
        ("12 %", 12),
        ("-3", -3),
        ("x", None),
        ("", None),
        ("2026-11-20", None),
    ],
)
def test_figures_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert figure(text) == number


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
    assert "of 56 rows that it had not seen" in text.text
    assert "Gaps filled: 4" in made.note


async def test_a_column_of_noise_is_not_said_to_be_learnt(expert: EmbeddedExpert) -> None:
    chance = random.Random(3)
    table = sheet("x,coin", *(f"{chance.random():.3f},{chance.choice('ht')}" for _ in range(80)))

    made = await expert.run(job("tabular-classification", table=table))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert int(text.text.split()[2]) < 70
    assert "the last one (coin) was taken" in made.note


async def test_figures_are_learnt_with_an_interval(expert: EmbeddedExpert) -> None:
    chance = random.Random(5)
    rows = [(size := chance.uniform(20, 120), 3 * size + chance.gauss(0, 5)) for _ in range(60)]
    table = sheet("size,price", *(f"{size:.1f},{price:.1f}" for size, price in rows))

    made = await expert.run(job("tabular-regression", table=table, target="Price"))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert "R² 0.9" in text.text
    assert "95 % interval" in text.text


@pytest.mark.parametrize(
    ("kind", "target", "unit"),
    [
        ("tabular-classification", "length", "R²"),
        ("tabular-regression", "kind", "right"),
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
        ("predict kinds for me", "length of it"),
        ("the length of it as a class", "length of it"),
    ],
)
def test_the_column_is_found_in_the_words(words: str, column: str) -> None:
    lines = [f"{place % 2},{'rb'[place % 2]},{place % 3},{place % 2}" for place in range(40)]
    table = sheet("length,colour,kind,length_of_it", *lines)

    lesson = _lesson({"table": (table,), "target": (Text(words),)})

    assert lesson.head[lesson.target] == column.replace(" ", "_")
    assert lesson.guessed == ("kinds" in words)


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


def test_the_interval_of_a_share_stays_between_none_and_all() -> None:
    low, high = _wilson(20, 20)

    assert 0.8 < low < high <= 1
