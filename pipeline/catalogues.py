"""Which models there are: a list as a catalogue, and several catalogues as one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.domain import Model, Place, TaskKind
from pipeline.ports import Catalogue


class ListedCatalogue:
    """A catalogue of models that are known beforehand, the best of each kind first."""

    def __init__(self, models: Iterable[Model]) -> None:
        self._models = tuple(models)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return [model for model in self._models if model.kind == kind.name][:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        wanted = model.casefold()
        of_kind = [known for known in self._models if kind in ("", known.kind)]
        exact = [known for known in of_kind if known.id.casefold() == wanted]
        if exact:
            return exact[0]
        named = {known.id: known for known in reversed(of_kind) if _name(known.id) == wanted}
        return next(iter(named.values())) if len(named) == 1 else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        wanted = words.casefold().split()
        return [
            model
            for model in self._models
            if (not kind or model.kind == kind)
            and all(word in f"{model.id} {model.description}".casefold() for word in wanted)
        ][:limit]


class JoinedCatalogue:
    """Several catalogues as one. Models are ordered by the places' order; the same model in two becomes one."""

    def __init__(self, catalogues: Sequence[Catalogue], *, places: Sequence[Place]) -> None:
        self._catalogues = tuple(catalogues)
        self._places = tuple(places)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        found = [await part.candidates(kind, limit=limit) for part in self._catalogues]
        return _with_stand_ins(self._joined(found), limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        nowhere: Model | None = None
        for part in self._catalogues:
            found = await part.find(model, kind=kind)
            if found and (allowed := self._allowed(found)):
                return allowed
            nowhere = nowhere or found
        return replace(nowhere, places=()) if nowhere else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        found = [await part.search(words, kind=kind, limit=limit) for part in self._catalogues]
        return self._joined(found)[:limit]

    def _joined(self, lists: Sequence[Sequence[Model]]) -> list[Model]:
        models: dict[tuple[str, str], Model] = {}
        for model in (model for found in lists for model in found):
            key = (model.kind, model.id)
            twin = models.get(key, model)
            both = dict.fromkeys((*twin.places, *model.places))
            models[key] = replace(twin, places=tuple(both))
        allowed = [kept for model in models.values() if (kept := self._allowed(model))]
        return sorted(allowed, key=lambda model: self._places.index(model.places[0]))

    def _allowed(self, model: Model) -> Model | None:
        """The model with its places in our order, without those that are not set up."""
        places = tuple(place for place in self._places if place in model.places)
        return replace(model, places=places) if places else None


def _with_stand_ins(models: Sequence[Model], limit: int) -> list[Model]:
    """The first ones, among them the best of each place as long as there is room: when one place is down, another takes over."""
    best = {model.places[0]: model for model in reversed(models)}
    kept = sorted(models.index(model) for model in best.values())[:limit]
    others = (number for number in range(len(models)) if number not in kept)
    numbers = sorted([*kept, *others][:limit])
    return [models[number] for number in numbers]


def _name(id_: str) -> str:
    return id_.rpartition("/")[2].casefold()
