"""Months, days of the week and written dates in an answer: those of the record in any form, others are marked."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path

from pipeline.response.edits import Edits, sentence
from pipeline.response.record import Record

_TABLE = Path(__file__).with_name("calendar.txt")
_WRITTEN = re.compile(
    r"(?<![\d.,/-])(\d{4}|\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-]|[.,]\d)"
)
_SIGNS = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})[日号])?")
_DAY_SIGNS = re.compile(r"(?:星期|周|週|礼拜)([一二三四五六日天])|([月火水木金土日])曜")
_CHINESE, _JAPANESE = "一二三四五六日", "月火水木金土日"
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_NEAR_NUMBER = re.compile(r"\d(?:st|nd|rd|th|er)?\.?[ \u00a0](?:of |de |d['’])?\Z", re.IGNORECASE)
_BEFORE = re.compile(
    r"\b(?:in|by|before|after|vor|nach|avant|après|antes de|después de|since|until|till|from|of|early|mid|late|last|next|im|seit|bis|ab|vom|anfang|mitte|ende|en|au|mi|début|fin|du|de|desde|hasta|a)[ \u00a0-]\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\.?[ \u00a0,]+\d|\.?,? de \d")
_DENIED = re.compile(
    r"\b(?:not|no|never|except|nicht|kein\w*|außer|pas|jamais|sauf|nunca|excepto|salvo)\b|n['’]t\b|不|ない|ません",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\.?\s?(?:[-–—~]|to|through|thru|till|until|bis|à|au|a|al|hasta)\s?")
_WEEK, _SHORT, _CUT, _CENTURY = 7, 3, ("tues", "thurs"), 2000
_LAST_MONTH = 12


@dataclass(frozen=True, slots=True)
class _Days:
    """The days that the record knows."""

    months: frozenset[int]
    weekdays: frozenset[int]
    dates: frozenset[tuple[int, int, int]]
    """Year, month, day; 0 where it is not said."""


def look_at_dates(edits: Edits, known: Record) -> None:
    """Marks months and days of the week that the record does not know; leaves its dates alone however they are written."""
    if not any(
        one.search(edits.text)
        for one in (_WRITTEN, _DAY_SIGNS, _pattern("months"), _pattern("days"))
    ):
        return
    days = _days(known.texts)
    for found in edits.open(_WRITTEN):
        if days.dates & set(_read(found)):
            edits.settle(*found.span())
    months = _names("months")
    for found in edits.open(_pattern("months")):
        small = found.group().casefold()
        if _is_date(edits.text, found) and months[small] not in days.months:
            edits.mark(*found.span())
    _look_at_weekdays(edits, days)


def _look_at_weekdays(edits: Edits, days: _Days) -> None:
    weekdays = _names("days")
    for found in edits.open(_pattern("days")):
        day = _weekday(found.group(), weekdays)
        if _is_whole(found.group()) and day not in days.weekdays and not _denies(edits.text, found):
            edits.mark(*found.span())
    for found in edits.open(_DAY_SIGNS):
        if _sign(found) not in days.weekdays and not _denies(edits.text, found):
            edits.mark(*found.span())


def _days(texts: Iterable[str]) -> _Days:
    whole = "\n".join(texts)
    dates = set(_dates(whole))
    names, weekdays = _names("months"), _names("days")
    months = {names[found.group().casefold()] for found in _pattern("months").finditer(whole)}
    named = {_weekday(found.group(), weekdays) for found in _pattern("days").finditer(whole)}
    named |= set(range(_WEEK)) if any(_between(whole)) else set()
    named |= {_sign(found) for found in _DAY_SIGNS.finditer(whole)}
    for one in dates:
        with suppress(ValueError):
            named.add(date(*one).weekday())
    return _Days(
        frozenset(months | {month for _, month, _ in dates}), frozenset(named), frozenset(dates)
    )


def _between(text: str) -> Iterator[bool]:
    """Whether days are told from one to another ("MON-SAT"), so that one knows of every day."""
    for one, other in pairwise(_pattern("days").finditer(text)):
        yield bool(_UNTIL.fullmatch(text, one.end(), other.start()))


def _dates(text: str) -> Iterator[tuple[int, int, int]]:
    for found in _WRITTEN.finditer(text):
        yield from _read(found)
    for found in _SIGNS.finditer(text):
        yield (int(found[1] or 0), int(found[2]), int(found[3] or 0))
    names = _names("months")
    for found in _pattern("months").finditer(text):
        before = re.search(
            r"(\d{1,2})(?:st|nd|rd|th|er)?\.?\s(?:of |de )?\Z",
            text[max(0, found.start() - 8) : found.start()],
        )
        after = re.match(
            r"\.?\s(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)", text[found.end() : found.end() + 8]
        )
        year = _YEAR.search(text, found.end(), found.end() + 14)
        day = before or after
        if day:
            yield (int(year[1]) if year else 0, names[found.group().casefold()], int(day[1]))


def _read(found: re.Match[str]) -> Iterator[tuple[int, int, int]]:
    """What a date in figures may mean: 03/04 is in March or in April."""
    first, middle, last = int(found[1]), int(found[3]), int(found[4])
    if len(found[1]) > 2:  # noqa: PLR2004 - a year
        yield (first, middle, last)
        return
    year = last if len(found[4]) > 2 else _CENTURY + last  # noqa: PLR2004 - a year
    if middle <= _LAST_MONTH:
        yield (year, middle, first)
    if first <= _LAST_MONTH and found[2] == "/":
        yield (year, first, middle)


def _is_date(text: str, found: re.Match[str]) -> bool:
    """Whether the name of a month is one: "may" and "march" are often something else."""
    before = text[max(0, found.start() - 14) : found.start()]
    if _NEAR_NUMBER.search(before) or _AFTER.match(text, found.end()):
        return True
    return (
        len(found.group()) > _SHORT and found.group()[0].isupper() and bool(_BEFORE.search(before))
    )


def _denies(text: str, found: re.Match[str]) -> bool:
    return bool(_DENIED.search(text, *sentence(text, *found.span())))


def _is_whole(word: str) -> bool:
    """Whether the name of a day is no abbreviation, which may be another word."""
    return len(word) > _SHORT + 1 and word.casefold() not in _CUT


def _weekday(word: str, names: Mapping[str, int]) -> int:
    small = word.casefold()
    return names[small] if small in names else names[small.removesuffix("s")]


def _sign(found: re.Match[str]) -> int:
    if found[1]:
        return _CHINESE.index(found[1].replace("天", "日"))
    return _JAPANESE.index(found[2])


@cache
def _names(section: str) -> Mapping[str, int]:
    part = _TABLE.read_text("utf-8").partition(f"[{section}]\n")[2].partition("[")[0]
    lines = (line.split() for line in part.splitlines() if line)
    return {name: int(number) for number, *names in lines for name in names}


@cache
def _pattern(section: str) -> re.Pattern[str]:
    words = "|".join(sorted(_names(section), key=len, reverse=True))
    several = "s?" if section == "days" else ""
    return re.compile(rf"(?<!\w)(?:{words}){several}(?!\w)", re.IGNORECASE)
