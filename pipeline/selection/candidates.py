"""Stage 2: filter and rank the models for a task, and choose one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from pipeline.domain import (
    ChannelSettings,
    Choice,
    LocalizedText,
    Model,
    Place,
    Proposed,
    Request,
    Step,
    Task,
    TaskKind,
    Text,
    Type,
)
from pipeline.ports import Catalogue, Records, TrackRecord
from pipeline.selection.curated import UNLISTED, find_order, is_unfit
from pipeline.selection.health import PlaceHealth
from pipeline.text.languages import find_language, normalize_code

CANDIDATES = 8
"""Models considered per kind: the paper's top five by downloads, plus fallbacks."""
MOST_LISTED = 60
"""Models of a kind that are compared; the best of them become candidates."""
_ENOUGH_ATTEMPTS = 3
"""Attempts that a track record needs to count."""
_SLOW_SECONDS = 20.0
_TRANSLATION = "translation"
_ENOUGH_VOTES = 2.0
"""Compared with `TrackRecord.liking`, in which the models of a run share each vote."""
_LANGUAGE_SLOTS = frozenset({"text", "question", "audio", "sentences"})
_ANY_LANGUAGE = frozenset({"multilingual", "mul"})
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
    In a rerun the person's model stands alone, and the other tasks keep theirs if they can. The
    step has no choice if nothing can run the task.
    """
    task = proposed.task
    models = await candidates.shortlist(task.kind, request, task=task)
    models.sort(key=lambda model: model.id in request.avoid)
    if request.rerun and (choice := await _choose_again(proposed, request, candidates, models)):
        return Step(task, choice)
    if mentioned is not None:
        return Step(task, _choose(mentioned, LocalizedText("chosen-named"), models))
    if preferred := await _find_channel_model(task, request, candidates):
        return Step(task, _choose(preferred, LocalizedText("chosen-channel"), models))
    not_avoided = [model for model in models if model.id not in request.avoid]
    if picked := _find_by_id(proposed.model, not_avoided):
        why = {"reason": proposed.reason} if proposed.reason else {}
        reason = LocalizedText("chosen-because" if why else "chosen-planner", why)
        return Step(task, _choose(picked[0], reason, models))
    if not models:
        return Step(task, None)
    is_curated = find_order(models[0]) < UNLISTED
    ranked = LocalizedText("chosen-recommended" if is_curated else "chosen-ranked")
    reason = ranked if len(models) > 1 else LocalizedText("chosen-only")
    return Step(task, _choose(models[0], reason, models))


async def _choose_again(
    proposed: Proposed, request: Request, candidates: "Candidates", models: Sequence[Model]
) -> Choice | None:
    """In a rerun: the person's model, without fallbacks, or the model of the earlier run."""
    task = proposed.task
    model = await candidates.find(proposed.model, task.kind, request)
    if model is None:
        return None
    if request.rerun and request.rerun.task == task.id:
        return Choice(model, LocalizedText("chosen-named"))
    return _choose(model, LocalizedText("chosen-before"), models)


async def _find_channel_model(
    task: Task, request: Request, candidates: "Candidates"
) -> Model | None:
    """The model that the channel has set for this kind, if the rules allow it and it can do it."""
    model_id = request.settings.models.get(task.kind.name, "")
    if model_id in request.avoid:
        return None
    model = await candidates.find(model_id, task.kind, request)
    return model if model and knows_languages(model, task, request.person.locale) else None


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


