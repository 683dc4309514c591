"""Questions on a table: filters, a group and an aggregate, where every word was understood."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from babel import UnknownLocaleError
from babel.numbers import format_decimal

from adapters.embedded.experts.lexicon import (
    Phrases,
    entries,
    inflect,
    months,
    phrases,
    split_words,
)
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    get_file,
    require_text,
)
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.sheets import as_text, cells

_MOST_ROWS, _MOST_VALUES, _MOST_LISTED = 100_000, 2_000, 20
_THOUSANDS = r"[1-9]\d{0,2}(?:%s\d{3})+|\d+"
_SIGNS = {"more": ">", "less": "<", "at_least": "≥", "at_most": "≤", "equal": "="}
_EXTREMES = ("max", "min")
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table as it was written (`cells`), and with numbers and dates as such (`typed`)."""

    cells: Any
    typed: Any

    @property
    def names(self) -> list[str]:
        return list(self.cells.columns)

    def is_numeric(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "f")

    def is_date(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "M")

    def is_truth(self, name: str) -> bool:
        """Whether a column holds nothing but yes and no."""
        values = {value.casefold() for value in self.cells[name]} - {""}
        words = {word for key in ("yes", "no") for word in entries("table")[key]}
        return bool(values) and values <= words


@dataclass(slots=True)
class _TableQuery:
    """What a question says, word by word; columns that a condition uses are not its target."""

    aggregates: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    """The targets that stand before the first aggregate."""
    conditions: list[tuple[str, str, Any]] = field(default_factory=list)
    group: str = ""
    marks: set[str] = field(default_factory=set)
    """That it asks "which", counts "rows", or joins values by "or"."""


def ask_table(args: ExpertInput, language: str) -> WorkerResult:
    """Answers with the operation that was done. Raises BadInput, ExpertRefused."""
    question = require_text(args, "question")
    table = load_table(get_file(args, "table"))
    return answer_each(question, partial(answer_on_table, table, language))


def answer_on_table(table: TypedTable, language: str, question: str) -> Finding:
    """Raises ExpertRefused for what was not understood, naming it."""
    query = _parse_query(table, question)
    rows = table.cells.index
    for name, sign, value in query.conditions:
        rows = rows[_holds(table, name, sign, value, query).loc[rows]]
    operation, column, answer = _compute(table, query, rows, language)
    conditions = ", ".join(f"{name} {_SIGNS[sign]} {value}" for name, sign, value in _shown(query))
    done = LocalizedText(
        "embedded-table-operation",
        {"op": operation, "column": column, "rows": len(rows), "where": conditions or "none"},
    )
    if query.group:
        done = LocalizedText("embedded-table-grouped", {"operation": done, "group": query.group})
    return Finding(answer, done, 1.0)


def load_table(blob: Blob) -> TypedTable:
    """The rows of a table in text, its columns typed. Raises BadInput, ExpertRefused."""
    import pandas as pd

    head, *rows = read_rows(blob)
    names = [name or f"#{place + 1}" for place, name in enumerate(head)]
    if len(set(names)) < len(names):
        names = [f"{name} #{place + 1}" for place, name in enumerate(names)]
    table = pd.DataFrame(rows[:_MOST_ROWS], columns=names, dtype=str)
    styles = {
        name: [_to_numbers(table[name], sep) for sep in ((",", "."), (".", ","))] for name in names
    }
    only_european = any(a is None and b is not None for a, b in styles.values())
    only_english = any(b is None and a is not None for a, b in styles.values())
    typed = {}
    for name, (english, european) in styles.items():
        numbers = english if english is not None else european
        if english is not None and european is not None and not english.equals(european):
            numbers = english if only_english > only_european else None
            numbers = european if only_european > only_english else numbers
        dates = _to_dates(table[name]) if numbers is None else None
        typed[name] = next((c for c in (numbers, dates) if c is not None), table[name])
    return TypedTable(table, pd.DataFrame(typed))


def read_rows(blob: Blob) -> list[list[str]]:
    """The rows of a table in text, all as long as the head. Raises BadInput, ExpertRefused."""
    text = as_text(blob.data)
    if text is None:
        raise ExpertRefused("embedded-document-unknown")
    try:
        rows = cells(text, blob.media_type)
    except csv.Error as error:
        raise BadInput("embedded-table-broken") from error
    if len(rows) < 2:  # noqa: PLR2004 - a head and a row
        raise BadInput("embedded-table-empty")
    width = len(rows[0])
    return [[cell.strip() for cell in [*row, *[""] * width][:width]] for row in rows]


