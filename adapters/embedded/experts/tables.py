"""Questions on a table: filters, a group and an aggregate, where every word was understood."""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
_COMPARISONS = {"more": ">", "less": "<", "at_least": "≥", "at_most": "≤", "equal": "="}
_SIGNS = {">": "gt", "<": "lt", "≥": "ge", "≤": "le"}
_MARKS = frozenset({"which", "rows", "or"})
_AGGREGATES = frozenset({"sum", "mean", "median", "max", "min", "count"})


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

    def is_unique(self, name: str, rows: Any) -> bool:
        return bool(self.cells.loc[rows, name].is_unique)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """What a question asks; `names` are its columns, `first` those before the aggregate."""

    aggregates: frozenset[str]
    names: Sequence[str]
    first: Sequence[str]
    group: str
    conditions: Sequence[tuple[str, str, str]]
    """Column, sign, value."""
    marks: frozenset[str]
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
    for condition in query.conditions:
        rows = rows[_holds(table, query, *condition).loc[rows]]
    if rows.empty or len(query.aggregates - {"count"}) > 1:
        raise _refuse("embedded-table-beyond", table)
    if query.aggregates:
        operation, column, answer = _aggregate(table, query, rows, language)
    else:
        operation, column, answer = "lookup", *_look_up(table, query, rows)
    where = ", ".join(" ".join(condition) for condition in query.conditions) or "none"
    done = LocalizedText(
        "embedded-table-operation",
        {"op": operation, "column": column, "rows": len(rows), "where": where},
    )
    if query.group:
        done = LocalizedText("embedded-table-grouped", {"operation": done, "group": query.group})
    return Finding(answer, done)


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


def _parse_query(table: TypedTable, question: str) -> _Query:
    """Conditions and the group are cut out of the question; the rest must be asked for."""
    tokens, values = _tokenize(table, question)
    names = {f"C{place}": name for place, name in enumerate(table.names)}
    group = re.search(r"\bgroup (C\d+)\b|\b(C\d+) group_after\b", tokens)
    if group:
        tokens = tokens.replace(group.group(), " ", 1)
    conditions = []
    for pattern, make in _list_rules(table, names, values):
        conditions += [make(*hit.groups()) for hit in re.finditer(pattern, tokens)]
        tokens = re.sub(pattern, " ", tokens)
    rest = tokens.split()
    if unknown := {*rest} - {*names, *_AGGREGATES, *_MARKS}:
        raise _refuse("embedded-table-unclear", table, words=_quote(sorted(unknown)))
    if "count" in rest:  # those for whom a column says yes
        truths = [(names[one], _find_yes(table, names[one])) for one in rest if one in names]
        conditions += [(name, "=", yes) for name, yes in truths if yes]
    used = {name for name, _, _ in conditions}
    start = next((at for at, one in enumerate(rest) if one in _AGGREGATES), len(rest))
    asked = [(names[one], at < start) for at, one in enumerate(rest) if one in names]
    return _Query(
        aggregates=_AGGREGATES & set(rest),
        names=[name for name, _ in asked if name not in used],
        first=[name for name, is_first in asked if is_first and name not in used],
        group=names[group[1] or group[2]] if group else "",
        conditions=list(dict.fromkeys(conditions)),
        marks=_MARKS & set(rest),
    )


def _list_rules(
    table: TypedTable, names: Mapping[str, str], values: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, Callable[..., tuple[str, str, str]]]]:
    """Patterns of conditions in tokens, and what condition each makes of its groups."""

    def compare(name: str, sign: str, number: str) -> tuple[str, str, str]:
        return names[name], _COMPARISONS[sign], _parse_limit(table, number)

    numeric = [token for token, name in names.items() if table.is_numeric(name)]
    name, sign = f"({'|'.join(numeric) or '-'})", f"({'|'.join(_COMPARISONS)})"
    yield rf"\b{name} +{sign} N(\S+)", compare
    yield rf"\b{sign} N(\S+) +{name}\b", lambda sign, number, name: compare(name, sign, number)
    yield rf"\b{name} +N(\S+)", lambda name, number: compare(name, "equal", number)
    yield r"\bV(\d+)\b", lambda place: (values[int(place)][0], "=", values[int(place)][1])
    yield r"\b(month) (\d+)\b", lambda *part: (_date_column(table), "=", " ".join(part))
    yield r"\bN((?:19|20)\d\d)\b", lambda year: (_date_column(table), "=", f"year {year}")


def _tokenize(table: TypedTable, question: str) -> tuple[str, list[tuple[str, str]]]:
    """Columns as C0, values as V0 (with what they are), numbers as N0, and known words.

    Raises ExpertRefused, naming the words that are not understood or mean several things.
    """
    meanings: dict[tuple[str, ...], set[str]] = {}
    values: list[tuple[str, str]] = []
    for name, meaning in _list_phrases(table, values):
        meanings.setdefault(tuple(split_words(name)), set()).add(meaning)
    exact = dict(phrases("table").meanings)
    for phrase, known in meanings.items():
        clash = exact.get(phrase, "table.fill") != "table.fill" or len(known) > 1
        exact[phrase] = "ambiguous" if clash else min(known)
    words = split_words(question)
    tokens, unknown = [], []
    for concept, start, end in Phrases(exact).find(words):
        word = " ".join(words[start:end])
        if concept == "ambiguous" or not (concept or word[0].isdigit()):
            unknown.append(word)
        elif concept != "table.fill":
            tokens.append(concept.removeprefix("table.") or f"N{word}")
    if unknown:
        raise _refuse("embedded-table-unclear", table, words=_quote(unknown))
    return " ".join(tokens), values


