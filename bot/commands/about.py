"""Commands that tell about models, kinds of tasks and the bot itself."""

from collections.abc import Sequence

from bot.commands.context import CommandContext, translate, translate_commands
from pipeline.domain import Command, Invocation, LocalizedText, Model, Place, Reply, TaskKind
from pipeline.ports import TrackRecord
from pipeline.selection import CANDIDATES
from pipeline.task_kinds import KINDS, list_requirements
from pipeline.words import say

_SHOWN = 20
_PRICES = 3


async def models(context: CommandContext, invocation: Invocation) -> Reply:
    """`models [kind] [search]`: what can run here and now."""
    locale = invocation.person.locale
    kind, search = invocation.args.get("kind", ""), invocation.args.get("search", "")
    if kind and kind not in KINDS:
        kind, search = "", f"{kind} {search}".strip()
    known = (
        await context.tools.catalogue.candidates(KINDS[kind], limit=_SHOWN)
        if kind and not search
        else await context.tools.catalogue.search(search, kind=kind, limit=_SHOWN)
    )
    found = await context.filter_allowed(known, invocation.thread)
    if not found:
        return Reply(translate(locale, "models-none", words=search or kind))
    rows = "\n".join(_row(model) for model in found)
    heads = translate(locale, "models-columns")
    return Reply(f"{heads}\n| --- | --- | --- | --- |\n{rows}")


def _row(model: Model) -> str:
    return f"| `{model.id}` | {model.kind} | {_places(model)} | {model.licence or '-'} |"


def _places(model: Model) -> str:
    """Where it runs; hosted with those who host it."""
    providers = ", ".join(dict.fromkeys(one.partition(":")[0] for one in model.providers))
    hosted = f"hosted ({providers})" if providers else "hosted"
    return ", ".join(hosted if place is Place.HOSTED else place for place in model.places)


async def model(context: CommandContext, invocation: Invocation) -> Reply:
    """`model <id>`: everything known of a model, and how it has done here."""
    locale = invocation.person.locale
    wanted = invocation.args.get("id", "")
    found = await context.tools.catalogue.find(wanted)
    if found is None:
        return Reply(translate(locale, "model-unknown", name=wanted))
    records = await context.store.track_record(found.id, channel=invocation.thread.channel)
    facts = [
        ("model-kind", found.kind),
        ("model-places", _places(found) or translate(locale, "model-nowhere")),
        ("model-licence", found.licence or translate(locale, "unknown")),
        ("model-languages", ", ".join(found.languages)),
        ("model-downloads", f"{found.downloads:,}" if found.downloads else ""),
        ("model-size", f"{found.size / 1e6:,.0f} MB" if found.size > 0 else ""),
        ("model-likes", f"{found.likes:,}" if found.likes else ""),
        ("model-price", _prices(found, locale)),
        ("model-gated", translate(locale, "model-gated-yes") if found.gated else ""),
        ("model-revision", found.revision),
    ]
    if reason := await context.explain_forbidden(found, invocation.thread):
        facts.append(("model-rules", say(locale, reason)))
    lines = [f"**{found.id}**", found.description, ""]
    lines += [f"- {translate(locale, name)}: {value}" for name, value in facts if value]
    lines += [
        f"- {_record(record, kind, locale)}"
        for kind, record in sorted(records.items() or {found.kind: TrackRecord()}.items())
    ]
    return Reply("\n".join(lines))


def _prices(model: Model, locale: str) -> str:
    """What is known of prices, the lowest first."""
    told = sorted(model.prices.items(), key=lambda one: one[1].prompt + one[1].completion)
    return "; ".join(
        translate(
            locale,
            "model-price-tokens",
            prompt=f"{price.prompt:.10g}",
            completion=f"{price.completion:.10g}",
            provider=provider or "-",
        )
        for provider, price in told[:_PRICES]
    )


def _record(record: TrackRecord, kind: str, locale: str) -> str:
    """How a model has done with a kind of task."""
    return translate(
        locale,
        "model-record",
        kind=kind or translate(locale, "unknown"),
        attempts=record.attempts,
        failures=record.failures,
        seconds=round(record.median_took, 1),
        ups=record.ups,
        downs=record.downs,
    )


async def tasks(context: CommandContext, invocation: Invocation) -> Reply:
    """`tasks`: every kind, where it can run now, and what would enable the rest."""
    locale = invocation.person.locale
    rows = []
    for kind in KINDS.values():
        known = await context.tools.catalogue.candidates(kind, limit=CANDIDATES)
        candidates = await context.filter_allowed(known, invocation.thread)
        if candidates:
            where = f"`{candidates[0].id}` ({_places(candidates[0])})"
        else:
            where = translate(locale, "tasks-rules") if known else _wanting(context, kind, locale)
        rows.append(f"| {kind.name} | {kind.says} | {where} |")
    heads = translate(locale, "tasks-columns")
    return Reply("\n".join([heads, "| --- | --- | --- |", *rows]))


def _wanting(context: CommandContext, kind: TaskKind, locale: str) -> str:
    """What would enable a kind, beyond what is set up already."""
    missing = list_requirements(kind, context.tools.experts, context.tools.closed)
    if missing is None:
        return translate(locale, "tasks-nobody")
    return say(locale, LocalizedText("tasks-enabled-by", {"what": missing}))


async def help_(context: CommandContext, invocation: Invocation) -> Reply:
    """`help`: what the bot is for and the commands."""
    locale = invocation.person.locale
    lines = [translate(locale, "help-intro"), ""]
    lines += [
        f"- `{_usage(command)}` - {command.says}"
        for command in translate_commands(context.commands, locale)
    ]
    return Reply("\n".join(lines))


def _usage(command: Command) -> str:
    """A command with its options, as it is written."""
    words = [
        f"<{name}>" if option.required else f"[{name}]"
        for option in command.options
        for name in ("|".join(option.choices) or option.name,)
    ]
    return " ".join([command.name, *words])


async def whoami(context: CommandContext, invocation: Invocation) -> Reply:
    """`whoami`: how the bot knows this person and place."""
    person, channel = invocation.person, invocation.thread.channel
    return Reply(
        translate(
            person.locale,
            "whoami",
            name=person.name,
            id=person.id,
            locale=person.locale,
            channel=channel.id,
            workspace=channel.workspace,
            platform=channel.platform,
            version=context.version,
        )
    )


async def complete(context: CommandContext, option: str, typed: str) -> Sequence[str]:
    """Completions for the kinds and the ids of models."""
    if option == "kind":
        return [name for name in KINDS if typed.lower() in name]
    return [found.id for found in await context.tools.catalogue.search(typed, limit=25)]
