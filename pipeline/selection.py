"""Stage 2: which models may run a task, in which order, and the one that is tried first."""

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
"""How many models of a kind are looked at: the paper's top five by downloads, and stand-ins."""
_ENOUGH_ATTEMPTS = 3
"""Below this nothing is concluded from a track record."""
_SLOW_SECONDS = 20.0
_ENOUGH_VOTES = 2.0
"""A vote is shared by all models that had a part in the run."""
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
"""Licences that allow commercial use, some under conditions, by how the Hub's names begin."""
_NOT_COMMERCIAL = ("-nc", "noncommercial", "non-commercial", "research")


async def select(
    proposed: Proposed, request: Request, candidates: "Candidates", mentioned: Model | None = None
) -> Step:
    """Choose a model for a task, and those that stand in when it fails.

    The person's word counts first (`mentioned`), then the channel's setting, the planner's pick,
    and the ranking. Models that this try is to avoid come last; only the person picks them.
    A step without a choice cannot run here.
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
    """The model that the channel has set for this kind, if it may run here."""
    wanted = request.settings.models.get(kind.name)
    if not wanted or wanted in request.avoid:
        return None
    known = await candidates.catalogue.find(wanted, kind=kind.name)
    return next(iter(candidates.filter_allowed([known] if known else [], request)), None)


def _choose(model: Model, reason: LocalizedText, models: Sequence[Model]) -> Choice:
    return Choice(model, reason, tuple(other for other in models if other.id != model.id))


def _find_by_id(name: str, models: Iterable[Model]) -> list[Model]:
    """The model with this id, else those with this name behind the organisation."""
    wanted, models = name.casefold(), tuple(models)
    exact = [model for model in models if model.id.casefold() == wanted]
    return exact or [model for model in models if get_short_id(model.id).casefold() == wanted]


def get_short_id(model: str) -> str:
    """The part of a model's id behind the organisation."""
    return model.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be chosen; empty means anything. Models by id, "org/*" for a whole organisation."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    commercial: bool = False
    """Only models whose licence is known to allow commercial use."""
    providers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """The models that requests may choose from: a catalogue, rules and track records."""

    catalogue: Catalogue
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)

    async def shortlist(
        self, kind: TaskKind, request: Request, *, limit: int = CANDIDATES
    ) -> list[Model]:
        """Models for a kind, in the order in which they are to be tried."""
        models = await self.catalogue.candidates(kind, limit=limit)
        allowed = self.filter_allowed(models, request)
        return rank_models(allowed, self.records, kind, request.person.locale)

    def filter_allowed(self, models: Iterable[Model], request: Request) -> list[Model]:
        """Those within the rules, at the places that this channel allows, in its order."""
        permitted = filter_models(models, self.rules, read_channel_rules(request.settings.policy))
        places = request.settings.places
        if places:
            permitted = [
                replace(model, places=tuple(Place(name) for name in places if name in model.places))
                for model in permitted
            ]
        return [model for model in permitted if model.places]

    def explain_refusal(self, model: Model, request: Request) -> LocalizedText | None:
        """Why a model that was asked for by name may not be used here; None: it may."""
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
    """The models that all rules allow, each with the places and providers that they leave it."""
    return [_narrow(model, rules) for model in models if explain_refusal(model, *rules) is None]


def explain_refusal(model: Model, *rules: Rules) -> LocalizedText | None:
    """Why a model may not be chosen under all these rules; None: it may."""
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
    """Whether the model's licence is known to allow commercial use.

    The controller is used under the contract of whoever set it up.
    """
    if model.places == (Place.LLM,):
        return True
    licence = model.licence.casefold()
    known = all(part.strip().startswith(_COMMERCIAL) for part in licence.split(","))
    return known and not any(word in licence for word in _NOT_COMMERCIAL)


def _narrow(model: Model, rules: Iterable[Rules]) -> Model:
    """Without the providers that a rule does not name, and not hosted when none is left."""
    named = [{name.casefold() for name in rule.providers} for rule in rules if rule.providers]
    if not named or Place.HOSTED not in model.places:
        return model
    providers = tuple(
        provider
        for provider in model.providers
        if all(provider.partition(":")[0] in names for names in named)
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
    """In the catalogue's order, moved by how the models have done here lately.

    Behind the others come models that fail, that people dislike, that are slow beside others, or
    that do not speak the language; before them come those that people like.
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
    """2: it does not speak the person's language; 1: it does not say and that is not English."""
    language = locale.partition("-")[0].casefold()
    takes_words = any(
        slot.name in _LANGUAGE_SLOTS and slot.type is not Type.IMAGE
        for slot in kind.takes
        if slot.required
    )
    if not language or not takes_words or kind.name == "translation":
        return 0
    if not model.languages:
        return int(language != "en")
    return 0 if _speaks_any(model, (language,)) else 2


class ListedCatalogue:
    """A catalogue of models that are known beforehand, the best of each kind first."""

    def __init__(self, models: Iterable[Model]) -> None:
        self._models = tuple(models)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return [model for model in self._models if model.kind == kind.name][:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        found = _find_by_id(model, [known for known in self._models if kind in ("", known.kind)])
        return found[0] if len({known.id for known in found}) == 1 else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        wanted = words.casefold().split()
        return [
            model
            for model in self._models
            if (not kind or model.kind == kind)
            and all(word in f"{model.id} {model.description}".casefold() for word in wanted)
        ][:limit]


class JoinedCatalogue:
    """Several catalogues as one, in the order of the places; a model that two have becomes one."""

    def __init__(self, catalogues: Sequence[Catalogue], *, places: Sequence[Place]) -> None:
        self._catalogues = tuple(catalogues)
        self._places = tuple(places)

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        lists = [await part.candidates(kind, limit=limit) for part in self._catalogues]
        return _keep_stand_ins(self._join(lists), limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        elsewhere: Model | None = None
        for part in self._catalogues:
            known = await part.find(model, kind=kind)
            if known and (usable := self._restrict(known)).places:
                return usable
            elsewhere = elsewhere or known
        return self._restrict(elsewhere) if elsewhere else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        lists = [await part.search(words, kind=kind, limit=limit) for part in self._catalogues]
        return self._join(lists)[:limit]

    def _join(self, lists: Sequence[Sequence[Model]]) -> list[Model]:
        models: dict[tuple[str, str], Model] = {}
        for model in (model for models in lists for model in models):
            key = (model.kind, model.id)
            first = models.get(key, model)
            models[key] = replace(first, places=(*first.places, *model.places))
        usable = [known for model in models.values() if (known := self._restrict(model)).places]
        return sorted(usable, key=lambda model: self._places.index(model.places[0]))

    def _restrict(self, model: Model) -> Model:
        """The model at the places that are set up, in their order."""
        return replace(model, places=tuple(p for p in self._places if p in model.places))


def _keep_stand_ins(models: Sequence[Model], limit: int) -> list[Model]:
    """The first ones and, as long as there is room, the best of each place for when one is down."""
    best_of_place = {model.places[0]: at for at, model in reversed(list(enumerate(models)))}
    stand_ins = sorted(best_of_place.values())[:limit]
    others = (at for at in range(len(models)) if at not in stand_ins)
    return [models[at] for at in sorted([*stand_ins, *others][:limit])]
