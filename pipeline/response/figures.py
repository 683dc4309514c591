"""The right number in the wrong unit is a wrong number: shares, units, currencies and scales as in the record."""

from pipeline.response.edits import Edits
from pipeline.response.numbers import NUMBER, parts, readings, rounds_to
from pipeline.response.record import Record
from pipeline.response.units import FACTORS, SCALE, SCALES, Sized, unit_of, values_of

_NEAR = 0.1


def look_at_figures(edits: Edits, known: Record) -> None:
    """Numbers with another unit or scale than in the record are marked; what was rightly turned into another unit is left alone."""
    for found in edits.open(NUMBER):
        unit = unit_of(edits.text, found.start(), found.end())
        if unit and _is_converted(found.group(), *unit[:2], known.sized):
            edits.settle(*found.span())
            continue
        if unit and _another(found.group(), *unit[:2], known.sized):
            edits.mark(found.start(), max(found.end(), unit[2]))
            continue
        scale = SCALE.match(edits.text, found.end())
        if scale and not known.says(found.group() + scale.group()):
            times = SCALES[scale[1].casefold()]
            exact = [one / times for one in known.numbers if one >= times]
            if any(_is_about(one, reading) for one in exact for reading in readings(found.group())):
                edits.settle(found.start(), scale.end())
            else:
                edits.mark(found.start(), scale.end())


def _is_about(exact: float, reading: tuple[float, int]) -> bool:
    return rounds_to(exact, reading) and abs(exact - reading[0]) <= _NEAR * exact


def _is_converted(token: str, dimension: str, unit: str, measured: frozenset[Sized]) -> bool:
    """Whether the record has as much in another unit ("120 s", "2 minutes")."""
    factor = FACTORS.get(unit)
    if factor is None:
        return False
    others = [
        value * FACTORS[other] / factor
        for value, of, other in measured
        if of == dimension and other != unit and other in FACTORS
    ]
    return any(_is_about(one, reading) for one in others for reading in readings(parts(token)[-1]))


def _another(token: str, dimension: str, unit: str, measured: frozenset[Sized]) -> bool:
    """Whether the record has this value in other units of the same dimension only."""
    values = set(values_of(token))
    units = {u for value, d, u in measured if value in values and d == dimension}
    return bool(units) and unit not in units
