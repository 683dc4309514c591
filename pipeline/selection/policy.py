"""Which models the rules of the installation and of a channel allow."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from pipeline.domain import LocalizedText, Model
from pipeline.selection.model_languages import knows_language
from pipeline.text.languages import normalize_code

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
"""Words in the names of licences that forbid it, whatever they begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Which models may be used; empty means any. Models by id, or by pattern as in "org/*"."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    commercial: bool = False
    """Only models whose licence is known to allow commercial use."""
    providers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


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
    return any(knows_language(model.languages, normalize_code(language)) for language in languages)
