"""Parameters of media: reading them from a plan, and the sizes that they stand for."""

from collections.abc import Collection, Mapping
from math import isfinite, log
from string import ascii_letters

from pipeline.domain import ExpertValue, Form, Number, Slot, TaskKind, Text

MEGAPIXEL = 1024 * 1024
_SIDE_STEP = 16
"""Models for pictures take sides that are multiples of this."""
_TOLERANCE = 0.15
"""How far a picture of a given ratio may be from the wanted number of pixels."""


def list_parameters(kind: TaskKind) -> tuple[str, ...]:
    return tuple(slot.name for slot in kind.takes if slot.form)


def parse_parameter(slot: Slot, text: str) -> Text | Number | None:
    """The value of a parameter; None if it cannot be read. A number may be out of bounds."""
    match slot.form:
        case Form.INTEGER | Form.NUMBER:
            return _parse_number(slot, text)
        case Form.SIZE:
            sides = _parse_pair(text, "x×*")
            fits = all(_is_within(slot, side) and side.is_integer() for side in sides)
            return Text("x".join(f"{side:.0f}" for side in sides)) if sides and fits else None
        case Form.RATIO:
            sides = _parse_pair(text, ":/x×")
            fits = bool(sides) and _is_within(slot, sides[0] / sides[1])
            return Text(":".join(f"{side:g}" for side in sides)) if fits else None
        case _:
            return Text(text.strip()) if text.strip() else None


def _parse_number(slot: Slot, text: str) -> Number | None:
    """A number, also with a unit behind it."""
    try:
        value = float(text.strip(f"{ascii_letters} "))
    except ValueError:
        return None
    if not isfinite(value) or (slot.form is Form.INTEGER and not value.is_integer()):
        return None
    return Number(value)


def _parse_pair(text: str, signs: str) -> tuple[float, ...]:
    """Two positive numbers with one of the signs between them; empty if it is anything else."""
    sign = next((sign for sign in signs if sign in text.casefold()), signs[0])
    try:
        pair = tuple(map(float, text.casefold().replace("px", "").split(sign)))
    except ValueError:
        return ()
    return pair if len(pair) == 2 and all(isfinite(side) and side > 0 for side in pair) else ()  # noqa: PLR2004 - a pair


def _is_within(slot: Slot, value: float) -> bool:
    return slot.bounds[0] <= value <= slot.bounds[1]


def strip_parameters(
    kind: TaskKind, args: Mapping[str, tuple[ExpertValue, ...]]
) -> dict[str, tuple[ExpertValue, ...]]:
    """The arguments of a job that are not parameters."""
    parameters = list_parameters(kind)
    return {name: values for name, values in args.items() if name not in parameters}


def list_unused(
    kind: TaskKind, args: Mapping[str, tuple[ExpertValue, ...]], used: Collection[str]
) -> tuple[str, ...]:
    """What a job asked for and the model was not given: parameters, and more than one image."""
    asked = (
        slot.name
        for slot in kind.takes
        if slot.form or (slot.is_file and slot.many and len(args.get(slot.name, ())) > 1)
    )
    return tuple(name for name in asked if name in args and name not in used)


Parameters = Mapping[str, str | float]


def read_parameters(
    kind: TaskKind, args: Mapping[str, tuple[ExpertValue, ...]]
) -> dict[str, str | float]:
    """The parameters among the arguments of a job, as plain values."""
    read: dict[str, str | float] = {}
    for slot in kind.takes:
        match args.get(slot.name, ()) if slot.form else ():
            case (Text(text), *_):
                read[slot.name] = text
            case (Number(value), *_):
                read[slot.name] = int(value) if slot.form is Form.INTEGER else value
            case _:
                pass
    return read


def choose_size(parameters: Parameters, *, pixels: int = MEGAPIXEL) -> tuple[int, int] | None:
    """Width and height as asked for, or by the aspect ratio with about as many pixels.

    None if there is neither.
    """
    if size := parameters.get("size"):
        width, height = map(int, str(size).split("x"))
        return width, height
    if not (ratio := parameters.get("aspect_ratio")):
        return None
    sides = [float(side) for side in str(ratio).split(":")]
    return _fit_ratio(sides[0] / sides[1], pixels)


def _fit_ratio(ratio: float, pixels: int) -> tuple[int, int]:
    """The sides that come closest to a ratio with about this many pixels."""
    heights = range(_SIDE_STEP, 4 * int(pixels**0.5), _SIDE_STEP)
    sides = [(round(height * ratio / _SIDE_STEP) * _SIDE_STEP, height) for height in heights]
    near = [side for side in sides if abs(side[0] * side[1] / pixels - 1) <= _TOLERANCE]

    def rate(side: tuple[int, int]) -> tuple[float, int]:
        return round(abs(log(side[0] / side[1] / ratio)), 3), abs(side[0] * side[1] - pixels)

    return min(near, key=rate)