def _to_numbers(column: Any, separators: tuple[str, str]) -> Any:
    """A column as numbers if all its cells are; the separators of thousands and of decimals."""
    import pandas as pd

    thousands, decimal = separators
    bare = column.str.strip(" \u00a0%€$£¥₹").str.replace("−", "-")
    pattern = rf"[-+]?(?:{_THOUSANDS % f'[{thousands}]'})(?:[{decimal}]\d+)?"
    given = bare != ""
    if not given.any() or not bare[given].str.fullmatch(pattern).all():
        return None
    plain = bare.str.replace(thousands, "").str.replace(decimal, ".")
    return pd.to_numeric(plain.where(given), errors="coerce").astype(float)


def _to_dates(column: Any) -> Any:
    import pandas as pd

    for form in ("%Y-%m-%d", "%d.%m.%Y", "%Y-%m"):
        dates = pd.to_datetime(column, format=form, errors="coerce")
        if dates.notna().any() and dates[column != ""].notna().all():
            return dates
    return None


def _parse_query(table: TypedTable, question: str) -> _TableQuery:
    words = split_words(question)
    items = [
        (match.concept or "word", " ".join(words[match.start : match.end]))
        for match in _vocabulary(table).find(words)
        if match.concept != "table.fill"
    ]
    if unknown := [word for concept, word in items if _is_unknown(concept, word)]:
        raise _refuse("embedded-table-unclear", table, words=", ".join(f"“{w}”" for w in unknown))
    query, used = _TableQuery(), set[int]()
    for place in range(len(items)):
        if place not in used:
            used |= _read_item(table, query, items, place)
    with_value = {name for name, *_ in query.conditions}
    query.targets = [name for name in query.targets if name not in with_value]
    return query


def _vocabulary(table: TypedTable) -> Phrases:
    """The names and values of the table, and the words of questions; ambiguous ones say so."""
    meanings: dict[tuple[str, ...], set[str]] = {}
    for phrase, concept in (*_name_phrases(table), *_value_phrases(table)):
        meanings.setdefault(tuple(split_words(phrase)), set()).add(concept)
    general = phrases("table")
    own = []
    for words, concepts in meanings.items():
        clash = general.exact.get(words, "table.fill") != "table.fill"
        concept = "ambiguous" if clash or len(concepts) > 1 else next(iter(concepts))
        own.append((" ".join(words), concept))
    exact = {**general.exact, **Phrases.of(own).exact}
    return Phrases(exact, {}, max(map(len, exact)))


def _name_phrases(table: TypedTable) -> Iterable[tuple[str, str]]:
    for place, name in enumerate(table.names):
        for full in {name, name.partition("(")[0].strip()} - {""}:
            yield from ((form, f"column {place}") for form in inflect(full))


def _value_phrases(table: TypedTable) -> Iterable[tuple[str, str]]:
    for place, name in enumerate(table.names):
        if table.is_numeric(name):
            continue
        if table.is_date(name):
            yield from ((month, f"month {number}") for month, number in months().items())
            continue
        values = [value for value in table.cells[name].unique()[:_MOST_VALUES] if value]
        yield from ((value, f"value {place} {value}") for value in values if len(value) > 1)
        numbers = [months().get(" ".join(split_words(value))) for value in values]
        if all(numbers):
            for month, number in months().items():
                if number in numbers:
                    yield month, f"value {place} {values[numbers.index(number)]}"


def _is_unknown(concept: str, word: str) -> bool:
    number = any(sign.isdigit() for sign in word)
    return concept == "ambiguous" or (concept == "word" and not number)


def _read_item(
    table: TypedTable, query: _TableQuery, items: Sequence[tuple[str, str]], place: int
) -> set[int]:
    """Adds what an item says to the query, and returns the places of all items that it used."""
    concept, word = items[place]
    kind, _, rest = concept.removeprefix("table.").partition(" ")
    if reader := _READERS.get(kind):
        return reader(table, query, items, place)
    if kind == "value":
        column, _, value = rest.partition(" ")
        query.conditions.append((table.names[int(column)], "equal", value))
    elif kind == "month" or (kind == "word" and word.isdigit() and int(word) in _YEARS):
        part = f"month {rest}" if rest else f"year {word}"
        query.conditions.append((_date_column(table), "equal", part))
    elif kind in ("which", "rows", "or"):
        query.marks.add(kind)
    elif kind in ("word", "yes", "no"):
        raise _refuse("embedded-table-unclear", table, words=f"“{word}”")
    else:
        query.aggregates.append(kind)
    return {place}


