"""Commands about models: which work here, and what is known about one."""

from collections.abc import Sequence
from functools import partial

from bot.commands.context import CommandContext, Typed, translate
from bot.commands.tasks import group_working, list_abilities
from pipeline.domain import CommandSelect, Invocation, LocalizedText, Model, SelectOption
from pipeline.ports import ANSWERING, TrackRecord
from pipeline.task_kinds import KINDS
from pipeline.words import say, title

_SHOWN = 15
"""Models in one reply."""
_SEARCHED = 100
"""Models that are looked at for it."""
_FIRST = 2
"""Tasks of a medium that are shown with their models."""
_PRICES = 3
"""Prices of one model, the lowest first."""


async def models(context: CommandContext, invocation: Invocation) -> str:
    """`models [kind] [search]`: the models that work here, first one for each of the main tasks."""
    locale = invocation.person.locale
    kind, search = _read_kind(invocation)
    if not kind and not search:
        return await _format_main_models(context, invocation)
    known = await _find_models(context, invocation, kind, search)
    if not known:
        return translate(locale, "models-none", words=search or title(locale, kind))
    show = partial(
        _format_model, in_full=context.gate.is_admin(invocation.person, invocation.thread)
    )
    by_kind: dict[str, list[str]] = {}
    for model in known[:_SHOWN]:
        by_kind.setdefault(kind or model.kind, []).append(f"- {show(model)}")
    lines = [
        line for name, rows in by_kind.items() for line in (_format_heading(name, locale), *rows)
    ]
    if (rest := len(known) - _SHOWN) > 0:
        lines.append(translate(locale, "models-rest", count=rest))
    return "\n".join(lines)


def _read_kind(invocation: Invocation) -> tuple[str, str]:
    """The kind of task that is asked about, by its name or its words, and what is searched for."""
    kind, search = invocation.args.get("kind", ""), invocation.args.get("search", "")
    if not kind or kind in KINDS:
        return kind, search
    names = {title(invocation.person.locale, name).casefold(): name for name in KINDS}
    if found := names.get(kind.casefold()):
        return found, search
    words = f"{kind} {search}".strip()
    found = names.get(words.casefold(), "")
    return found, "" if found else words


async def _find_models(
    context: CommandContext, invocation: Invocation, kind: str, search: str
) -> Sequence[Model]:
    candidates = context.tools.candidates
    if kind and not search:
        known = await candidates.catalogue.candidates(KINDS[kind], limit=_SEARCHED)
    else:
        known = await candidates.catalogue.search(search, kind=kind, limit=_SEARCHED)
    settings = await context.store.settings(invocation.thread.channel)
    return candidates.filter_allowed(known, settings)


async def _format_main_models(context: CommandContext, invocation: Invocation) -> str:
    """For each medium, the model of its first tasks: a screen, the rest is behind a select."""
    locale = invocation.person.locale
    groups = group_working(await list_abilities(context, invocation.thread.channel))
    if not groups:
        return translate(locale, "tasks-none")
    show = partial(
        _format_model, in_full=context.gate.is_admin(invocation.person, invocation.thread)
    )
    lines = [translate(locale, "models-heading")]
    for medium, abilities in groups.items():
        lines += ["", f"**{translate(locale, 'medium', type=medium)}**"]
        first = [(each.kind.name, each.model) for each in abilities[:_FIRST] if each.model]
        lines += [f"- {title(locale, name)}: {show(model)}" for name, model in first]
    return "\n".join(lines)


def _format_heading(kind: str, locale: str) -> str:
    words = title(locale, kind) if kind in KINDS else kind
    return f"**{translate(locale, 'models-for', kind=words)}**"


def _format_model(model: Model, *, in_full: bool) -> str:
    """A model with its licence; for administrators also where it runs."""
    places = _format_places(model) if in_full else ""
    return " · ".join(filter(None, (f"`{model.id}`", model.licence, places)))


