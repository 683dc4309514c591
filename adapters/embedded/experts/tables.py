"""Questions on a table: filters, a group and an aggregate, where every word was understood."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from babel import UnknownLocaleError
from babel.numbers import format_decimal

from adapters.embedded.experts.lexicon import Phrases, months, phrases, split_words
from adapters.embedded.experts.orders import is_understood, refuse
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    get_file,
    require_text,
)
from adapters.media import tables
from adapters.media.bounds import Bounds
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import BadInput, ExpertRefused

_MOST_ROWS, _MOST_VALUES, _MOST_LISTED, _LONGEST_VALUE = 100_000, 2_000, 20, 100
_NUMBER = r"[-+]?(?:[1-9]\d{0,2}(?:[%s]\d{3})+|\d+)(?:[%s]\d+)?"
_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%Y-%m")
SIGNS = {"more": (">", "gt"), "less": ("<", "lt"), "at_least": ("≥", "ge"), "at_most": ("≤", "le")}
_SIGN, _LIMIT = f"({'|'.join(SIGNS)})", r"N(\d+(?:[.,]\d{1,2})?)"
COMPARISON = re.compile(rf"C(\d+) {_SIGN} {_LIMIT}(?!\S)")
_GROUP = re.compile(r"group C(\d+)|C(\d+) group_after")
_EMPTY = frozenset({"table.fill", "join.and", "order.fill", "table_file.file", "chart.chart"})
_WEAK = _EMPTY | {"table_file.rows", "table.rows"}
"""What words mean that may also name a column or a value, which then counts."""
_PARAGRAPHS = re.compile(r"\n\s*\n")
_AGGREGATES = {"sum", "mean", "median", "max", "min"}


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table as it was written (`cells`), and with numbers and dates as such (`typed`)."""

    cells: Any
    typed: Any
    left_out: str = ""
    """The row of totals at the end, in words ("item ≠ Total"): it is no row of the data."""
    notes: tuple[LocalizedText, ...] = ()
    """What of the file was not read."""

    @property
    def names(self) -> list[str]:
        return list(self.cells.columns)

    def is_numeric(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "f")

    def is_date(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "M")


class Condition(NamedTuple):
    """A condition on a column in words, and a test of all rows."""

    column: str
    words: str
    test: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class OrderWords:
    """The words of orders on a table.

    `allowed`: the concepts that mean something there; `can`: the sentence on what is possible.
    """

    vocabulary: Phrases
    allowed: frozenset[str]
    can: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """What a question asks for, all of it understood."""

    operation: str
    """"" for the values themselves."""
    columns: Sequence[str]
    """Those with neither a condition nor the group."""
    group: str
    conditions: Sequence[Condition]
    asks_which: bool


def ask_table(args: ExpertInput, language: str) -> WorkerResult:
    """Answers with the operation that was done. Raises BadInput, ExpertRefused.

    The last paragraph is answered; the questions before it complete it where it is not whole.
    """
    *before, question = _PARAGRAPHS.split(require_text(args, "question"))
    table = leave_out_totals(load_table(get_file(args, "table")))
    result = answer_each(question, partial(answer_on_table, table, language), before)
    return replace(result, notes=(*result.notes, *table.notes))


def answer_on_table(
    table: TypedTable, language: str, question: str, before: Sequence[str] = ()
) -> Finding:
    """Raises ExpertRefused for what was not understood, naming it."""
    earlier = None
    for text in before:
        with suppress(ExpertRefused):
            earlier, _ = _resolve(table, language, text, earlier)
    return _resolve(table, language, question, earlier)[1]


def _resolve(
    table: TypedTable, language: str, question: str, earlier: _Query | None
) -> tuple[_Query, Finding]:
    """The query of a question, completed by the one before if it has no answer alone; and that."""
    query = _parse_query(table, question)
    try:
        return query, _answer(table, language, query)
    except ExpertRefused:
        if earlier is None:
            raise
    query = _complete(query, earlier)
    return query, _answer(table, language, query)


def _complete(query: _Query, earlier: _Query) -> _Query:
    """A query like the earlier one, but for what the new one names: "and in March?"."""
    named = {query.group, *(condition.column for condition in query.conditions)}
    kept = [condition for condition in earlier.conditions if condition.column not in named]
    return _Query(
        operation=query.operation or earlier.operation,
        columns=query.columns or [name for name in earlier.columns if name not in named],
        group=query.group or earlier.group,
        conditions=[*kept, *query.conditions],
        asks_which=query.asks_which or earlier.asks_which,
    )