@dataclass(frozen=True, slots=True, kw_only=True)
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
        self,
        kind: TaskKind,
        request: Request,
        *,
        task: Task | None = None,
        limit: int = CANDIDATES,
    ) -> list[Model]:
        """The models for a kind that the rules allow, best first, the best of each place included.

        Models made for something else than the kind are left out, and so are those that do not
        know the languages of the task.
        """
        locale = request.person.locale
        able = [
            model
            for model in await self._list_fit(kind, request)
            if task is None or knows_languages(model, task, locale)
        ]
        language = find_target(task, locale) if task else ""
        if not language and kind.name != _TRANSLATION:
            language = normalize_code(locale)
        return _limit_per_place(rank_models(able, self.records, kind, language), limit)

    async def find_places(self, kind: TaskKind, request: Request) -> frozenset[Place]:
        """Where the request may run this kind now: some model for it is live and allowed there."""
        fit = await self._list_fit(kind, request)
        return frozenset(place for model in fit for place in model.places)

    async def _list_fit(self, kind: TaskKind, request: Request) -> list[Model]:
        models = await self.catalogue.candidates(kind, limit=MOST_LISTED)
        allowed = self.filter_allowed(models, request.settings)
        return [each for each in allowed if not is_unfit(each)]

    async def find(self, model_id: str, kind: TaskKind, request: Request) -> Model | None:
        """The model of this kind with this id, if the rules allow it; None for ""."""
        model = await self.catalogue.find(model_id, kind=kind.name) if model_id else None
        return next(iter(self.filter_allowed([model] if model else [], request.settings)), None)

    def filter_allowed(self, models: Iterable[Model], channel: ChannelSettings) -> list[Model]:
        """The models that the rules allow, at the places set in the channel, in their order."""
        permitted = filter_models(models, self.rules, read_channel_rules(channel.policy))
        if channel.places:
            permitted = [_keep_places(model, channel.places) for model in permitted]
        return [model for model in permitted if model.places]

    def explain_refusal(self, model: Model, channel: ChannelSettings) -> LocalizedText | None:
        """Why a model may not be used in this channel; None if it may."""
        if self.filter_allowed([model], channel):
            return None
        refusal = explain_refusal(model, self.rules, read_channel_rules(channel.policy))
        return refusal or LocalizedText("named-nowhere", {"name": model.id})


def read_channel_rules(policy: Mapping[str, str]) -> Rules:
    """The rules in a channel's settings (`ChannelSettings.policy`)."""

    def read_list(name: str) -> tuple[str, ...]:
        return tuple(policy.get(name, "").replace(",", " ").split())

    return Rules(
        allow=read_list("allow"),
        deny=read_list("deny"),
        commercial=policy.get("licence", "") == "commercial",
        providers=read_list("providers"),
        languages=read_list("languages"),
    )


def filter_models(models: Iterable[Model], *rules: Rules) -> list[Model]:
    """The models that all rules allow, each with only the places and providers allowed."""
    strict = [rule for rule in rules if rule != Rules()]
    return [_narrow(model, strict) for model in models if explain_refusal(model, *strict) is None]


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
    if model.places and all(place.has_contract for place in model.places):
        return True
    licence = model.licence.casefold()
    known = all(part.strip().startswith(_COMMERCIAL) for part in licence.split(","))
    return known and not any(word in licence for word in _NOT_COMMERCIAL)


def _narrow(model: Model, rules: Iterable[Rules]) -> Model:
    """Remove the providers that a rule excludes, and the places that need one if none remains."""
    allowed = [{name.casefold() for name in rule.providers} for rule in rules if rule.providers]
    if not allowed or not any(place.has_providers for place in model.places):
        return model
    providers = tuple(
        provider
        for provider in model.providers
        if all(provider.partition(":")[0] in names for names in allowed)
    )
    places = tuple(place for place in model.places if providers or not place.has_providers)
    return replace(model, providers=providers, places=places)


def _is_listed(model: str, patterns: Iterable[str]) -> bool:
    name = model.casefold()
    return any(fnmatchcase(name, pattern.casefold()) for pattern in patterns)


def _speaks_any(model: Model, languages: Iterable[str]) -> bool:
    return any(_knows(model.languages, normalize_code(language)) for language in languages)


def _knows(languages: Iterable[str], code: str) -> bool | None:
    """Whether a language is among others, which cards write in many ways; None if unknown."""
    names = {language.casefold() for language in languages}
    codes = {normalize_code(name) for name in names} - {""}
    if names & _ANY_LANGUAGE:
        return True
    return code in codes if codes else None