def _read_group(
    table: TypedTable, query: _TableQuery, items: Sequence[tuple[str, str]], place: int
) -> set[int]:
    """In some languages the word for "each" stands before its column, in others after it."""
    concept, word = items[place]
    after = concept == "table.group_after"
    beside = place + (-1 if after else 1)
    query.group = _column_at(table, items, beside)
    if not query.group:
        raise _refuse("embedded-table-unclear", table, words=f"“{word}”")
    if after:
        query.targets.remove(query.group)
    return {place, beside}


def _read_column(
    table: TypedTable,
    query: _TableQuery,
    items: Sequence[tuple[str, str]],
    place: int,
) -> set[int]:
    """A column that a number follows is a condition, any other one is asked for."""
    name = _column_at(table, items, place)
    following = items[place + 1] if place + 1 < len(items) else ("", "")
    if following[0] == "word" and table.is_numeric(name):
        query.conditions.append((name, "equal", _parse_limit(table, following[1])))
        return {place, place + 1}
    if following[0].removeprefix("table.") in _SIGNS:
        return {place}
    query.targets.append(name)
    query.before += [] if query.aggregates else [name]
    return {place}


def _read_comparison(
    table: TypedTable,
    query: _TableQuery,
    items: Sequence[tuple[str, str]],
    place: int,
) -> set[int]:
    """A comparison is of the column right before it, else of the one right after its number."""
    concept, word = items[place]
    number = items[place + 1] if place + 1 < len(items) else ("", "")
    for beside, used in ((place - 1, set[int]()), (place + 2, {place + 2})):
        name = _column_at(table, items, beside)
        if number[0] == "word" and name and table.is_numeric(name):
            limit = _parse_limit(table, number[1])
            query.conditions.append((name, concept.removeprefix("table."), limit))
            return {place, place + 1} | used
    raise _refuse("embedded-table-unclear", table, words=f"“{word}”")


def _parse_limit(table: TypedTable, word: str) -> float:
    """A number of a question; one that could be read in two ways is refused."""
    whole, point, part = word.replace(",", ".").partition(".")
    if not whole.isdigit() or (point and (not part.isdigit() or len(part) == 3)):  # noqa: PLR2004
        raise _refuse("embedded-table-unclear", table, words=f"“{word}”")
    return float(f"{whole}.{part or 0}")


def _column_at(table: TypedTable, items: Sequence[tuple[str, str]], place: int) -> str:
    if not 0 <= place < len(items) or not items[place][0].startswith("column "):
        return ""
    return table.names[int(items[place][0].removeprefix("column "))]


_READERS: Mapping[str, Callable[..., set[int]]] = {
    "column": _read_column,
    "group": _read_group,
    "group_after": _read_group,
    **dict.fromkeys(("more", "less", "at_least", "at_most"), _read_comparison),
}


def _date_column(table: TypedTable) -> str:
    dates = [name for name in table.names if table.is_date(name)]
    if len(dates) != 1:
        raise _refuse("embedded-table-which-column", table)
    return dates[0]


def _shown(query: _TableQuery) -> Iterable[tuple[str, str, Any]]:
    for name, sign, value in query.conditions:
        plain = f"{value:g}" if isinstance(value, float) else value
        yield name, sign, plain


def _holds(table: TypedTable, name: str, sign: str, value: Any, query: _TableQuery) -> Any:
    """For each row, whether a condition holds."""
    column = table.typed[name]
    if table.is_date(name):
        part, _, number = value.partition(" ")
        return getattr(column.dt, part) == int(number)
    others = [v for n, s, v in query.conditions if (n, s) == (name, "equal")]
    if len(set(others)) > 1 and "or" not in query.marks:
        raise _refuse("embedded-table-beyond", table)
    comparisons: Mapping[str, Any] = {
        "more": column.gt, "less": column.lt, "at_least": column.ge, "at_most": column.le,
    }  # fmt: skip
    return comparisons[sign](value) if sign in comparisons else column.isin(others)