def _answer(table: TypedTable, language: str, query: _Query) -> Finding:
    """Raises ExpertRefused."""
    if query.group and not query.operation:
        raise _refuse("embedded-table-beyond", table)
    rows = table.cells.index
    for condition in query.conditions:
        rows = rows[condition.test()[rows]]
    part = TypedTable(table.cells.loc[rows], table.typed.loc[rows])
    if part.cells.empty:
        raise _refuse("embedded-table-beyond", table)
    answer_query = partial(_aggregate, language=language) if query.operation else _look_up
    operation, column, answer = answer_query(part, query)
    words = [condition.words for condition in query.conditions]
    where = ", ".join(filter(None, (table.left_out, *words))) or "none"
    done = LocalizedText(
        "embedded-table-operation",
        {"op": operation, "column": column, "rows": len(part.cells), "where": where},
    )
    if query.group:
        done = LocalizedText("embedded-table-grouped", {"operation": done, "group": query.group})
    return Finding(answer, done)


def load_table(blob: Blob) -> TypedTable:
    """The rows of a table in text, its columns typed. Raises BadInput, ExpertRefused."""
    import pandas as pd

    (head, *rows), notes = _read_rows(blob)
    names = [name or f"#{place + 1}" for place, name in enumerate(head)]
    if len(set(names)) < len(names):
        names = [f"{name} #{place + 1}" for place, name in enumerate(names)]
    table = pd.DataFrame(rows[:_MOST_ROWS], columns=names, dtype=str)
    english, european = _read_numbers(table, ",", "."), _read_numbers(table, ".", ",")
    numbers = max(english, european, key=len)
    if len(english) == len(european):  # what could be read in two ways is no number
        numbers = {name: one for name, one in english.items() if one.equals(european.get(name))}
    typed = {name: _read_dates(table[name]) for name in names} | numbers
    return TypedTable(table, pd.DataFrame(typed), notes=notes)


def leave_out_totals(table: TypedTable) -> TypedTable:
    """A table without a last row that is called a total and has the sum of a column."""
    rows, last = table.typed.iloc[:-1], table.typed.iloc[-1]
    sums = [name for name in table.names if table.is_numeric(name)]
    sums = [name for name in sums if math.isclose(rows[name].sum(), last[name], rel_tol=1e-3)]
    for name, cell in table.cells.iloc[-1].items():
        if len(rows) > 1 and sums and phrases("table").concepts(cell) == ["table.sum"]:
            return replace(
                table, cells=table.cells.iloc[:-1], typed=rows, left_out=f"{name} ≠ {cell}"
            )
    return table


def _read_rows(blob: Blob) -> tuple[list[list[str]], tuple[LocalizedText, ...]]:
    """The rows of a table, all as long as the head, and notes. Raises BadInput, MediaError."""
    table = tables.read(blob, Bounds())
    rows = table.rows
    if len(rows) < 2:  # noqa: PLR2004 - a head and a row
        raise BadInput("embedded-table-empty")
    width = len(rows[0])
    even = [[cell.strip() for cell in [*row, *[""] * width][:width]] for row in rows]
    return even, table.notes


def _read_numbers(table: Any, thousands: str, decimal: str) -> dict[str, Any]:
    """The columns whose cells are all numbers, written with these separators."""
    import pandas as pd

    columns = {}
    for name in table.columns:
        bare = table[name].str.strip(" \u00a0%€$£¥₹").str.replace("−", "-")
        given = bare != ""
        if given.any() and bare[given].str.fullmatch(_NUMBER % (thousands, decimal)).all():
            plain = bare.str.replace(thousands, "").str.replace(decimal, ".")
            columns[name] = pd.to_numeric(plain.where(given)).astype(float)
    return columns


def _read_dates(column: Any) -> Any:
    """A column as dates if all its cells are; else as it is."""
    import pandas as pd

    for form in _DATES:
        dates = pd.to_datetime(column, format=form, errors="coerce")
        if dates.notna().any() and dates[column != ""].notna().all():
            return dates
    return column


