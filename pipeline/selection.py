"""Stage 2: filter and rank the models for a task, and choose one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from pipeline.domain import (
    Choice,
    LocalizedText,
    Model,
    Place,
    Proposed,
    Request,
    Step,
    TaskKind,
    Type,
)
from pipeline.ports import Catalogue, Records, TrackRecord

CANDIDATES = 8
"""Models considered per kind: the paper's top five by downloads, plus fallbacks."""
_ENOUGH_ATTEMPTS = 3
"""Attempts that a track record needs to count."""
_SLOW_SECONDS = 20.0
_ENOUGH_VOTES = 2.0
"""Compared with `TrackRecord.liking`, in which the models of a run share each vote."""
_LANGUAGE_SLOTS = frozenset({"text", "question", "audio", "sentences"})
# fmt: off
_COMMERCIAL = (
    "apache-", "mit", "bsd", "isc", "cc0", "cc-by-2", "cc-by-3", "cc-by-4", "cc-by-sa-",
    "unlicense", "zlib", "wtfpl", "artistic-", "afl-", "ecl-", "epl-", "eupl-", "mpl-", "ms-pl",
    "postgresql", "psfl", "ncsa", "bsl-1.0", "gpl", "lgpl", "agpl", "openrail",
    "creativeml-openrail", "bigscience-", "bigcode-openrail", "llama2", "llama3", "llama4", "gemma",
    "openmdw", "odc-by", "pddl",
)
# fmt: on
"""Prefixes of the Hub's names for licences that allow commercial use, some with conditions."""
_NOT_COMMERCIAL = ("-nc", "noncommercial", "non-commercial", "research")


async def select(
    proposed: Proposed, request: Request, candidates: "Candidates", mentioned: Model | None = None
) -> Step:
    """Choose a model for a task, and its fallbacks.

    In order of priority: the model named in the request (`mentioned`), the channel's setting, the
    planner's pick, the ranking. Models to avoid in a retry come last, unless named in the request.
    The step has no choice if nothing can run the task.
    """
    task = proposed.task
    models = await candidates.shortlist(task.kind, request)
    models.sort(key=lambda model: model.id in request.avoid)
    if mentioned is not None:
        return Step(task, _choose(mentioned, LocalizedText("chosen-named"), models))
    if preferred := await _find_channel_model(task.kind, request, candidates):
        return Step(task, _choose(preferred, LocalizedText("chosen-channel"), models))
    not_avoided = [model for model in models if model.id not in request.avoid]
    if picked := _find_by_id(proposed.model, not_avoided):
        why = {"reason": proposed.reason} if proposed.reason else {}
        reason = LocalizedText("chosen-because" if why else "chosen-planner", why)
        return Step(task, _choose(picked[0], reason, models))
    if not models:
        return Step(task, None)
    reason = LocalizedText("chosen-ranked" if len(models) > 1 else "chosen-only")
    return Step(task, _choose(models[0], reason, models))


async def _find_channel_model(
    kind: TaskKind, request: Request, candidates: "Candidates"
) -> Model | None:
    """The model that the channel has set for this kind, if the rules allow it."""
    model_id = request.settings.models.get(kind.name)
    if not model_id or model_id in request.avoid:
        return None
    model = await candidates.catalogue.find(model_id, kind=kind.name)
    return next(iter(candidates.filter_allowed([model] if model else [], request)), None)


def _choose(model: Model, reason: LocalizedText, models: Sequence[Model]) -> Choice:
    return Choice(model, reason, tuple(other for other in models if other.id != model.id))


def _find_by_id(name: str, models: Iterable[Model]) -> list[Model]:
    """The models with this id, or else with this short id. Case is ignored."""
    target, models = name.casefold(), tuple(models)
    exact = [model for model in models if model.id.casefold() == target]
    return exact or [model for model in models if get_short_id(model.id).casefold() == target]


