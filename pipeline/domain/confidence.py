"""How sure an expert may be called: only what was measured on labelled samples is said.

`calibration.json` holds, for each model that was measured, the share of right answers from a score
on and the number of samples (`python -m benchmarks.experts` writes it). A model that is not in the
table has no certainty, whatever score it gives.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("calibration.json")
_VERY, _FAIRLY = 0.97, 0.85
_FEWEST = 200


class Confidence(StrEnum):
    """What is said of a score."""

    VERY = "very sure"
    FAIRLY = "fairly sure"
    NOT = "not sure"


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """Of `count` samples with at least this score, the share of `right` answers (0 to 1)."""

    score: float
    right: float
    count: int


Calibration = Mapping[str, Sequence[CalibrationRow]]
"""The rows of each model that was measured, the highest score first."""


def confidence_of(
    score: float | None, model: str, table: Calibration | None = None
) -> Confidence | None:
    """What a score from 0 to 1 of a model means; None without a measured table for this model.

    `table` stands in for the one in the repository.
    """
    rows = (_load_calibration() if table is None else table).get(model, ())
    if score is None or sum(row.count for row in rows[-1:]) < _FEWEST:
        return None
    row = next((row for row in rows if score >= row.score), None)
    if row is None or row.right < _FAIRLY:
        return Confidence.NOT
    return Confidence.VERY if row.right >= _VERY and row.count >= _FEWEST else Confidence.FAIRLY


@cache
def _load_calibration() -> Calibration:
    table = json.loads(_TABLE.read_text("utf-8"))
    return {model: tuple(CalibrationRow(**row) for row in rows) for model, rows in table.items()}
