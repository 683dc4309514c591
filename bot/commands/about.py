"""Commands about models, kinds of tasks and the bot itself."""

from collections.abc import Sequence

from bot import VERSION
from bot.commands.context import CommandContext, translate
from pipeline.domain import Ability, Channel, Invocation, LocalizedText, Model, Place
from pipeline.ports import ANSWERING, TrackRecord
from pipeline.selection.candidates import CANDIDATES
from pipeline.task_kinds import KINDS, list_requirements
from pipeline.words import say, title

_SHOWN = 20
_PRICES = 3


async def models(context: CommandContext, invocation: Invocation) -> str:
    """`models [kind] [search]`: what can run here and now."""
    locale, candidates = invocation.person.locale, context.tools.candidates
    kind, search = invocation.args.get("kind", ""), invocation.args.get("search", "")
    if kind and kind not in KINDS:
        kind, search = "", f"{kind} {search}".strip()
    if kind and not search:
        known = await candidates.catalogue.candidates(KINDS[kind], limit=_SHOWN)
    else:
        known = await candidates.catalogue.search(search, kind=kind, limit=_SHOWN)
    settings = await context.store.settings(invocation.thread.channel)
    rows = [
        f"| `{model.id}` | {model.kind} | {_format_places(model)} | {model.licence or '-'} |"
        for model in candidates.filter_allowed(known, settings)
    ]
    if not rows:
        return translate(locale, "models-none", words=search or kind)
    return "\n".join([translate(locale, "models-columns"), "| --- | --- | --- | --- |", *rows])


def _format_places(model: Model) -> str:
    """The places of a model; `hosted` with its providers."""
    providers = ", ".join(dict.fromkeys(name.partition(":")[0] for name in model.providers))
    hosted = f"hosted ({providers})" if providers else "hosted"
    return ", ".join(hosted if place is Place.HOSTED else place for place in model.places)


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
        "model-kind": model.kind,
        "model-places": _format_places(model) or translate(locale, "model-nowhere"),
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


async def tasks(context: CommandContext, invocation: Invocation) -> str:
    """`tasks`: every kind, first what can run now and where, then what would enable the rest."""
    locale = invocation.person.locale
    lines = [translate(locale, "tasks-columns"), "| --- | --- | --- |"]
    abilities = await list_abilities(context, invocation.thread.channel)
    for ability in sorted(abilities, key=lambda ability: ability.model is None):
        kind, model = ability.kind, ability.model
        where = f"`{model.id}` ({_format_places(model)})" if model else ""
        where = where or say(locale, ability.problem or LocalizedText("tasks-nobody"))
        lines.append(f"| {kind.name} | {title(locale, kind.name)} | {where} |")
    return "\n".join(lines)


async def list_abilities(context: CommandContext, channel: Channel) -> Sequence[Ability]:
    """Every kind of task with the model that would do it in a channel, or why there is none."""
    tools, settings = context.tools, await context.store.settings(channel)
    abilities = []
    for kind in KINDS.values():
        known = await tools.candidates.catalogue.candidates(kind, limit=CANDIDATES)
        if allowed := tools.candidates.filter_allowed(known, settings):
            abilities.append(Ability(kind, allowed[0]))
            continue
        is_away = known or tools.find_closed(kind)
        missing = None if is_away else list_requirements(kind, tools.experts, tools.closed)
        problem = LocalizedText("tasks-rules" if known else "tasks-nobody")
        if missing:
            problem = LocalizedText("tasks-enabled-by", {"what": missing})
        abilities.append(Ability(kind, problem=problem))
    return abilities


async def whoami(_context: CommandContext, invocation: Invocation) -> str:
    """`whoami`: the ids of this person and channel."""
    person, channel = invocation.person, invocation.thread.channel
    return translate(
        person.locale,
        "whoami",
        name=person.name,
        id=person.id,
        locale=person.locale,
        channel=channel.id,
        workspace=channel.workspace,
        platform=channel.platform,
        version=VERSION,
    )


async def complete(context: CommandContext, option: str, typed: str) -> Sequence[str]:
    if option == "kind":
        return [name for name in KINDS if typed.lower() in name]
    catalogue = context.tools.candidates.catalogue
    return [model.id for model in await catalogue.search(typed, limit=25)]