def get_short_id(model: str) -> str:
    """A model's id without the organisation."""
    return model.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which models may be used; empty means any. Models by id, or by pattern as in "org/*"."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    commercial: bool = False
    """Only models whose licence is known to allow commercial use."""
    providers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """The models that requests may choose from: a catalogue, filtered by rules and ranked."""

    catalogue: Catalogue
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)

    async def shortlist(
        self, kind: TaskKind, request: Request, *, limit: int = CANDIDATES
    ) -> list[Model]:
        """The allowed models for a kind, best first."""
        models = await self.catalogue.candidates(kind, limit=limit)
        allowed = self.filter_allowed(models, request)
        return rank_models(allowed, self.records, kind, request.person.locale)

    def filter_allowed(self, models: Iterable[Model], request: Request) -> list[Model]:
        """The models that the rules allow, at the places set in the channel, in their order."""
        permitted = filter_models(models, self.rules, read_channel_rules(request.settings.policy))
        places = request.settings.places
        if places:
            permitted = [
                replace(model, places=tuple(Place(name) for name in places if name in model.places))
                for model in permitted
            ]
        return [model for model in permitted if model.places]

    def explain_refusal(self, model: Model, request: Request) -> LocalizedText | None:
        """Why a model may not be used in this channel; None if it may."""
        channel = read_channel_rules(request.settings.policy)
        if reason := explain_refusal(model, self.rules, channel):
            return reason
        if not self.filter_allowed([model], request):
            return LocalizedText("named-nowhere", {"name": model.id})
        return None


def read_channel_rules(policy: Mapping[str, str]) -> Rules:
    """The rules in a channel's settings (`ChannelSettings.policy`)."""

    def read_list(name: str) -> tuple[str, ...]:
        return tuple(policy.get(name, "").replace(",", " ").split())

    return Rules(
        read_list("allow"),
        read_list("deny"),
        policy.get("licence", "") == "commercial",
        read_list("providers"),
        read_list("languages"),
    )


def filter_models(models: Iterable[Model], *rules: Rules) -> list[Model]:
    """The models that all rules allow, each with only the places and providers allowed."""
    return [_narrow(model, rules) for model in models if explain_refusal(model, *rules) is None]


def explain_refusal(model: Model, *rules: Rules) -> LocalizedText | None:
    """Why one of these rules forbids a model; None if none does."""
    return next((reason for rule in rules if (reason := _explain(model, rule))), None)


def _explain(model: Model, rule: Rules) -> LocalizedText | None:
    name = {"name": model.id}
    if rule.allow and not _is_listed(model.id, rule.allow):
        return LocalizedText("policy-not-allowed", name)
    if _is_listed(model.id, rule.deny):
        return LocalizedText("policy-denied", name)
    if rule.commercial and not is_commercial(model):
        return LocalizedText("policy-licence", {**name, "licence": model.licence or "?"})
    if rule.languages and model.languages and not _speaks_any(model, rule.languages):
        return LocalizedText("policy-language", name)
    if model.places and not _narrow(model, (rule,)).places:
        return LocalizedText("policy-provider", name)
    return None


def is_commercial(model: Model) -> bool:
    """Whether the model's licence is known to allow commercial use."""
    if model.places == (Place.LLM,):  # used under the installation's own contract
        return True
    licence = model.licence.casefold()
    known = all(part.strip().startswith(_COMMERCIAL) for part in licence.split(","))
    return known and not any(word in licence for word in _NOT_COMMERCIAL)


def _narrow(model: Model, rules: Iterable[Rules]) -> Model:
    """Remove the providers that a rule excludes, and the place `hosted` if none remains."""
    allowed = [{name.casefold() for name in rule.providers} for rule in rules if rule.providers]
    if not allowed or Place.HOSTED not in model.places:
        return model
    providers = tuple(
        provider
        for provider in model.providers
        if all(provider.partition(":")[0] in names for names in allowed)
    )
    places = tuple(place for place in model.places if providers or place is not Place.HOSTED)
    return replace(model, providers=providers, places=places)


def _is_listed(model: str, patterns: Iterable[str]) -> bool:
    name = model.casefold()
    return any(fnmatchcase(name, pattern.casefold()) for pattern in patterns)


def _speaks_any(model: Model, languages: Iterable[str]) -> bool:
    known = {language.casefold() for language in model.languages}
    return "multilingual" in known or any(language.casefold() in known for language in languages)


