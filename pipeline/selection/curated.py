"""Which models are good or unfit for a kind, by what is known of them by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from pipeline.domain import Model, Place
from pipeline.selection.known_models import ANY, UNLISTED, CuratedModel, load_known

UNFIT = 99
"""The order of models that are made for something else than their kind."""
OWN_INFERENCE = "hf-inference"
"""Among the places of a row, and the providers of models: the Hub's own inference."""
_CHAT = "conversational"
_MOST_CACHED = 10_000
"""Models of whose kinds the order is remembered."""


def load_known_models(places: Iterable[Place]) -> Sequence[Model]:
    """The curated models that can run at one of the places; their places are in this order.

    The Hub's own inference serves those that have a provider; the other hosted ones need to be
    looked up in the live catalogue.
    """
    possible = tuple(places)
    models = [
        _to_model(row, kind, possible)
        for row in load_known().curated
        if row.description and not row.is_pattern
        for kind in row.kinds
    ]
    return [model for model in models if model.places]


def _to_model(row: CuratedModel, kind: str, possible: Iterable[Place]) -> Model:
    is_own = OWN_INFERENCE in row.places
    places = tuple(
        place for place in possible if place.name in row.places or (is_own and place.has_providers)
    )
    is_served = is_own and any(place.has_providers for place in places)
    providers = (f"{OWN_INFERENCE}:{row.id}",) if is_served else ()
    return complete(Model(row.id, kind, places, providers=providers))


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
    unfit = (*load_known().unfit.get(ANY, ()), *load_known().unfit.get(kind, ()))
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
    for row in load_known().curated:
        for kind in row.kinds:
            rows.setdefault(kind, []).append(row)
    return {
        kind: ({row.id: row for row in own}, tuple(row for row in own if row.is_pattern))
        for kind, own in rows.items()
    }


def _split(name: str) -> str:
    """An id or a tag as words in lower case, with single blanks between them."""
    signs = (sign if sign.isalnum() else " " for sign in name.casefold())
    return " ".join("".join(signs).split())
