"""What the columns of a table hold: numbers and dates in the spellings that tables have.

A spelling counts if all values of a column have it. Where two spellings fit, such as 1,234, the
other columns of the table decide; where they do not, the values stay text.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial

TEXT = "VARCHAR"
_DIGITS = 38
"""Digits of the largest decimal number that DuckDB has."""
_SMALL_DIGITS = 18
"""Digits of a decimal number that it calculates fast."""
_LONG_DIGITS = 18
"""Digits of a whole number."""
_POINT = "point"
_COMMA = "comma"
_BLANK = "blank"
_GROUPING = r"[ '\u2019\u00a0\u202f]"
_NUMBERS: Mapping[str, re.Pattern[str]] = {
    _POINT: re.compile(r"[-+]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|0|[1-9]\d*)(?:\.\d+)?|\.\d+)"),
    _COMMA: re.compile(r"[-+]?(?:(?:[1-9]\d{0,2}(?:\.\d{3})+|0|[1-9]\d*)(?:,\d+)?|,\d+)"),
    _BLANK: re.compile(rf"[-+]?(?:[1-9]\d{{0,2}}(?:{_GROUPING}\d{{3}})+|0|[1-9]\d*)(?:[.,]\d+)?"),
}
"""Spelling of a number → its form. A leading zero is no number's: it is a code's."""
_COLUMNS = {name: re.compile(f"(?:(?>{form.pattern})\n)*+") for name, form in _NUMBERS.items()}
"""The forms of whole columns, a line for each value. Nothing in them is tried twice."""
_SCIENTIFIC = re.compile(r"[-+]?\d+(?:\.\d+)?[eE][-+]?\d{1,3}")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?")
_PARTS = re.compile(r"\d{1,2}([./])\d{1,2}\1\d{4}")
_DECIMALS = re.compile(r"\.\d+")
_WHOLES = re.compile(r"^[-+]?\d+", re.MULTILINE)
_TRUTHS = frozenset({"true", "false"})
_TWO_WAYS = "text: numbers that can be read in two ways"
_TWO_DATES = "text: dates that can be read in two ways"


@dataclass(frozen=True, slots=True)
class Column:
    """A column's type in SQL, and its values as DuckDB reads them; "" for none."""

    type: str
    values: list[str]
    remark: str = ""


def find_types(columns: Sequence[list[str]], *, are_plain: bool = False) -> list[Column]:
    """The columns of a table with their types; `are_plain`: numbers are written with a point."""
    spellings = [_find_spellings(strip_mark(values)[0]) for values in columns]
    certain = {_POINT for each in spellings if {_POINT} <= each and _COMMA not in each}
    certain |= {_COMMA for each in spellings if {_COMMA} <= each and _POINT not in each}
    if are_plain:
        certain = {_POINT}
    known = next(iter(certain)) if len(certain) == 1 else ""
    return [
        _find_type(values, each, known) for values, each in zip(columns, spellings, strict=True)
    ]


def _find_type(values: list[str], spellings: frozenset[str], known: str) -> Column:
    if spellings:
        return _read_numbers(values, spellings, known)
    for read in (_read_scientific, _read_dates, _read_times, _read_truths):
        if (column := read(values)) is not None:
            return column
    return Column(TEXT, values)


def strip_mark(values: list[str]) -> tuple[list[str], str]:
    """The values without a sign of currency or of percent that all of them have."""
    first = next(filter(None, values), "")
    for mark in {first[:1], first[-1:]} - {""}:
        is_mark = mark == "%" or unicodedata.category(mark) == "Sc"
        if is_mark and all(mark in (value[0], value[-1]) for value in values if value):
            return [value.strip(mark).strip() for value in values], mark
    return values, ""


def _find_spellings(values: list[str]) -> frozenset[str]:
    """The spellings of numbers that all values have; empty if they are no numbers."""
    present = [value for value in values if value]
    if not present or "\n" in present[0]:
        return frozenset()
    # All values at once: one by one they would take most of the time of a large table.
    text = "\n".join((*present, ""))
    if "." not in text and "," not in text and _COLUMNS[_POINT].fullmatch(text):
        return frozenset({_POINT, _COMMA})
    found = [name for name in (_POINT, _COMMA) if _is_spelt(name, present[0], text)]
    return frozenset(found or [name for name in (_BLANK,) if _is_spelt(name, present[0], text)])


