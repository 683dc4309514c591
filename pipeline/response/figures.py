"""What stands around a number: a share, a unit, a currency, a scale. The right number in the wrong unit is a wrong number."""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.response.edits import Edits
from pipeline.response.numbers import NUMBER, parts, readings
from pipeline.response.record import Record

_UNITS: Mapping[str, Mapping[str, str]] = {
    "money": {
        "EUR": r"€|EUR|euros?",
        "USD": r"\$|USD|US\$|dollars?|d[oó]lares|dollari",
        "GBP": r"£|GBP|pounds? sterling|pounds?",
        "JPY": r"¥|JPY|yen|円",
        "CHF": r"CHF|francs?|Franken|Fr\.",
        "CNY": r"CNY|RMB|yuan|元",
        "INR": r"₹|INR|rupees?",
    },
    "length": {
        "km": r"km|kilomet(?:er|re)s?|Kilometern?|kil[oó]metros?|公里",
        "m": r"m|met(?:er|re)s?|Metern?|mètres?|metros?|米",
        "cm": r"cm|centimet(?:er|re)s?|Zentimetern?",
        "mm": r"mm|millimet(?:er|re)s?|Millimetern?",
        "mi": r"mi|miles?|Meilen?",
        "ft": r"ft|feet|foot|Fuß|pieds",
        "in": r"inch(?:es)?|Zoll|pouces",
    },
    "weight": {
        "kg": r"kg|kilos?|kilograms?|Kilogramm",
        "g": r"g|grams?|Gramm",
        "lb": r"lbs?|pounds?",
        "t": r"t|tonn?es?|tons?|Tonnen?",
    },
    "time": {
        "s": r"s|sec(?:onds?)?|Sekunden?|secondes?|segundos?|秒",
        "min": r"min|minutes?|Minuten?|minutos?|分钟?",
        "h": r"h|hours?|Stunden?|heures?|horas?|小时|時間",
        "d": r"days?|Tagen?|jours?|d[ií]as?|天",
        "wk": r"weeks?|Wochen?|semaines?|semanas?",
        "mo": r"months?|Monaten?|mois|meses",
        "y": r"years?|Jahren?|ans|années|años",
    },
    "heat": {"C": r"°\s?C|degrees Celsius|Grad Celsius", "F": r"°\s?F|degrees Fahrenheit"},
}
_KNOWN = [
    (dimension, unit, re.compile(rf"(?:{names})(?!\w)", re.IGNORECASE))
    for dimension, units in _UNITS.items()
    for unit, names in units.items()
]
_BEFORE = [
    ("money", unit, re.compile(rf"(?:{names})\s?\Z", re.IGNORECASE))
    for unit, names in _UNITS["money"].items()
]
_SCALES: Mapping[str, float] = {
    "thousand": 1e3,
    "tausend": 1e3,
    "million": 1e6,
    "millions": 1e6,
    "millionen": 1e6,
    "millones": 1e6,
    "millón": 1e6,
    "milioni": 1e6,
    "milhões": 1e6,
    "billion": 1e9,
    "billions": 1e9,
    "milliarde": 1e9,
    "milliarden": 1e9,
    "milliards": 1e9,
}
_SCALE = re.compile(rf"[ \u00a0-]({'|'.join(_SCALES)})\b", re.IGNORECASE)
_BLANK = re.compile(r"[ \u00a0\u202f-]?")
_REACH = 12

Sized = tuple[float, str, str]
"""A value, what is measured, and in what."""


def look_at_figures(edits: Edits, known: Record) -> None:
    """Numbers with another unit or scale than in the record are marked."""
    wanted = frozenset(value for value, *_ in _sized([edits.text]))
    measured = frozenset(_sized(known.texts, wanted)) if wanted else frozenset()
    for found in edits.open(NUMBER):
        unit = _unit(edits.text, found.start(), found.end())
        if unit and _another(found.group(), *unit[:2], measured):
            edits.mark(found.start(), max(found.end(), unit[2]))
            continue
        scale = _SCALE.match(edits.text, found.end())
        if scale and not known.says(found.group() + scale.group()):
            times = _SCALES[scale[1].casefold()]
            if not any(value * times in known.numbers for value in _values(found.group())):
                edits.mark(found.start(), scale.end())


def _another(token: str, dimension: str, unit: str, measured: frozenset[Sized]) -> bool:
    """Whether the record has this value in other units of the same dimension only."""
    values = set(_values(token))
    units = {u for value, d, u in measured if value in values and d == dimension}
    return bool(units) and unit not in units


def _sized(texts: Iterable[str], wanted: frozenset[float] | None = None) -> Iterator[Sized]:
    """The numbers in texts that have a unit; only those of the values wanted."""
    for text in texts:
        for found in NUMBER.finditer(text):
            if wanted is not None and wanted.isdisjoint(_values(found.group())):
                continue
            if unit := _unit(text, found.start(), found.end()):
                yield from ((value, *unit[:2]) for value in _values(found.group()))


def _unit(text: str, start: int, end: int) -> tuple[str, str, int] | None:
    """The dimension and the unit of a number, and where the unit ends."""
    blank = _BLANK.match(text, end)
    at = blank.end() if blank else end
    for dimension, unit, pattern in _KNOWN:
        if found := pattern.match(text, at):
            return dimension, unit, found.end()
    before = text[max(0, start - _REACH) : start]
    for dimension, unit, pattern in _BEFORE:
        if pattern.search(before):
            return dimension, unit, end
    return None


def _values(token: str) -> list[float]:
    return [value for part in parts(token) for value, _ in readings(part)]
