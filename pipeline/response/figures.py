"""What stands around a number: a share, a unit, a currency, a scale. The right number in the wrong unit is a wrong number."""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.response.edits import Edits
from pipeline.response.numbers import NUMBER, parts, readings, rounds_to
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
    "mio": 1e6,
    "mrd": 1e9,
}
_FACTORS: Mapping[str, float] = {
    "km": 1000,
    "m": 1,
    "cm": 0.01,
    "mm": 0.001,
    "mi": 1609.344,
    "ft": 0.3048,
    "in": 0.0254,
    "kg": 1,
    "g": 0.001,
    "lb": 0.4536,
    "t": 1000,
    "s": 1,
    "min": 60,
    "h": 3600,
    "d": 86400,
    "wk": 604800,
}
"""What a unit is of the first of its kind."""
_NEAR = 0.1
_SCALE = re.compile(rf"[ \u00a0-]({'|'.join(_SCALES)})\b", re.IGNORECASE)
_BLANK = re.compile(r"[ \u00a0\u202f-]?")
_REACH = 12

Sized = tuple[float, str, str]
"""A value, what is measured, and in what."""


def look_at_figures(edits: Edits, known: Record) -> None:
    """Numbers with another unit or scale than in the record are marked; what was rightly turned into another unit is left alone."""
    wanted = frozenset(value for value, *_ in sized([edits.text]))
    measured = frozenset(sized(known.texts)) if wanted else frozenset()
    for found in edits.open(NUMBER):
        unit = unit_of(edits.text, found.start(), found.end())
        if unit and _is_converted(found.group(), *unit[:2], measured):
            edits.settle(*found.span())
            continue
        if unit and _another(found.group(), *unit[:2], measured):
            edits.mark(found.start(), max(found.end(), unit[2]))
            continue
        scale = _SCALE.match(edits.text, found.end())
        if scale and not known.says(found.group() + scale.group()):
            times = _SCALES[scale[1].casefold()]
            exact = [one / times for one in known.numbers if one >= times]
            if any(_is_about(one, reading) for one in exact for reading in readings(found.group())):
                edits.settle(found.start(), scale.end())
            else:
                edits.mark(found.start(), scale.end())


def _is_about(exact: float, reading: tuple[float, int]) -> bool:
    return rounds_to(exact, reading) and abs(exact - reading[0]) <= _NEAR * exact


def _is_converted(token: str, dimension: str, unit: str, measured: frozenset[Sized]) -> bool:
    """Whether the record has as much in another unit ("120 s", "2 minutes")."""
    factor = _FACTORS.get(unit)
    if factor is None:
        return False
    others = [
        value * _FACTORS[other] / factor
        for value, of, other in measured
        if of == dimension and other != unit and other in _FACTORS
    ]
    return any(_is_about(one, reading) for one in others for reading in readings(parts(token)[-1]))


def _another(token: str, dimension: str, unit: str, measured: frozenset[Sized]) -> bool:
    """Whether the record has this value in other units of the same dimension only."""
    values = set(_values(token))
    units = {u for value, d, u in measured if value in values and d == dimension}
    return bool(units) and unit not in units


def sized(texts: Iterable[str]) -> Iterator[Sized]:
    """The numbers in texts that have a unit."""
    for text in texts:
        for found in NUMBER.finditer(text):
            if unit := unit_of(text, found.start(), found.end()):
                yield from ((value, *unit[:2]) for value in _values(found.group()))


def unit_of(text: str, start: int, end: int) -> tuple[str, str, int] | None:
    """The dimension and the unit of a number, and where the unit ends."""
    scale = _SCALE.match(text, end)
    blank = _BLANK.match(text, scale.end() if scale else end)
    at = blank.end() if blank else end
    for dimension, unit, pattern in _KNOWN:
        if found := pattern.match(text, at):
            return dimension, unit, found.end()
    before = text[max(0, start - _REACH) : start]
    for dimension, unit, pattern in _BEFORE:
        if pattern.search(before):
            return dimension, unit, scale.end() if scale else end
    return None


def _values(token: str) -> list[float]:
    return [value for part in parts(token) for value, _ in readings(part)]