def _parse_query(table: TypedTable, question: str) -> _Query:
    """Conditions and the group are cut out of the question; the rest must be asked for."""
    tokens, conditions = read_table_words(table, question)
    groups = [table.names[int(a or b)] for a, b in _GROUP.findall(tokens)]
    conditions += read_comparisons(table, tokens)
    rest = set(COMPARISON.sub(" ", _GROUP.sub(" ", tokens)).split())
    columns = [name for place, name in enumerate(table.names) if f"C{place}" in rest]
    operations = rest & _AGGREGATES or rest & {"count"}
    unknown = rest - {f"C{place}" for place in range(len(table.names))} - _AGGREGATES
    unknown -= {"count", "which", "rows"}
    if numbers := sorted(token for token in unknown if token[0] == "N"):
        raise _refuse("embedded-table-unclear", table, words=_list(numbers))
    if unknown or len(operations) > 1 or len(groups) > 1:
        raise _refuse("embedded-table-beyond", table)
    if operations == {"count"} and not (columns or conditions or "rows" in rest):
        raise _refuse("embedded-table-beyond", table)
    used = {condition.column for condition in conditions}
    return _Query(
        operation="".join(operations),
        columns=[name for name in columns if name not in used],
        group="".join(groups),
        conditions=conditions,
        asks_which="which" in rest,
    )


def read_comparisons(table: TypedTable, tokens: str) -> list[Condition]:
    """The comparisons among the words of a text. Raises ExpertRefused."""
    conditions = []
    for place, sign, limit in COMPARISON.findall(tokens):
        name, number = table.names[int(place)], limit.replace(",", ".")
        shown, compare = SIGNS[sign]
        if not table.is_numeric(name):
            raise _refuse("embedded-table-which-column", table)
        test = partial(getattr(table.typed[name], compare), float(number))
        conditions.append(Condition(name, f"{name} {shown} {number}", test))
    return conditions


def read_table_words(
    table: TypedTable, text: str, order: OrderWords | None = None
) -> tuple[str, list[Condition]]:
    """Columns as C0, numbers as N0, known words by their concepts; and the values as conditions.

    The words are those of the lexicon for questions, after those of `order`. Raises ExpertRefused,
    naming the words that are not understood or mean several things.
    """
    values, words = list(_list_values(table)), split_words(text)
    known = order.vocabulary if order else phrases("table", "join")
    matches = _build_vocabulary(table, [phrase for phrase, _ in values], known).find(words)
    unknown = [
        " ".join(words[match.start : match.end])
        for match in matches
        if not _is_understood(match.concept, words[match.start], order)
    ]
    if unknown and order:
        raise refuse(unknown, order.can)
    if unknown:
        raise _refuse("embedded-table-unclear", table, words=_list(unknown))
    conditions = [values[int(one.concept[1:])][1] for one in matches if one.concept[:1] == "V"]
    tokens = [
        _name_token(match.concept) or f"N{words[match.start]}"
        for match in matches
        if match.concept[:1] != "V" and match.concept not in _EMPTY
    ]
    return " ".join(tokens), conditions


def _is_understood(concept: str, word: str, order: OrderWords | None) -> bool:
    if order is None or (concept[:1] in ("C", "V") and concept[1:].isdigit()):
        return bool(concept) or word[0].isdigit()
    return concept in _EMPTY or is_understood(concept, word, order.allowed)


def _name_token(concept: str) -> str:
    section, _, name = concept.rpartition(".")
    return f"N{name}" if section == "number" else f".{name}" if section == "type" else name


def _build_vocabulary(table: TypedTable, values: Sequence[str], words: Phrases) -> Phrases:
    """The words for columns (which may go on), values and operations; none that mean several."""
    meanings: dict[tuple[str, ...], set[str]] = {}
    for place, phrase in enumerate(values):
        meanings.setdefault(tuple(split_words(phrase)), set()).add(f"V{place}")
    for place, name in enumerate(table.names):
        for parts in filter(None, map(split_words, (name, name.partition("(")[0]))):
            for last in (parts[-1], f"{parts[-1]}*"):
                meanings.setdefault((*parts[:-1], last), set()).add(f"C{place}")
    known = dict(words.meanings)
    for key, candidates in meanings.items():
        clash = known.get(key, "table.fill") not in _WEAK or len(candidates) > 1
        known[key] = "" if clash else min(candidates)
    return Phrases(known)


