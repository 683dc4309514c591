"""Which models may be chosen: rules of the installation and of the channel, as a pure function."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from pipeline.domain import Model, Place, Sentence

_COMMERCIAL = (
    "apache-",
    "mit",
    "bsd",
    "isc",
    "cc0",
    "cc-by-2",
    "cc-by-3",
    "cc-by-4",
    "cc-by-sa-",
    "unlicense",
    "zlib",
    "wtfpl",
    "artistic-",
    "afl-",
    "ecl-",
    "epl-",
    "eupl-",
    "mpl-",
    "ms-pl",
    "postgresql",
    "psfl",
    "ncsa",
    "bsl-1.0",
    "gpl",
    "lgpl",
    "agpl",
    "openrail",
    "creativeml-openrail",
    "bigscience-",
    "bigcode-openrail",
    "llama2",
    "llama3",
    "llama4",
    "gemma",
    "openmdw",
    "odc-by",
    "pddl",
)
"""Licences, by their beginnings as the Hub names them, that let a model be used for money, some under conditions."""
_NOT_AT_ALL = ("-nc", "noncommercial", "non-commercial", "research")


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be chosen; empty means anything. Models by id, "org/*" for all of an organisation."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    commercial: bool = False
    """Only models whose licence is known to allow commercial use."""
    providers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


def channel_rules(policy: Mapping[str, str]) -> Rules:
    """A channel's rules, out of its settings."""
    return Rules(
        _words(policy.get("allow", "")),
        _words(policy.get("deny", "")),
        policy.get("licence", "") == "commercial",
        _words(policy.get("providers", "")),
        _words(policy.get("languages", "")),
    )


def refusal(model: Model, *rules: Rules) -> Sentence | None:
    """Why none of the model's places may run it under all the rules; None: it may be chosen."""
    for rule in rules:
        if reason := _reason(model, rule):
            return reason
    return None


def permitted(models: Iterable[Model], *rules: Rules) -> list[Model]:
    """The models that all the rules allow, each with the places and providers that they leave it."""
    return [_narrowed(model, rules) for model in models if refusal(model, *rules) is None]


def _reason(model: Model, rule: Rules) -> Sentence | None:
    named = {"name": model.id}
    if rule.allow and not _listed(model.id, rule.allow):
        return Sentence("policy-not-allowed", named)
    if _listed(model.id, rule.deny):
        return Sentence("policy-denied", named)
    if rule.commercial and not commercial(model):
        return Sentence("policy-licence", {**named, "licence": model.licence or "?"})
    if rule.languages and model.languages and not _speaks(model, rule.languages):
        return Sentence("policy-language", named)
    if model.places and not _narrowed(model, (rule,)).places:
        return Sentence("policy-provider", named)
    return None


def commercial(model: Model) -> bool:
    """Whether the model's licence is known to allow commercial use. The controller is used under its own contract."""
    if model.places == (Place.LLM,):
        return True
    licence = model.licence.casefold()
    known = all(one.strip().startswith(_COMMERCIAL) for one in licence.split(","))
    return known and not any(word in licence for word in _NOT_AT_ALL)


def _narrowed(model: Model, rules: Iterable[Rules]) -> Model:
    """Without the providers that a rule does not name, and not hosted when none is left."""
    named = [{one.casefold() for one in rule.providers} for rule in rules if rule.providers]
    if not named or Place.HOSTED not in model.places:
        return model
    kept = tuple(
        one for one in model.providers if all(one.partition(":")[0] in some for some in named)
    )
    places = tuple(place for place in model.places if kept or place is not Place.HOSTED)
    return replace(model, providers=kept, places=places)


def _listed(id_: str, patterns: Iterable[str]) -> bool:
    name = id_.casefold()
    return any(fnmatchcase(name, pattern.casefold()) for pattern in patterns)


def _speaks(model: Model, languages: Iterable[str]) -> bool:
    known = {language.casefold() for language in model.languages}
    return "multilingual" in known or any(one.casefold() in known for one in languages)


def _words(listed: str) -> tuple[str, ...]:
    return tuple(word for word in listed.replace(",", " ").split() if word)