def rank_models(
    models: Iterable[Model], records: Records, kind: TaskKind, locale: str = ""
) -> list[Model]:
    """Rank models by track record and language, ties in the catalogue's order.

    Liked models move up. Models that often fail, that people dislike, that are slow compared with
    others, or that do not support the language move down.
    """
    candidates = list(models)
    fastest = min((_get_record(m, records, kind).median_took for m in candidates), default=0.0)

    def rank(model: Model) -> int:
        record = _get_record(model, records, kind)
        failing = record.attempts >= _ENOUGH_ATTEMPTS and record.failures * 2 > record.attempts
        slow = record.median_took > max(_SLOW_SECONDS, 3 * fastest)
        disliked, liked = record.liking <= -_ENOUGH_VOTES, record.liking >= _ENOUGH_VOTES
        return 4 * failing + 2 * disliked + slow - liked + _rank_language(model, kind, locale)

    return sorted(candidates, key=rank)


def _get_record(model: Model, records: Records, kind: TaskKind) -> TrackRecord:
    return records.get((model.id, kind.name), TrackRecord())


def _rank_language(model: Model, kind: TaskKind, locale: str) -> int:
    """The penalty for language: 2 if not supported, 1 if unknown and not English, else 0."""
    language = locale.partition("-")[0].casefold()
    takes_language = any(
        slot.name in _LANGUAGE_SLOTS and slot.type is not Type.IMAGE
        for slot in kind.takes
        if slot.required
    )
    if not language or not takes_language or kind.name == "translation":
        return 0
    if not model.languages:
        return int(language != "en")
    return 0 if _speaks_any(model, (language,)) else 2


class ListedCatalogue:
    """A catalogue of a fixed list of models, the best of each kind first."""

    def __init__(self, models: Iterable[Model]) -> None:
        self._models = tuple(models)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return [model for model in self._models if model.kind == kind.name][:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        of_kind = [known for known in self._models if kind in ("", known.kind)]
        matches = _find_by_id(model, of_kind)
        return matches[0] if len({match.id for match in matches}) == 1 else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        terms = words.casefold().split()
        return [
            model
            for model in self._models
            if (not kind or model.kind == kind)
            and all(term in f"{model.id} {model.description}".casefold() for term in terms)
        ][:limit]


class JoinedCatalogue:
    """Several catalogues as one, ordered by place; a model listed by several is merged."""

    def __init__(self, catalogues: Sequence[Catalogue], *, places: Sequence[Place]) -> None:
        self._catalogues = tuple(catalogues)
        self._places = tuple(places)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        lists = [await part.candidates(kind, limit=limit) for part in self._catalogues]
        return _limit_per_place(self._join(lists), limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        unusable: Model | None = None
        for part in self._catalogues:
            match = await part.find(model, kind=kind)
            if match and (usable := self._restrict(match)).places:
                return usable
            unusable = unusable or match
        return self._restrict(unusable) if unusable else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        lists = [await part.search(words, kind=kind, limit=limit) for part in self._catalogues]
        return self._join(lists)[:limit]

    def _join(self, lists: Sequence[Sequence[Model]]) -> list[Model]:
        models: dict[tuple[str, str], Model] = {}
        for model in (model for models in lists for model in models):
            key = (model.kind, model.id)
            first = models.get(key, model)
            models[key] = replace(first, places=(*first.places, *model.places))
        usable = [model for model in map(self._restrict, models.values()) if model.places]
        return sorted(usable, key=lambda model: self._places.index(model.places[0]))

    def _restrict(self, model: Model) -> Model:
        """The model with only the places that are set up, in their order."""
        return replace(model, places=tuple(p for p in self._places if p in model.places))


def _limit_per_place(models: Sequence[Model], limit: int) -> list[Model]:
    """The first models, but always the best of each place, in case another place is down."""
    best_of_place = {model.places[0]: index for index, model in reversed([*enumerate(models)])}
    best = sorted(best_of_place.values())[:limit]
    others = (index for index in range(len(models)) if index not in best)
    return [models[index] for index in sorted([*best, *others][:limit])]