def _list_values(table: TypedTable) -> Iterator[tuple[str, Condition]]:
    """The words for the values of a table, each with its condition."""
    for name in table.names:
        column = table.typed[name]
        if table.is_date(name):
            month, year = column.dt.month, column.dt.year
            for word, number in months().items():
                test = partial(month.eq, number)
                yield word, Condition(name, f"{name} = month {number}", test)
            for number in map(int, year.dropna().unique()):
                yield str(number), Condition(name, f"{name} = {number}", partial(year.eq, number))
        elif not table.is_numeric(name):
            for cell in column.unique()[:_MOST_VALUES]:
                if 1 < len(cell) <= _LONGEST_VALUE:
                    yield cell, Condition(name, f"{name} = {cell}", partial(column.eq, cell))


def _aggregate(part: TypedTable, query: _Query, language: str) -> tuple[str, str, str]:
    """The operation, its column and the answer. Raises ExpertRefused."""
    operation, column = _choose_column(part, query)
    function = {"count": "size", "distinct": "nunique"}.get(operation, operation)
    if query.group:
        groups = part.typed.groupby(part.cells[query.group], sort=False)
        results = getattr(groups[column or query.group], function)()
        if len(results) > _MOST_LISTED or query.asks_which:
            raise _refuse("embedded-table-beyond", part)
        listed = "; ".join(
            f"{key}: {_format(n, operation, language)}" for key, n in results.items()
        )
        return operation, column, listed
    result = getattr(part.typed[column], function)() if column else len(part.cells)
    if not query.asks_which or operation not in ("max", "min"):
        return operation, column, _format(float(result), operation, language)
    others = [name for name in query.columns if name != column] or part.names
    texts = [name for name in others if part.typed[name].dtype == part.cells[name].dtype]
    name = next((name for name in texts if part.cells[name].is_unique), "")
    if not name and len(texts) == 1 and texts[0] in query.columns:
        name = texts[0]
    best = part.cells[part.typed[column] == result][name].unique() if name else ()
    if not len(best) or {*best} != _find_best_sums(part, name, column, function):
        raise _refuse("embedded-table-beyond", part)
    return operation, column, ", ".join(best[:_MOST_LISTED])


def _find_best_sums(part: TypedTable, name: str, column: str, function: str) -> set[str]:
    """The values of `name` whose rows add up to the most, or the least, in a column.

    "Which region sold most" may ask for the best row or for the best sum.
    """
    sums = part.typed[column].groupby(part.cells[name], sort=False).sum()
    return {*sums.index[sums == getattr(sums, function)()]}


def _choose_column(part: TypedTable, query: _Query) -> tuple[str, str]:
    """What is done to which column; "" for a count of rows. Raises ExpertRefused."""
    numeric = [name for name in query.columns if part.is_numeric(name)]
    others = [name for name in query.columns if name not in numeric]
    if query.operation == "count" and len(query.columns) <= 1:
        unique = all(part.cells[name].is_unique for name in others)
        operation = "sum" if numeric else "count" if unique else "distinct"
        return operation, "" if operation == "count" else query.columns[0]
    if len(others) == 1 and not numeric and query.operation != "count":
        raise _refuse("embedded-table-not-numbers", part, column=others[0])
    harmless = query.asks_which or all(part.cells[name].is_unique for name in others)
    if query.operation == "count" or len(numeric) != 1 or len(others) > 1 or not harmless:
        raise _refuse("embedded-table-which-column", part)
    return query.operation, numeric[0]


def _look_up(part: TypedTable, query: _Query) -> tuple[str, str, str]:
    """The only value of a column in the rows that fit. Raises ExpertRefused."""
    if len(query.columns) != 1:
        raise _refuse("embedded-table-which-column", part)
    if not query.conditions:
        raise _refuse("embedded-table-beyond", part)
    name = query.columns[0]
    values = part.cells[name].unique()
    if len(values) > 1 or (len(part.cells) > 1 and part.is_numeric(name)):
        rows = len(part.cells)
        raise _refuse("embedded-table-several-rows", part, column=name, rows=rows)
    return "lookup", name, str(values[0])


def _format(number: float, operation: str, language: str) -> str:
    """An average with two decimal places, unless it is small; what the table has as it is."""
    number = round(number, 2 if operation == "mean" and abs(number) >= 1 else 6)
    try:
        return format_decimal(number, "#,##0.######", locale=language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return format_decimal(number, "#,##0.######", locale="en")


def _list(words: Iterable[str]) -> str:
    return ", ".join(word.removeprefix("N") for word in words)


def _refuse(message: str, table: TypedTable, **facts: str | float) -> ExpertRefused:
    return ExpertRefused(message, columns=", ".join(table.names)[:300], **facts)
