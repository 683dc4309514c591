"""Questions on a table: filters, a group and an aggregate, where every word was understood."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from babel import UnknownLocaleError
from babel.numbers import format_decimal

from adapters.embedded.experts.orders import list_numbers
from adapters.embedded.experts.table_words import (
    SIGNS,
    Condition,
    cut_conditions,
    find_rows,
    read_table_words,
    refuse_question,
)
from adapters.embedded.experts.task_io import (
    ExpertInput,
    Finding,
    WorkerResult,
    answer_each,
    get_file,
    require_text,
)
from adapters.embedded.experts.typed_table import (
    TypedTable,
    leave_out_totals,
    load_table,
    told_of_other_sheets,
)
from adapters.embedded.lexicon import split_sentences
from pipeline.domain import LocalizedText
from pipeline.errors import ExpertRefused

_MOST_LISTED = 20
"""Values that an answer lists."""
_FIGURE = re.compile(r"[^\w]*\d[\d\W]*")
_GROUP = re.compile(r"group C(\d+)|C(\d+) group_after")
_TURNED = re.compile(rf"(?:C(\d+) )?({'|'.join(SIGNS)}) (N\S+) (C\d+)")
"""A comparison before its column: "more than 100 units"."""
_EQUAL = (
    re.compile(r"\bN(?P<number>\d+) C(?P<place>\d+)\b"),
    re.compile(r"\bC(?P<place>\d+) N(?P<number>\d+)(?!\S)"),
)
_PARAGRAPHS = re.compile(r"\n\s*\n")
_AGGREGATES = {"sum", "mean", "median", "max", "min"}
_ENDS = {"latest": "max", "earliest": "min"}
_KNOWN = _AGGREGATES | {
    "count",
    "which",
    "rows",
    "most",
    "first",
    "last",
    "when",
    "distinct",
    *_ENDS,
}


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
    counts_rows: bool
    """Whether a word for rows was used, or for what a row stands for."""


def ask_table(args: ExpertInput, language: str) -> WorkerResult:
    """Answers with the operation that was done. Raises BadInput, ExpertRefused.

    The last paragraph is answered; the questions before it complete it where it is not whole.
    """
    *before, question = _PARAGRAPHS.split(require_text(args, "question"))
    file = get_file(args, "table")
    table = leave_out_totals(load_table(file))
    question = _drop_fillers(table, question)
    with told_of_other_sheets(table, file):
        result = answer_each(question, partial(answer_on_table, table, language), before)
    return replace(result, notes=(*result.notes, *table.notes))


def _drop_fillers(table: TypedTable, question: str) -> str:
    """A question without sentences that ask for nothing: "two decimals, please"."""
    sentences = split_sentences(question)
    asking = []
    for sentence in sentences:
        with suppress(ExpertRefused):
            if not any(read_table_words(table, sentence)):
                continue
        asking.append(sentence)
    return "\n".join(asking) if 0 < len(asking) < len(sentences) else question


def answer_on_table(
    table: TypedTable, language: str, question: str, before: Sequence[str] = ()
) -> Finding:
    """Answer a question about a table; `before` are the earlier ones, which may complete it.

    Raises ExpertRefused, naming what was not understood.
    """
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
        counts_rows=query.counts_rows or earlier.counts_rows,
    )


def _answer(table: TypedTable, language: str, query: _Query) -> Finding:
    """Run a query. Raises ExpertRefused where it has no answer, or more than one."""
    if query.group and not query.operation:
        raise refuse_question("embedded-table-beyond", table)
    part = table.keep_rows(find_rows(table, query.conditions))
    if part.cells.empty:
        raise refuse_question("embedded-table-beyond", table)
    answer_query = partial(_aggregate, language=language) if query.operation else _look_up
    operation, column, answer = answer_query(part, query)
    words = [condition.words for condition in query.conditions]
    is_reckoned = operation in _AGGREGATES and column
    rows_used = int(part.typed[column].count()) if is_reckoned else len(part.cells)
    where = ", ".join(filter(None, (table.left_out, *words))) or "none"
    done = LocalizedText(
        "embedded-table-operation",
        {"op": operation, "column": column, "rows": rows_used, "where": where},
    )
    if query.group:
        done = LocalizedText("embedded-table-grouped", {"operation": done, "group": query.group})
    return Finding(answer, done)


def _parse_query(table: TypedTable, question: str) -> _Query:
    """Conditions and the group are cut out of the question; the rest must be asked for."""
    tokens, conditions = read_table_words(table, question)
    tokens = _TURNED.sub(partial(_turn, table), tokens)
    groups = [table.names[int(a or b)] for a, b in _GROUP.findall(tokens)]
    tokens, compared = cut_conditions(table, _GROUP.sub(" ", tokens))
    tokens, equal = _cut_equal(table, tokens)
    conditions = [*conditions, *compared, *equal]
    rest = set(tokens.split())
    conditions += _find_numbered(table, rest)
    columns = [name for place, name in enumerate(table.names) if f"C{place}" in rest]
    if "when" in rest and not any(map(table.is_date, columns)):
        dates = [name for name in table.names if table.is_date(name)]
        columns += dates if len(dates) == 1 else []
    if rest & _ENDS.keys() and not any(map(table.is_date, columns)):  # "the latest order"
        dates = [name for name in table.names if table.is_date(name)]
        rest |= {"which"} if columns else set()
        columns += dates if len(dates) == 1 else []
    operations = _find_operations(table, rest, columns)
    unknown = rest - {f"C{place}" for place in range(len(table.names))} - _KNOWN
    if numbers := list_numbers(sorted(unknown)):
        raise refuse_question("embedded-table-unclear", table, words=", ".join(numbers))
    if unknown or len(operations) > 1 or len(groups) > 1:
        raise refuse_question("embedded-table-beyond", table)
    if operations == {"count"} and not (columns or conditions or "rows" in rest):
        raise refuse_question("embedded-table-beyond", table)
    conditions += _find_truths(table, columns, is_counted="count" in operations)
    used = {condition.column for condition in conditions}
    asked = {"which", "rows"} & rest
    columns = [name for name in columns if name not in used]
    if not operations and not columns and asked and (name := table.find_name()):
        columns = [name]
    return _Query(
        operation="".join(operations),
        columns=columns,
        group="".join(groups),
        conditions=conditions,
        asks_which="which" in rest,
        counts_rows="rows" in rest,
    )


def _turn(table: TypedTable, found: re.Match[str]) -> str:
    """A comparison with its column first, unless it stands behind one of figures."""
    before, sign, number, column = found.groups()
    if before and not table.is_text(table.names[int(before)]):
        return found[0]
    return " ".join(filter(None, (before and f"C{before}", column, sign, number)))


def _cut_equal(table: TypedTable, tokens: str) -> tuple[str, list[Condition]]:
    """The tokens without numbers beside a column of figures, and the conditions that they are."""
    conditions: list[Condition] = []

    def cut(found: re.Match[str]) -> str:
        shown, name = found["number"], table.names[int(found["place"])]
        if not table.is_numeric(name) or table.is_id(name):
            return found[0]
        test = partial(table.typed[name].eq, float(shown))
        conditions.append(Condition(name, f"{name} = {shown}", test))
        return " "

    for pattern in _EQUAL:
        tokens = pattern.sub(cut, tokens)
    return tokens, conditions


def _find_truths(table: TypedTable, columns: Sequence[str], *, is_counted: bool) -> list[Condition]:
    """A column of yes and no beside another is a condition: "which products are in stock?"."""
    truths = {name: values for name in columns if (values := table.find_truths(name))}
    if len(truths) == len(columns) and not is_counted:
        return []
    return [
        Condition(name, f"{name} = {', '.join(values)}", partial(table.typed[name].isin, values))
        for name, values in truths.items()
    ]


def _find_operations(table: TypedTable, rest: set[str], columns: Sequence[str]) -> set[str]:
    """What is to be calculated; "last" of dates is the highest, "most" a maximum."""
    found = rest & _AGGREGATES
    if rest & {"first", "last"} and any(map(table.is_date, columns)):
        found |= {"max" if "last" in rest else "min"}
    if any(map(table.is_date, columns)):
        found |= {_ENDS[end] for end in rest & _ENDS.keys()}
    if "most" in rest:
        found |= (
            {"most"} if not any(map(table.is_numeric, _calculable(table, columns))) else {"max"}
        )
    if "distinct" in rest:
        return {"distinct"}
    return found or rest & {"count"}


def _find_numbered(table: TypedTable, rest: set[str]) -> list[Condition]:
    """The row of which a number is told: "when was 5512 closed?". Cuts it out of `rest`."""
    ids = [name for name in table.names if table.is_id(name)]
    conditions = []
    for token in [token for token in rest if token[0] == "N" and token[1:].isdigit()]:
        for name in ids[:1]:
            test = partial(table.typed[name].eq, float(token[1:]))
            if test().any():
                conditions.append(Condition(name, f"{name} = {token[1:]}", test))
                rest.discard(token)
    return conditions


def _calculable(table: TypedTable, names: Sequence[str]) -> list[str]:
    """Columns of numbers or dates, but none that number the rows."""
    return [name for name in names if not table.is_text(name) and not table.is_id(name)]


def _aggregate(part: TypedTable, query: _Query, language: str) -> tuple[str, str, str]:
    """The operation, its column and the answer. Raises ExpertRefused."""
    if query.operation == "most":
        return _find_commonest(part, query)
    operation, column = _choose_column(part, query)
    function = {"count": "size", "distinct": "nunique"}.get(operation, operation)
    if query.group:
        groups = part.typed.groupby(part.cells[query.group], sort=False)
        results = getattr(groups[column or query.group], function)()
        is_plain = len(results) == len(part.cells) and operation in ("mean", "median")
        is_plain |= bool(column) and part.is_date(column)
        if len(results) > _MOST_LISTED or query.asks_which or is_plain:
            raise refuse_question("embedded-table-beyond", part)
        listed = "; ".join(
            f"{key}: {_format_result(part, column, n, operation, language)}"
            for key, n in results.items()
        )
        return operation, column, listed
    result = getattr(part.typed[column], function)() if column else len(part.cells)
    if query.asks_which and operation in ("max", "min"):
        return operation, column, _name_best(part, query, column, function)
    if column and part.is_date(column) and operation in ("max", "min"):
        return operation, column, str(part.cells[part.typed[column] == result][column].iloc[0])
    return operation, column, _format_result(part, column, float(result), operation, language)


def _name_best(part: TypedTable, query: _Query, column: str, function: str) -> str:
    """The rows with the highest or lowest value, by the column that was named or names them."""
    texts = [
        name
        for name in query.columns
        if name != column and (part.is_text(name) or part.is_id(name))
    ]
    name = texts[0] if len(texts) == 1 else "" if texts else part.find_name()
    result = getattr(part.typed[column], function)()
    best = part.cells[part.typed[column] == result][name].unique() if name else ()
    is_row = bool(len(best)) and (part.is_date(column) or part.cells[name].is_unique)
    if not is_row and (not len(best) or {*best} != _find_best_sums(part, name, column, function)):
        raise refuse_question("embedded-table-beyond", part)
    return ", ".join(best[:_MOST_LISTED])


def _find_commonest(part: TypedTable, query: _Query) -> tuple[str, str, str]:
    """Which value most rows have: "which site has the most tickets?". Raises ExpertRefused."""
    texts = [name for name in query.columns if part.is_text(name)]
    counted = [name for name in query.columns if name not in texts]
    if len(texts) != 1 or not query.asks_which or not (counted or query.counts_rows):
        raise refuse_question("embedded-table-which-column", part)
    counts = part.cells[texts[0]].value_counts()
    best = [str(value) for value, count in counts.items() if count == counts.max()]
    if len(best) > 1 or not all(map(part.is_id, counted)):
        raise refuse_question("embedded-table-beyond", part)
    return "count", texts[0], best[0]


def _find_best_sums(part: TypedTable, name: str, column: str, function: str) -> set[str]:
    """The values of `name` whose rows add up to the most, or the least, in a column.

    "Which region sold most" may ask for the best row or for the best sum.
    """
    sums = part.typed[column].groupby(part.cells[name], sort=False).sum()
    return {*sums.index[sums == getattr(sums, function)()]}


def _choose_column(part: TypedTable, query: _Query) -> tuple[str, str]:
    """What is done to which column; "" for a count of rows. Raises ExpertRefused."""
    calculable = _calculable(part, query.columns)
    others = [name for name in query.columns if name not in calculable]
    if query.operation == "distinct" and len(query.columns) == 1:
        return "distinct", query.columns[0]
    if query.operation == "count" and len(query.columns) <= 1:
        return _choose_count(part, query)
    if len(others) == 1 and not calculable and query.operation in _AGGREGATES:
        raise refuse_question("embedded-table-not-numbers", part, column=others[0])
    harmless = query.asks_which or all(part.cells[name].is_unique for name in others)
    is_date = bool(calculable) and part.is_date(calculable[0])
    is_fitting = not is_date or query.operation in ("max", "min")
    if query.operation not in _AGGREGATES or len(calculable) != 1 or len(others) > 1:
        raise refuse_question("embedded-table-which-column", part)
    if not harmless or not is_fitting:
        raise refuse_question("embedded-table-which-column", part)
    return query.operation, calculable[0]


def _choose_count(part: TypedTable, query: _Query) -> tuple[str, str]:
    """How many: rows, different values, or the sum of a column with numbers of things.

    Rows that the question names may stand for things; a column can then hold their number.
    """
    if query.columns:
        (name,) = query.columns
        if query.counts_rows:
            raise refuse_question("embedded-table-which-column", part)
        if part.is_numeric(name) and not part.is_id(name):
            return "sum", name
        is_unique = part.is_id(name) or part.cells[name].is_unique
        return ("count", "") if is_unique else ("distinct", name)
    quantities = part.find_by_role("quantity")
    is_partial = any(condition.is_partial for condition in query.conditions)
    if query.counts_rows or not (quantities or is_partial):
        return "count", ""
    if not is_partial or len(quantities) != 1 or not part.is_numeric(quantities[0]):
        raise refuse_question("embedded-table-which-column", part)
    return "sum", quantities[0]


def _look_up(part: TypedTable, query: _Query) -> tuple[str, str, str]:
    """The values of a column in the rows that fit: of words several. Raises ExpertRefused."""
    if len(query.columns) != 1:
        raise refuse_question("embedded-table-which-column", part)
    if not query.conditions:
        raise refuse_question("embedded-table-beyond", part)
    name = query.columns[0]
    values = [value for value in part.cells[name].unique() if value]
    is_list = part.is_text(name) and len(values) <= _MOST_LISTED
    is_list = is_list and not any(map(_FIGURE.fullmatch, values))
    if not values or (not is_list and (len(values) > 1 or len(part.cells) > 1)):
        rows = len(part.cells)
        raise refuse_question("embedded-table-several-rows", part, column=name, rows=rows)
    return "lookup", name, ", ".join(values)


def _format_result(
    part: TypedTable, column: str, number: float, operation: str, language: str
) -> str:
    """A result with the sign that the numbers of its column have: "50%"."""
    is_reckoned = operation in _AGGREGATES and column
    before, after = part.find_affixes(column) if is_reckoned else ("", "")
    return f"{before}{_format(number, operation, language)}{after}"


def _format(number: float, operation: str, language: str) -> str:
    """An average with two decimal places, unless it is small; what the table has as it is."""
    number = round(number, 2 if operation == "mean" and abs(number) >= 1 else 6)
    try:
        return format_decimal(number, "#,##0.######", locale=language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return format_decimal(number, "#,##0.######", locale="en")
