"""What a table of kinds is made of: rows that answer, families that load."""

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters.local.asked import Asked


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the client."""

    body: bytes
    media_type: str


def as_json(document: object) -> Answer:
    return Answer(
        json.dumps(document, default=float).encode(), "application/json"
    )  # numpy's floats


Load = Callable[[Path, str], Any]
"""Loads the model in a folder onto a device ("cpu", "cuda")."""

Respond = Callable[[Any, Asked], Answer]
"""Lets a loaded model answer. Raises BadInput when what was asked does not suit the kind."""


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of task: the family that loads its models, and how one of them answers."""

    kind: str
    family: str
    respond: Respond


@dataclass(frozen=True, slots=True)
class Table:
    """All kinds that can be run. Kinds of the same family share a loaded model.

    `settle` is called once in each worker, with the number of threads and the wished device, and gives the device;
    `weigh` says how many bytes a loaded model takes.
    """

    rows: Mapping[str, Row]
    families: Mapping[str, Load]
    settle: Callable[[int, str], str]
    weigh: Callable[[Any], int]

    def siblings(self, kind: str) -> Sequence[str]:
        """The kinds that models for this kind can serve, itself first."""
        family = self.rows[kind].family
        return (
            kind,
            *(row.kind for row in self.rows.values() if row.family == family and row.kind != kind),
        )


def named_table(name: str) -> Table:
    """The table at module:name."""
    module, _, attribute = name.partition(":")
    table = getattr(importlib.import_module(module), attribute)
    if not isinstance(table, Table):
        raise TypeError(f"{name} is no table of kinds")
    return table