def find_target(task: Task, locale: str) -> str:
    """The code of the language that a task shall write or speak; "" if it is not known.

    A translation without a language is one into the person's.
    """
    words = _read_words(task, "language")
    if not words and task.kind.name == _TRANSLATION:
        return normalize_code(locale)
    return find_language(words)


def knows_languages(model: Model, task: Task, locale: str) -> bool:
    """Whether a model knows the languages of a task, as far as that is known.

    A language whose name nobody knows is not among those that a model lists.
    """
    target, source = find_target(task, locale), find_language(_read_words(task, "source_language"))
    is_named = bool(target or _read_words(task, "language"))
    return not (
        (is_named and _knows(model.writes or model.languages, target) is False)
        or (source and _knows(model.languages, source) is False)
    )


def explain_language(task: Task, models: Iterable[Model]) -> LocalizedText | None:
    """That none of the models knows the language of a task; None if one does."""
    words = _read_words(task, "language")
    if not words or any(knows_languages(model, task, "") for model in models):
        return None
    return LocalizedText("not-possible-language", {"kind": task.kind.name, "language": words})


def _read_words(task: Task, name: str) -> str:
    """An argument's words, as far as they stand in the plan."""
    return " ".join(arg.text for arg in task.args.get(name, ()) if isinstance(arg, Text))


def rank_models(
    models: Iterable[Model], records: Records, kind: TaskKind, language: str = ""
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
        unfamiliar = _rank_language(model, kind, language)
        return 4 * failing + 2 * disliked + slow - liked + unfamiliar

    return sorted(candidates, key=rank)


def _get_record(model: Model, records: Records, kind: TaskKind) -> TrackRecord:
    return records.get((model.id, kind.name), TrackRecord())


def _rank_language(model: Model, kind: TaskKind, language: str) -> int:
    """The penalty for language: 2 if not supported, 1 if unknown and not English, else 0."""
    made = kind.makes[0].type
    takes_language = any(
        slot.name in _LANGUAGE_SLOTS and slot.type is not Type.IMAGE
        for slot in kind.takes
        if slot.required
    )
    if not language or made in (Type.IMAGE, Type.VIDEO):
        return 0
    if not takes_language and made is not Type.TEXT:
        return 0
    known = _knows(model.writes or model.languages, normalize_code(language))
    return int(language != "en") if known is None else 0 if known else 2


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
        matches = _find_by_id(model, of_kind)
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
        return _limit_per_place(self._join(lists), limit)

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
        return sorted(usable, key=self._order)

    def _order(self, model: Model) -> tuple[int, int]:
        return find_order(model), self.places.index(model.places[0])

    def _restrict(self, model: Model) -> Model:
        """The model with only the places that are set up and can be used now, in their order."""
        return self.health.narrow(_keep_places(model, (place.name for place in self.places)))


def _keep_places(model: Model, names: Iterable[str]) -> Model:
    """The model with only the places of these names, in their order."""
    known = {place.name: place for place in model.places}
    kept = tuple(known[name] for name in names if name in known)
    return model if kept == model.places else replace(model, places=kept)


def _merge(first: Model, second: Model) -> Model:
    """A model that two catalogues list, as the one tells it that knows its providers."""
    known = second if second.providers else first
    places, prices = (*first.places, *second.places), {**first.prices, **second.prices}
    return replace(known, places=places, prices=prices)


def _limit_per_place(models: Sequence[Model], limit: int) -> list[Model]:
    """The first models, but always the best of each place, in case another place is down."""
    if len(models) <= limit:
        return [*models]
    best_of_place = {model.places[0]: index for index, model in reversed([*enumerate(models)])}
    best = sorted(best_of_place.values())[:limit]
    others = (index for index in range(len(models)) if index not in best)
    return [models[index] for index in sorted([*best, *others][:limit])]
