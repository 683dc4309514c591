"""Charts of tables: which columns, in which form, as ordered in words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from adapters.embedded.experts.orders import list_numbers, refuse
from adapters.embedded.experts.table_words import (
    SIGNS,
    Condition,
    OrderWords,
    cut_conditions,
    find_columns,
    find_rows,
    read_table_words,
)
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from adapters.embedded.experts.typed_table import (
    TypedTable,
    find_roles,
    leave_out_totals,
    load_table,
    told_of_other_sheets,
)
from adapters.embedded.lexicon import phrases
from adapters.media import charts
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused

_CAN = "embedded-can-charts"
_FORMS = ("bar", "line", "pie", "scatter")
_AGGREGATES = ("sum", "mean", "median", "count")
_MOST_SERIES = 8
_MOST_PLACES = 400
"""Labels along the axis."""
_MOST_SLICES = 20
_MOST_POINTS = 20_000
_IGNORED = frozenset(
    {"over", "over_after", "group", "group_after", "which", "to", "rows", "filter", "equal", "sort"}
)
_ALIKE = 20
"""How many times larger than another a column of figures may be on one axis, if not named."""
_KNOWN = frozenset({*_FORMS, *_AGGREGATES, *_IGNORED})
_OVER = re.compile(r"(?:over|group) C(\d+)|C(\d+) (?:over|group)_after")
"""The column after a word such as "by", or before one such as "ごと"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartOrder:
    """What is to be drawn: `columns` in the order in which they were named."""

    form: str
    columns: Sequence[str]
    over: str
    """The column that was named after "by" or "per"."""
    aggregate: str
    conditions: Sequence[Condition]


def draw(args: ExpertInput, _language: str) -> WorkerResult:
    """The chart as a picture. Raises BadInput, ExpertRefused."""
    file = get_file(args, "table", Type.TABLE)
    table = leave_out_totals(load_table(file))
    with told_of_other_sheets(table, file):
        order = parse_order(table, require_text(args, "text"))
    part = table.keep_rows(find_rows(table, order.conditions))
    if part.cells.empty:
        raise BadInput("embedded-no-rows-fit")
    chart, aggregate = _plan_chart(part, order)
    picture, is_legible = charts.draw(chart)
    values = ", ".join(chart.series)
    where = [part.left_out, *(condition.words for condition in order.conditions)]
    facts: dict[str, str | int] = {
        "form": chart.form,
        "values": values,
        "over": chart.x_title,
        "op": aggregate,
        "rows": len(part.cells),
        "where": ", ".join(filter(None, where)) or "none",
    }
    notes = [LocalizedText("embedded-charted", facts), *table.notes]
    if not is_legible:
        notes.append(LocalizedText("embedded-no-font"))
    alt = f"{chart.form} chart: {values}"
    blob = Blob(picture, "image/png", "", alt=alt[:200])
    return WorkerResult(slots={"image": blob}, notes=tuple(notes))


def parse_order(table: TypedTable, text: str) -> ChartOrder:
    """What is to be drawn, every word understood. Raises ExpertRefused."""
    tokens, conditions = read_table_words(table, text, _order_words())
    tokens, compared = cut_conditions(table, tokens)
    words, conditions, over = tokens.split(), [*conditions, *compared], _OVER.search(tokens)
    used = {condition.column for condition in conditions}
    columns = [name for name in find_columns(table, tokens) if name not in used]
    forms = [word for word in dict.fromkeys(words) if word in _FORMS]
    aggregates = [word for word in dict.fromkeys(words) if word in _AGGREGATES]
    odd = [word for word in words if word not in _KNOWN and word[0] != "C"]
    if odd or len(forms) > 1 or len(aggregates) > 1:
        raise refuse(list_numbers(odd), _CAN)
    return ChartOrder(
        form="".join(forms),
        columns=columns,
        over=table.names[int(over[1] or over[2])] if over else "",
        aggregate="".join(aggregates),
        conditions=conditions,
    )


@cache
def _order_words() -> OrderWords:
    vocabulary = phrases("chart", "order", "conversion", "table", "join", "number")
    return OrderWords(vocabulary, _KNOWN | {*SIGNS}, _CAN)