def _compute(
    table: TypedTable,
    query: _TableQuery,
    rows: Any,
    language: str,
) -> tuple[str, str, str]:
    """The operation that was done, its column, and the answer. Raises ExpertRefused."""
    aggregates = [name for name in dict.fromkeys(query.aggregates) if name != "count"]
    truths = [name for name in query.targets if table.is_truth(name)]
    if len(aggregates) > 1 or rows.empty or ("which" in query.marks and query.group):
        raise _refuse("embedded-table-beyond", table)
    if not query.aggregates:
        return _look_up(table, query, rows)
    if not aggregates and len(truths) == 1:
        query.targets.remove(truths[0])
        yes = [value.casefold() in entries("table")["yes"] for value in table.cells[truths[0]]]
        query.conditions.append((truths[0], "equal", next(iter(entries("table")["yes"]))))
        rows = rows[table.cells.assign(yes=yes)["yes"].loc[rows]]
    operation = aggregates[0] if aggregates else "count"
    column = _target_column(table, query, rows, operation)
    if column and operation == "count":
        operation = "sum" if table.is_numeric(column) else "distinct"
    by = table.typed.loc[rows]
    if operation in _EXTREMES and not query.group:
        return _find_extreme(table, query, rows, (operation, column), language)
    if query.group:
        groups = by.groupby(by[query.group].astype(str), sort=False)
        parts = {key: _aggregate(part, operation, column) for key, part in groups}
        if len(parts) > _MOST_LISTED or (not column and operation != "count"):
            raise _refuse("embedded-table-beyond", table)
        listed = "; ".join(f"{key}: {_format(n, language)}" for key, n in parts.items())
        return operation, column, listed
    return operation, column, _format(_aggregate(by, operation, column), language)


def _target_column(table: TypedTable, query: _TableQuery, rows: Any, operation: str) -> str:
    """The column that an aggregate is of; "" for a count of rows. Raises ExpertRefused."""
    numeric = [name for name in query.targets if table.is_numeric(name)]
    others = [name for name in query.targets if not table.is_numeric(name)]
    if operation == "count":
        if len(query.targets) > 1 or not (
            query.targets or "rows" in query.marks or query.conditions
        ):
            raise _refuse("embedded-table-beyond", table)
        column = (*numeric, *others, "")[0]
        return "" if others and table.cells.loc[rows, column].is_unique else column
    harmless = all(table.cells.loc[rows, name].is_unique for name in others)
    if len(numeric) != 1 or len(others) > 1 or not (harmless or query.group):
        raise _refuse("embedded-table-which-column", table)
    return numeric[0]


def _aggregate(part: Any, operation: str, column: str) -> float:
    if operation == "count":
        return len(part)
    values = part[column]
    return float(values.nunique() if operation == "distinct" else getattr(values, operation)())


def _find_extreme(
    table: TypedTable,
    query: _TableQuery,
    rows: Any,
    operation: tuple[str, str],
    language: str,
) -> tuple[str, str, str]:
    """The highest or lowest value, or whose it is where a name was asked for."""
    name, column = operation
    values = table.typed.loc[rows, column]
    best = getattr(values, name)()
    asked = [target for target in query.before if target != column]
    if "which" not in query.marks and not asked:
        return name, column, _format(best, language)
    texts = [n for n in table.names if not table.is_numeric(n) and not table.is_date(n)]
    unique = [n for n in (asked or texts) if table.cells.loc[rows, n].is_unique]
    if not unique:
        raise _refuse("embedded-table-beyond", table)
    return name, column, ", ".join(table.cells.loc[rows][values == best][unique[0]][:_MOST_LISTED])


def _look_up(table: TypedTable, query: _TableQuery, rows: Any) -> tuple[str, str, str]:
    if len(query.targets) != 1 or not query.conditions or query.group:
        raise _refuse("embedded-table-beyond", table)
    name = query.targets[0]
    values = list(dict.fromkeys(table.cells.loc[rows, name]))
    if len(rows) > 1 and (table.is_numeric(name) or len(values) > _MOST_LISTED):
        raise _refuse("embedded-table-several-rows", table, column=name, rows=len(rows))
    return "lookup", name, ", ".join(values)


def _format(number: float, language: str) -> str:
    try:
        return format_decimal(round(number, 6), "#,##0.######", locale=language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return format_decimal(round(number, 6), "#,##0.######", locale="en")


def _refuse(message: str, table: TypedTable, **facts: str | float) -> ExpertRefused:
    return ExpertRefused(message, columns=", ".join(table.names)[:300], **facts)