def _list_phrases(table: TypedTable, values: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The names and the values of a table with their tokens; the values are listed, too."""
    for place, name in enumerate(table.names):
        for full in {name, name.partition("(")[0].strip()} - {""}:
            yield from ((form, f"C{place}") for form in inflect(full))
        if table.is_date(name):
            yield from ((month, f"month {number}") for month, number in months().items())
        elif not table.is_numeric(name):
            cells = [cell for cell in table.cells[name].unique()[:_MOST_VALUES] if len(cell) > 1]
            numbers = [months().get(" ".join(split_words(cell))) for cell in cells]
            for cell, number in zip(cells, numbers, strict=True):
                token = f"V{len(values)}"
                values.append((name, cell))
                yield cell, token
                if all(numbers):
                    yield from ((word, token) for word, n in months().items() if n == number)


def _parse_limit(table: TypedTable, word: str) -> str:
    """A number of a question; one that could be read in two ways is refused."""
    whole, point, part = word.replace(",", ".").partition(".")
    if not whole.isdigit() or (point and (not part.isdigit() or len(part) == 3)):  # noqa: PLR2004
        raise _refuse("embedded-table-unclear", table, words=_quote([word]))
    return f"{whole}{point}{part}"


def _date_column(table: TypedTable) -> str:
    dates = [name for name in table.names if table.is_date(name)]
    if len(dates) != 1:
        raise _refuse("embedded-table-which-column", table)
    return dates[0]


def _find_yes(table: TypedTable, name: str) -> str:
    """The "yes" of a column that holds nothing but yes and no; else ""."""
    values = {value for value in table.cells[name] if value}
    yes = [value for value in values if value.casefold() in entries("table")["yes"]]
    no = [value for value in values if value.casefold() in entries("table")["no"]]
    return yes[0] if len(yes) == 1 and len(values) == len(yes + no) else ""


def _holds(table: TypedTable, query: _Query, name: str, sign: str, value: str) -> Any:
    """For each row, whether a condition holds."""
    column = table.typed[name]
    if table.is_date(name):
        part, _, number = value.partition(" ")
        return getattr(column.dt, part) == int(number)
    if sign != "=":
        return getattr(column, _SIGNS[sign])(float(value))
    others = {v for n, s, v in query.conditions if (n, s) == (name, "=")}
    if len(others) > 1 and "or" not in query.marks:
        raise _refuse("embedded-table-beyond", table)
    return column.isin(list(map(float, others)) if table.is_numeric(name) else others)


def _aggregate(table: TypedTable, query: _Query, rows: Any, language: str) -> tuple[str, str, str]:
    """The operation, its column and the answer. Raises ExpertRefused."""
    operation = next(iter(query.aggregates - {"count"}), "count")
    column = _choose_column(table, query, rows, operation)
    if operation == "count" and column:
        operation = "sum" if table.is_numeric(column) else "distinct"
    pandas_name = {"count": "size", "distinct": "nunique"}.get(operation, operation)
    part = table.typed.loc[rows]
    if query.group:
        groups = part.groupby(part[query.group].astype(str), sort=False)
        results = getattr(groups[column or query.group], pandas_name)()
        if len(results) > _MOST_LISTED or "which" in query.marks:
            raise _refuse("embedded-table-beyond", table)
        listed = "; ".join(f"{key}: {_format(n, language)}" for key, n in results.items())
        return operation, column, listed
    result = getattr(part[column], pandas_name)() if column else len(part)
    asked = [name for name in query.first if name != column]
    if operation in ("max", "min") and ("which" in query.marks or asked):
        texts = [n for n in table.names if not table.is_numeric(n) and not table.is_date(n)]
        unique = [name for name in asked or texts if table.is_unique(name, rows)]
        if not unique:
            raise _refuse("embedded-table-beyond", table)
        best = table.cells.loc[rows][part[column] == result][unique[0]]
        return operation, column, ", ".join(best[:_MOST_LISTED])
    return operation, column, _format(float(result), language)


def _choose_column(table: TypedTable, query: _Query, rows: Any, operation: str) -> str:
    """The column that an aggregate is of; "" for a count of rows. Raises ExpertRefused."""
    numeric = [name for name in query.names if table.is_numeric(name)]
    others = [name for name in query.names if not table.is_numeric(name)]
    if operation == "count":
        about = query.names or "rows" in query.marks or query.conditions
        if len(query.names) > 1 or not about:
            raise _refuse("embedded-table-beyond", table)
        column = (*query.names, "")[0]
        return "" if others and table.is_unique(column, rows) else column
    harmless = query.group or all(table.is_unique(name, rows) for name in others)
    if len(numeric) != 1 or len(others) > 1 or not harmless:
        raise _refuse("embedded-table-which-column", table)
    return numeric[0]


def _look_up(table: TypedTable, query: _Query, rows: Any) -> tuple[str, str]:
    if len(query.names) != 1 or not query.conditions or query.group:
        raise _refuse("embedded-table-beyond", table)
    name = query.names[0]
    values = list(dict.fromkeys(table.cells.loc[rows, name]))
    if len(rows) > 1 and (table.is_numeric(name) or len(values) > _MOST_LISTED):
        raise _refuse("embedded-table-several-rows", table, column=name, rows=len(rows))
    return name, ", ".join(values)


def _format(number: float, language: str) -> str:
    try:
        return format_decimal(round(number, 6), "#,##0.######", locale=language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return format_decimal(round(number, 6), "#,##0.######", locale="en")


def _quote(words: Iterable[str]) -> str:
    return ", ".join(f"“{word.removeprefix('N')}”" for word in words)


def _refuse(message: str, table: TypedTable, **facts: str | float) -> ExpertRefused:
    return ExpertRefused(message, columns=", ".join(table.names)[:300], **facts)
