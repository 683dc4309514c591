"""Catalogues: a list of models, and several catalogues as one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pipeline.domain import Model, Place, TaskKind
from pipeline.ports import Catalogue
from pipeline.selection.curated import find_order
from pipeline.selection.health import PlaceHealth

MOST_LISTED = 60
"""Models of a kind that are compared; the best of them become candidates."""


class ListedCatalogue:
    """A catalogue of a list of models, the best of each kind first."""

    def __init__(self, models: Iterable[Model] = ()) -> None:
        self.replace(models)

    def replace(self, models: Iterable[Model]) -> None:
        self._models = tuple(models)
        self._by_kind: dict[str, list[Model]] = {}
        for model in self._models:
            self._by_kind.setdefault(model.kind, []).append(model)

    async def renew(self) -> None:
        """Called before each look-up, for lists that change."""

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        await self.renew()
        return self._by_kind.get(kind.name, [])[:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        await self.renew()
        of_kind = [known for known in self._models if kind in ("", known.kind)]
        matches = find_by_id(model, of_kind)
        return matches[0] if len({match.id for match in matches}) == 1 else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        await self.renew()
        terms = set(words.casefold().split())
        listed = [model for model in self._models if kind in ("", model.kind)]
        texts = (f"{model.id} {model.description}".casefold() for model in listed)
        return [
            model
            for model, text in zip(listed, texts, strict=True)
            if all(term in text for term in terms)
        ][:limit]


@dataclass(frozen=True, slots=True)
class JoinedCatalogue:
    """Several catalogues as one; a model listed by several is merged.

    First come the curated models in the order of their table, last those unfit for their kind; ties
    are in the order of the places. Places that cannot be used at the moment are left out.
    """

    catalogues: Sequence[Catalogue]
    places: Sequence[Place]
    health: PlaceHealth = field(default_factory=PlaceHealth)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        most = max(limit, MOST_LISTED)
        lists = [await part.candidates(kind, limit=most) for part in self.catalogues]
        return limit_per_place(self._join(lists), limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        unusable: Model | None = None
        for part in self.catalogues:
            match = await part.find(model, kind=kind)
            if match and (usable := self._restrict(match)).places:
                return usable
            unusable = unusable or match
        return self._restrict(unusable) if unusable else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        lists = [await part.search(words, kind=kind, limit=limit) for part in self.catalogues]
        return self._join(lists)[:limit]

    def _join(self, lists: Sequence[Sequence[Model]]) -> list[Model]:
        models: dict[tuple[str, str], Model] = {}
        for model in (model for models in lists for model in models):
            key = (model.kind, model.id)
            models[key] = _merge(models[key], model) if key in models else model
        usable = [model for model in map(self._restrict, models.values()) if model.places]
        places = self.places
        return sorted(usable, key=lambda each: (find_order(each), places.index(each.places[0])))

    def _restrict(self, model: Model) -> Model:
        """The model with only the places that are set up and can be used now, in their order."""
        return self.health.narrow(keep_places(model, (place.name for place in self.places)))


def keep_places(model: Model, names: Iterable[str]) -> Model:
    """The model with only the places of these names, in their order."""
    known = {place.name: place for place in model.places}
    kept = tuple(known[name] for name in names if name in known)
    return model if kept == model.places else replace(model, places=kept)


def _merge(first: Model, second: Model) -> Model:
    """A model that two catalogues list, as described by the one that knows its providers."""
    known = second if second.providers else first
    places, prices = (*first.places, *second.places), {**first.prices, **second.prices}
    return replace(known, places=places, prices=prices)


def limit_per_place(models: Sequence[Model], limit: int) -> list[Model]:
    """The first models, but always the best of each place, in case another place is down."""
    if len(models) <= limit:
        return [*models]
    best_of_place = {model.places[0]: index for index, model in reversed([*enumerate(models)])}
    best = sorted(best_of_place.values())[:limit]
    others = (index for index in range(len(models)) if index not in best)
    return [models[index] for index in sorted([*best, *others][:limit])]


def find_by_id(name: str, models: Iterable[Model]) -> list[Model]:
    """The models with this id, or else with this short id. Case is ignored."""
    target, models = name.casefold(), tuple(models)
    exact = [model for model in models if model.id.casefold() == target]
    return exact or [model for model in models if get_short_id(model.id).casefold() == target]


def get_short_id(model: str) -> str:
    """A model's id without the organisation."""
    return model.rpartition("/")[2]
