"""What is known of models beforehand: the best ones of each kind, and the words of unfit ones."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path

from pipeline.domain import Model, Place

UNLISTED, UNFIT = 5, 99
"""The orders of models that are not in the table; UNFIT: made for something else than its kind."""
_MODELS = Path(__file__).with_name("curated_models.csv")
_UNFIT = Path(__file__).with_name("unfit_words.csv")
_ANY = "*"
_CHAT = "conversational"
_GIGABYTE = 1e9
_MOST_CACHED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratedModel:
    """A row of `curated_models.csv`, which is explained in docs/experts.md.

    `id` may be a pattern: "*" at the place `llm` is the chat model. `order`: 1 is the best; models
    of an order above UNLISTED come after those that the table does not name. `writes`: as in
    `Model`. `size` in bytes, -1 if unknown. The rows of built-in models hold only an order.
    """

    id: str
    kinds: tuple[str, ...]
    order: int
    places: tuple[str, ...]
    licence: str
    languages: tuple[str, ...]
    writes: tuple[str, ...]
    size: int
    description: str

    @property
    def is_pattern(self) -> bool:
        return _ANY in self.id


@cache
def load_curated() -> tuple[CuratedModel, ...]:
    with _MODELS.open(encoding="utf-8", newline="") as file:
        return tuple(map(_read_row, csv.DictReader(file)))


def _read_row(row: Mapping[str, str]) -> CuratedModel:
    return CuratedModel(
        id=row["id"],
        kinds=tuple(row["kinds"].split()),
        order=int(row["order"]),
        places=tuple(row["places"].split()),
        licence=row["licence"],
        languages=tuple(row["languages"].split()),
        writes=tuple(row["writes"].split()),
        size=round(float(row["gb"]) * _GIGABYTE) if row["gb"] else -1,
        description=row["description"],
    )


def find_order(model: Model) -> int:
    """A model's order among those of its kind, or UNLISTED, or UNFIT."""
    return _find_order(model.kind, model.id, model.places, model.tags)


def complete(model: Model) -> Model:
    """The model as the table describes it. Its languages are checked, those of cards are not."""
    row = next(_find_rows(model.kind, model.id, model.places), None)
    if row is None:
        return model
    return replace(
        model,
        description=row.description or model.description,
        languages=row.languages or model.languages,
        writes=row.writes or model.writes,
        licence=model.licence or row.licence,
        size=model.size if model.size > 0 else row.size,
    )


def is_unfit(model: Model) -> bool:
    """Whether its id or its tags say that it is made for something else than its kind.

    Rerankers, safety filters and the like are listed among general classifiers. Models in the table
    are fit.
    """
    return find_order(model) == UNFIT


def is_chat_model(model: str) -> bool:
    """Whether a model, by its name, is one for chats, and for no special purpose."""
    return bool(model) and not is_unfit(Model(model, _CHAT, ()))


# Cached, because all models of all kinds are asked about for each request.
@lru_cache(_MOST_CACHED)
def _find_order(kind: str, model: str, places: tuple[Place, ...], tags: tuple[str, ...]) -> int:
    if rows := [*_find_rows(kind, model, places)]:
        return min(row.order for row in rows)
    text = " / ".join(("", *map(_split, (model, *tags)), ""))
    unfit = (*_unfit_words().get(_ANY, ()), *_unfit_words().get(kind, ()))
    is_vetted = bool(places) and all(place.is_vetted for place in places)
    return UNLISTED if is_vetted or not any(word in text for word in unfit) else UNFIT


def _find_rows(kind: str, model: str, places: Iterable[Place]) -> Iterator[CuratedModel]:
    """The rows for a model: its own, then patterns for its place."""
    by_id, patterns = _index().get(kind, ({}, ()))
    if row := by_id.get(model):
        yield row
    for row in patterns:
        is_there = any(place.name in row.places for place in places)
        if is_there and fnmatchcase(model.casefold(), row.id):
            yield row


@cache
def _index() -> Mapping[str, tuple[Mapping[str, CuratedModel], tuple[CuratedModel, ...]]]:
    """Kind → its rows by id, and its patterns."""
    rows: dict[str, list[CuratedModel]] = {}
    for row in load_curated():
        for kind in row.kinds:
            rows.setdefault(kind, []).append(row)
    return {
        kind: ({row.id: row for row in own}, tuple(row for row in own if row.is_pattern))
        for kind, own in rows.items()
    }


@cache
def _unfit_words() -> Mapping[str, tuple[str, ...]]:
    """Kind, or "*", → the words that mark models as unfit for it, each between blanks."""
    with _UNFIT.open(encoding="utf-8", newline="") as file:
        rows = [(row["kinds"].split(), row["words"].split(", ")) for row in csv.DictReader(file)]
    words: dict[str, tuple[str, ...]] = {}
    for kinds, marks in rows:
        for kind in kinds:
            words[kind] = (*words.get(kind, ()), *(f" {mark} " for mark in marks))
    return words


def _split(name: str) -> str:
    """An id or a tag as words in lower case, with single blanks between them."""
    signs = (sign if sign.isalnum() else " " for sign in name.casefold())
    return " ".join("".join(signs).split())