def _is_spelt(name: str, first: str, text: str) -> bool:
    return bool(_NUMBERS[name].fullmatch(first) and _COLUMNS[name].fullmatch(text))


def _read_numbers(values: list[str], spellings: frozenset[str], known: str) -> Column:
    numbers, mark = strip_mark(values)
    text = "\n".join(numbers)
    both = {_POINT, _COMMA} <= spellings
    if both and ("," in text or "." in text):
        if not known:
            return Column(TEXT, values, _TWO_WAYS)
        spellings = frozenset({known})
    if _POINT in spellings:
        numbers = [value.replace(",", "") for value in numbers] if "," in text else numbers
    elif _COMMA in spellings:
        numbers = [value.replace(".", "").replace(",", ".") for value in numbers]
    else:
        numbers = [re.sub(_GROUPING, "", value).replace(",", ".") for value in numbers]
    remark = f"without its {mark}" if mark else ""
    return Column(_choose_number(numbers), numbers, remark)


def _choose_number(numbers: list[str]) -> str:
    """The narrowest type that holds all numbers exactly."""
    whole, scale = max(map(len, numbers)), 0
    if decimals := _DECIMALS.findall("\n".join(numbers)):
        scale = max(map(len, decimals)) - 1
        whole = max(map(len, _WHOLES.findall("\n".join(numbers))), default=0)
    if not scale and whole <= _LONG_DIGITS:
        return "BIGINT"
    if whole + scale > _DIGITS:
        return "DOUBLE"
    return f"DECIMAL({_SMALL_DIGITS if whole + scale <= _SMALL_DIGITS else _DIGITS},{scale})"


def _read_scientific(values: list[str]) -> Column | None:
    forms = (_NUMBERS[_POINT], _SCIENTIFIC)
    first = next(filter(None, values), "")
    if not any(form.fullmatch(first) for form in forms):
        return None
    distinct = [value for value in dict.fromkeys(values) if value]
    fits = all(any(form.fullmatch(value) for form in forms) for value in distinct)
    return Column("DOUBLE", values) if fits else None


def _read_dates(values: list[str]) -> Column | None:
    """Dates as in 2026-11-29, 29.11.2026, or 29/11/2026 and 11/29/2026 where one is possible."""
    first = next(filter(None, values), "")
    if _ISO_DATE.fullmatch(first):
        dates = _convert(values, lambda value: date.fromisoformat(value).isoformat())
        return Column("DATE", dates) if dates else None
    if not _PARTS.fullmatch(first):
        return None
    forms = ("%d.%m.%Y", "%m.%d.%Y")[: 1 + ("/" in first)]
    found = [dates for form in forms if (dates := _convert(values, partial(_read_date, form)))]
    if len(found) == 2 and found[0] != found[1]:  # noqa: PLR2004 - both
        return Column(TEXT, values, _TWO_DATES)
    return Column("DATE", found[0]) if found else None


def _read_date(form: str, value: str) -> str:
    """A date in a form of `strptime` with points or slashes. Raises ValueError."""
    form = form if "." in value else form.replace(".", "/")
    return datetime.strptime(value, form).date().isoformat()  # noqa: DTZ007 - a day has no zone


def _read_times(values: list[str]) -> Column | None:
    def read(value: str) -> str:
        if not _ISO_TIME.fullmatch(value):
            raise ValueError("no time")
        return datetime.fromisoformat(value).isoformat(" ")

    times = _convert(values, read)
    return Column("TIMESTAMP", times) if times else None


def _read_truths(values: list[str]) -> Column | None:
    if next(filter(None, values), "").casefold() not in _TRUTHS:
        return None
    fits = {value.casefold() for value in values if value} <= _TRUTHS
    return Column("BOOLEAN", values) if fits else None


def _convert(values: list[str], read: Callable[[str], str]) -> list[str]:
    """All values read; empty if one cannot be."""
    try:
        known = {value: value and read(value) for value in dict.fromkeys(values)}
    except ValueError:
        return []
    return [known[value] for value in values] if any(known) else []
