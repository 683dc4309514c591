"""What is known of models by their names: three dated tables, and their loader.

`models.toml`, `curated_models.csv` and `unfit_words.csv` say themselves what each entry is.
"""

import csv
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

Fields = Mapping[str, Any]
"""Fields of a request to a chat model."""
ANY = "*"
"""In the tables: every model at a place, or every kind."""
UNLISTED = 5
"""The order of models that the table of good ones does not name."""
_FOLDER = Path(__file__).parent
_GIGABYTE = 1e9
_CARDS: Mapping[str, int] = {"": -1, "cpu": 0, "8": 8, "16": 16, "24": 24, "80": 80}
"""The column `card`."""


@dataclass(frozen=True, slots=True)
class ChatFamily:
    """Chat models that are asked alike: the fields for low and for medium effort."""

    names: str
    """A pattern of names, as in a shell."""
    low: Fields
    medium: Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratedModel:
    """A row of `curated_models.csv`, which is explained in docs/experts.md.

    `id` may be a pattern: "*" at the place `llm` is the chat model. `order`: 1 is the best; models
    of an order above UNLISTED come after those that the table does not name. `writes`: as in
    `Model`. `size` in bytes, -1 if unknown. `card`: the gigabytes of the smallest graphics card
    that our expert server runs it on, 0 if it needs none, -1 if the server does not run it. The
    rows of built-in models hold only an order.
    """

    id: str
    kinds: tuple[str, ...]
    order: int
    places: tuple[str, ...]
    licence: str
    languages: tuple[str, ...]
    writes: tuple[str, ...]
    size: int
    card: int
    description: str

    @property
    def is_pattern(self) -> bool:
        return ANY in self.id


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModels:
    """The tables."""

    curated: Sequence[CuratedModel]
    unfit: Mapping[str, Sequence[str]]
    """Kind, or "*" → the words that mark models as unfit for it, each between blanks."""

    router: Sequence[str]
    starter: Sequence[str]
    seeing: Sequence[str]
    unopened: Sequence[str]
    thoughtless: Fields
    combining: str
    chat: Sequence[ChatFamily]
    media: Mapping[str, Sequence[str]]
    sizes: Mapping[str, Sequence[tuple[int, int]]]
    bases: Mapping[str, str]
    prefixes: Mapping[str, str]
    voices: Mapping[str, Mapping[str, str]]


@cache
def load_known() -> KnownModels:
    """Read the tables, once."""
    table = tomllib.loads((_FOLDER / "models.toml").read_text("utf-8"))
    del table["checked"]
    table["chat"] = tuple(ChatFamily(**row) for row in table["chat"])
    table["sizes"] = {
        name: tuple((width, height) for width, height in sizes)
        for name, sizes in table["sizes"].items()
    }
    curated = tuple(map(_read_model, _read_rows("curated_models.csv")))
    return KnownModels(curated=curated, unfit=_read_unfit(), **table)


def _read_rows(name: str) -> Sequence[Mapping[str, str]]:
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def _read_model(row: Mapping[str, str]) -> CuratedModel:
    return CuratedModel(
        id=row["id"],
        kinds=tuple(row["kinds"].split()),
        order=int(row["order"]),
        places=tuple(row["places"].split()),
        licence=row["licence"],
        languages=tuple(row["languages"].split()),
        writes=tuple(row["writes"].split()),
        size=round(float(row["gb"]) * _GIGABYTE) if row["gb"] else -1,
        card=_CARDS[row["card"]],
        description=row["description"],
    )


def _read_unfit() -> Mapping[str, Sequence[str]]:
    words: dict[str, list[str]] = {}
    for row in _read_rows("unfit_words.csv"):
        for kind in row["kinds"].split():
            words.setdefault(kind, []).extend(f" {word} " for word in row["words"].split(", "))
    return words


def find_chat_family(model: str) -> ChatFamily:
    """The first family that a chat model is of, by its name; else one without fields."""
    families = (family for family in load_known().chat if matches_any(model, [family.names]))
    return next(families, ChatFamily(ANY, {}, {}))


def find_base(model: str) -> str:
    """The model that another one guides; "" if it guides none."""
    bases = load_known().bases.items()
    return next((base for pattern, base in bases if matches_any(model, [pattern])), "")


def matches_any(model: str, patterns: Sequence[str]) -> bool:
    """Whether a model's name, in any case, fits one of these patterns."""
    return any(fnmatchcase(model.casefold(), pattern) for pattern in patterns)
