"""Well-known models of each kind, for the time before the Hub is first asked.

Hosted are those that the Hub's own inference serves; other providers need the live catalogue.
"""

import csv
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from pipeline.domain import Model, Place

_TABLE = Path(__file__).with_suffix(".csv")


def load_known_models(places: Iterable[Place]) -> Sequence[Model]:
    """Those of the table that can run at one of the places, which keep their order."""
    wanted = tuple(places)
    models = []
    for row in _load_table():
        able = [place for place in wanted if place.value in row["places"].split()]
        hosted = (f"hf-inference:{row['id']}",) if Place.HOSTED in able else ()
        if able:
            models.append(
                Model(
                    id=row["id"],
                    kind=row["kind"],
                    places=tuple(able),
                    description=row["description"],
                    licence=row["licence"],
                    languages=tuple(row["languages"].split()),
                    providers=hosted,
                )
            )
    return models


@cache
def _load_table() -> Sequence[dict[str, str]]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