def _plan_chart(part: TypedTable, order: ChartOrder) -> tuple[charts.Chart, str]:
    """The chart, and how rows with the same label were joined ("" for not at all)."""
    numeric = [name for name in order.columns if part.is_numeric(name) and name != order.over]
    others = [name for name in order.columns if not part.is_numeric(name)]
    if order.form == "scatter":
        return _plan_scatter(part, order, numeric), ""
    over = order.over or next(iter(others), "") or _choose_label(part, numeric)
    is_named = over in others and not (numeric or order.over)
    is_repeated = not (part.is_date(over) or part.cells[over].is_unique)
    aggregate = order.aggregate or ("count" if is_named and is_repeated else "")
    values = numeric or ([] if aggregate == "count" else _choose_values(part, over))
    if len(others) > 1 + (order.over not in others and bool(order.over)) or (
        not values and aggregate != "count"
    ):
        raise _ask_for_columns(part)
    series, labels, aggregate = _join(part, over, values, aggregate)
    form = order.form or ("line" if part.is_date(over) else "bar")
    if form == "pie":
        series = dict([next(iter(series.items()))])
        _check_pie(series, labels)
    if len(series) > _MOST_SERIES or len(labels) > _MOST_PLACES:
        facts = {"series": _MOST_SERIES, "places": _MOST_PLACES}
        raise BadInput("embedded-chart-too-large", **facts)
    title = ", ".join(series)[:80]
    made = charts.Chart(form=form, labels=labels, series=series, x_title=over, y_title=title)
    return made, aggregate


def _ask_for_columns(part: TypedTable) -> ExpertRefused:
    return ExpertRefused("embedded-chart-columns", columns=", ".join(part.names)[:300])


def _choose_values(part: TypedTable, over: str) -> list[str]:
    """The columns of figures, if none was named: such as fit on one axis. Raises ExpertRefused."""
    names = [name for name in part.names if part.is_numeric(name) and name != over]
    names = [name for name in names if not part.is_id(name)]
    sizes = [size for name in names if (size := part.typed[name].abs().max()) > 0]
    units = {name: frozenset(find_roles(name)) for name in names}
    is_alike = len({roles for roles in units.values() if roles}) <= 1
    if not is_alike or (sizes and max(sizes) > _ALIKE * min(sizes)):
        raise _ask_for_columns(part)
    return names


def _choose_label(part: TypedTable, numeric: Sequence[str]) -> str:
    """The column along the axis, if none was named: the first date, else the first text."""
    names = [name for name in part.names if name not in numeric]
    dates = [name for name in names if part.is_date(name)]
    texts = [name for name in names if not part.is_numeric(name)]
    chosen = next(iter([*dates, *texts, *names]), "")
    if not chosen:
        raise _ask_for_columns(part)
    return chosen


def _join(
    part: TypedTable, over: str, values: Sequence[str], aggregate: str
) -> tuple[dict[str, Sequence[float]], list[str], str]:
    """The values for each label, rows with the same label joined; dates in their order."""
    keys = part.typed[over] if part.is_date(over) else part.cells[over]
    order = keys.sort_values(kind="stable").index if part.is_date(over) else keys.index
    labels = part.cells.loc[order, over]
    if aggregate == "count" or not labels.is_unique:
        aggregate = aggregate or "sum"
        grouped = part.typed.loc[order].groupby(labels, sort=False)
        if aggregate == "count":
            counts: Any = grouped.size()
            return {over: [*counts]}, [*counts.index], aggregate
        table: Any = grouped[[*values]].agg(aggregate)
        return {name: [*table[name]] for name in values}, [*table.index], aggregate
    rows = part.typed.loc[order]
    return {name: [*rows[name]] for name in values}, [*labels], ""


def _check_pie(series: Mapping[str, Sequence[float]], labels: Sequence[str]) -> None:
    (values,) = series.values()
    if len(labels) > _MOST_SLICES:
        raise BadInput("embedded-pie-slices", slices=len(labels), limit=_MOST_SLICES)
    if not all(value >= 0 for value in values) or not sum(values):
        raise BadInput("embedded-pie-negative")


def _plan_scatter(part: TypedTable, order: ChartOrder, numeric: Sequence[str]) -> charts.Chart:
    named = [*numeric, order.over] if order.over else [*numeric]
    names = named or [name for name in part.names if part.is_numeric(name)]
    if len(names) != 2 or not all(map(part.is_numeric, names)):  # noqa: PLR2004 - x and y
        raise ExpertRefused("embedded-chart-two-columns", columns=", ".join(part.names)[:300])
    x, y = (names[1], names[0]) if order.over else (names[0], names[1])
    points = part.typed[[x, y]].dropna()[:_MOST_POINTS]
    return charts.Chart(
        form="scatter", labels=(), series={y: [*points[y]]}, x=[*points[x]], x_title=x, y_title=y
    )
