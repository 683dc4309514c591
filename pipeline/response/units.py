"""Numbers with what stands around them: a unit, a currency, a scale."""

import re
from collections.abc import Iterable, Iterator, Mapping

from pipeline.response.numbers import NUMBER, parts, readings

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
_ALL = [(what, unit, names) for what, units in _UNITS.items() for unit, names in units.items()]
_AFTER = re.compile(
    "|".join(rf"(?P<u{at}>(?:{names})(?!\w))" for at, (*_, names) in enumerate(_ALL)),
    re.IGNORECASE,
)
_BEFORE = re.compile(
    rf"(?:{'|'.join(f'(?P<u{at}>{names})' for at, (what, _, names) in enumerate(_ALL) if what == 'money')})\s?\Z",
    re.IGNORECASE,
)
SCALES: Mapping[str, float] = {
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
FACTORS: Mapping[str, float] = {
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
SCALE = re.compile(rf"[ \u00a0-]({'|'.join(SCALES)})\b", re.IGNORECASE)
_UP_TO = re.compile(
    rf"\s?(?:to|and|or|auf|bis|und|oder|à|et|ou|a|y|o|[-\u2013])\s?({NUMBER.pattern})"
)
"""From one number to another: they have the same unit."""
_BLANK = re.compile(r"[ \u00a0\u202f-]?")
_REACH = 12

Sized = tuple[float, str, str]
"""A value, what is measured, and in what."""


def sized(texts: Iterable[str]) -> Iterator[Sized]:
    """The numbers in texts that have a unit."""
    for text in texts:
        for found in NUMBER.finditer(text):
            unit = unit_of(text, found.start(), found.end())
            if unit is None and (other := _UP_TO.match(text, found.end())):
                unit = unit_of(text, *other.span(1))
            if unit:
                yield from ((value, *unit[:2]) for value in values_of(found.group()))


def unit_of(text: str, start: int, end: int) -> tuple[str, str, int] | None:
    """The dimension and the unit of a number, and where the unit ends."""
    scale = SCALE.match(text, end)
    blank = _BLANK.match(text, scale.end() if scale else end)
    at = blank.end() if blank else end
    if found := _AFTER.match(text, at):
        dimension, unit, _ = _ALL[int((found.lastgroup or "u0")[1:])]
        return dimension, unit, found.end()
    if found := _BEFORE.search(text[max(0, start - _REACH) : start]):
        dimension, unit, _ = _ALL[int((found.lastgroup or "u0")[1:])]
        return dimension, unit, scale.end() if scale else end
    return None


def values_of(token: str) -> list[float]:
    return [value for part in parts(token) for value, _ in readings(part)]