async def offer_kinds(context: CommandContext, invocation: Invocation) -> CommandSelect | None:
    """A select of what works here, for the models of one task."""
    locale = invocation.person.locale
    groups = group_working(await list_abilities(context, invocation.thread.channel))
    options = tuple(
        SelectOption(
            each.kind.name,
            title(locale, each.kind.name),
            translate(locale, "medium", type=medium),
        )
        for medium, abilities in groups.items()
        for each in abilities
    )
    return CommandSelect("models", LocalizedText("models-pick"), options) if options else None


def _format_places(model: Model) -> str:
    """The places of a model, with its providers where it has some."""
    providers = ", ".join(dict.fromkeys(name.partition(":")[0] for name in model.providers))
    return ", ".join(
        f"{place} ({providers})" if place.has_providers and providers else place.name
        for place in model.places
    )


async def model(context: CommandContext, invocation: Invocation) -> str:
    """`model <id>`: everything known about a model, and its track record here."""
    locale, channel = invocation.person.locale, invocation.thread.channel
    name, candidates = invocation.args.get("id", ""), context.tools.candidates
    model = await candidates.catalogue.find(name)
    if model is None:
        return translate(locale, "model-unknown", name=name)
    settings = await context.store.settings(channel)
    refusal = candidates.explain_refusal(model, settings) if model.places else None
    facts = {
        "model-kind": title(locale, model.kind) if model.kind in KINDS else model.kind,
        "model-places": _describe_places(context, invocation, model),
        "model-licence": model.licence or translate(locale, "unknown"),
        "model-languages": ", ".join(model.languages),
        "model-downloads": f"{model.downloads:,}" if model.downloads else "",
        "model-size": f"{model.size / 1e6:,.0f} MB" if model.size > 0 else "",
        "model-likes": f"{model.likes:,}" if model.likes else "",
        "model-price": _format_prices(model, locale),
        "model-gated": translate(locale, "model-gated-yes") if model.gated else "",
        "model-revision": model.revision,
        "model-rules": say(locale, refusal) if refusal else "",
    }
    lines = [f"{translate(locale, label)}: {value}" for label, value in facts.items() if value]
    records = {
        kind: record
        for (id_, kind), record in (await context.store.track_records(channel=channel)).items()
        if id_ == model.id and kind != ANSWERING
    }
    for kind, record in sorted((records or {model.kind: TrackRecord()}).items()):
        lines.append(_format_record(record, kind or translate(locale, "unknown"), locale))
    return "\n".join([f"**{model.id}**", model.description, "", *(f"- {line}" for line in lines)])


def _describe_places(context: CommandContext, invocation: Invocation, model: Model) -> str:
    """Where a model runs, for administrators; for all, whether it does."""
    if not model.places:
        return translate(invocation.person.locale, "model-nowhere")
    is_admin = context.gate.is_admin(invocation.person, invocation.thread)
    return _format_places(model) if is_admin else ""


def _format_prices(model: Model, locale: str) -> str:
    """The known prices of a model, the lowest first."""
    prices = sorted(model.prices.items(), key=lambda item: item[1].prompt + item[1].completion)
    return "; ".join(
        translate(
            locale,
            "model-price-tokens",
            prompt=f"{price.prompt:.10g}",
            completion=f"{price.completion:.10g}",
            provider=provider or "-",
        )
        for provider, price in prices[:_PRICES]
    )


def _format_record(record: TrackRecord, kind: str, locale: str) -> str:
    return translate(
        locale,
        "model-record",
        kind=kind,
        attempts=record.attempts,
        failures=record.failures,
        seconds=round(record.median_took, 1),
        ups=record.ups,
        downs=record.downs,
    )


async def complete(context: CommandContext, typed: Typed) -> Sequence[str]:
    """Tasks by their words, which `_read_kind` takes; models by their ids."""
    if typed.option == "kind":
        words, names = typed.text.casefold(), {kind: title(typed.locale, kind) for kind in KINDS}
        return [name for kind, name in names.items() if words in kind or words in name.casefold()]
    catalogue = context.tools.candidates.catalogue
    return [model.id for model in await catalogue.search(typed.text, limit=25)]
