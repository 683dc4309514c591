"""What the bot keeps: a channel's settings, what it learned from votes, and erasure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.context import CommandContext, translate
from pipeline.domain import ChannelSettings, Invocation, Place, Reply, RunId
from pipeline.feedback import REACHES
from pipeline.ports import PlanExample, Scope
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES

_LISTS = ("allow", "deny", "providers", "languages")
NAMES = ("places", "mention", "language", "learn", "licence", *_LISTS)
_DEFAULT = ("default", "-")
_WORDS: Mapping[str, Sequence[str]] = {
    "mention": ("always", "threads"),
    "language": LOCALES,
    "learn": REACHES,
    "licence": ("commercial",),
}
"""What may be chosen where it is one word."""


def is_known(args: Mapping[str, str]) -> bool:
    """Whether these words are about a setting."""
    name = args.get("name", "")
    return not name or name in NAMES or name.removeprefix("model:") in KINDS


async def settings(context: CommandContext, invocation: Invocation) -> Reply:
    """`settings [name] [value]`: show the channel's, or change one; "default" resets it."""
    locale = invocation.person.locale
    channel = invocation.thread.channel
    now = await context.store.settings(channel)
    name, value = invocation.args.get("name", ""), invocation.args.get("value", "")
    if not is_known(invocation.args):
        return Reply(translate(locale, "settings-unknown", name=name, names=", ".join(NAMES)))
    if value:
        try:
            now = _change(now, name, "" if value in _DEFAULT else value)
        except ValueError as error:
            return Reply(translate(locale, "settings-bad", value=value, choices=str(error)))
        await context.store.set(channel, now)
    return Reply("\n".join([translate(locale, "settings-heading"), *_lines(now)]))


def _change(now: ChannelSettings, name: str, value: str) -> ChannelSettings:
    """Raises ValueError with what may be chosen."""
    match name:
        case "places":
            places = tuple(word for word in value.replace("+", ",").split(",") if word)
            _among(places, [place.value for place in Place])
            return replace(now, places=places)
        case "mention" | "language" | "learn":
            _among((value,) if value else (), _WORDS[name])
            word: dict[str, Any] = {name: value}
            return replace(now, **word)
        case "licence":
            _among((value,) if value else (), _WORDS[name])
            return replace(now, policy={**now.policy, "licence": value})
        case "allow" | "deny" | "providers" | "languages":
            return replace(now, policy={**now.policy, name: value})
        case _:
            models = {**now.models, name.removeprefix("model:"): value}
            return replace(now, models={kind: model for kind, model in models.items() if model})


def _among(words: Sequence[str], choices: Sequence[str]) -> None:
    if set(words) - set(choices):
        raise ValueError(", ".join(choices))


def _lines(now: ChannelSettings) -> list[str]:
    facts = {
        "places": ", ".join(now.places),
        "mention": now.mention,
        "language": now.language,
        "learn": now.learn,
        **{name: now.policy.get(name, "") for name in ("licence", *_LISTS)},
        **{f"model:{kind}": model for kind, model in now.models.items()},
    }
    return [f"- `{name}`: {_line(name, value)}" for name, value in facts.items()]


def _line(name: str, value: str) -> str:
    """What a setting is, and what else it may be where that is one word."""
    others = [word for word in ("default", *_WORDS.get(name, ())) if word != (value or "default")]
    choices = f" ({' · '.join(others)})" if name in _WORDS else ""
    return f"`{value or 'default'}`{choices}"


async def complete(_context: CommandContext, option: str, typed: str) -> Sequence[str]:
    """Completions for the names and values of settings."""
    if option == "name":
        names = (*NAMES, *(f"model:{kind}" for kind in KINDS))
        return [name for name in names if typed.lower() in name]
    values = ("default", *Place, "always", "threads", "commercial", *REACHES, *LOCALES)
    return [str(value) for value in values if typed.lower() in value]


_SHOWN = 20
_ID, _QUOTED = 8, 80
_ALL = "all"


async def forget(context: CommandContext, invocation: Invocation) -> Reply:
    """`forget me|thread|channel`: stop what runs there, delete rows and unshared files."""
    locale = invocation.person.locale
    try:
        scope = Scope(invocation.args.get("what", ""))
    except ValueError:
        return Reply(translate(locale, "forget-what"))
    for run in await _find_running(context, scope, invocation):
        await context.inbox.cancel(run)
    rows, orphans = await context.store.forget(
        scope, thread=invocation.thread, person=invocation.person.id
    )
    await context.tools.files.discard(orphans)
    return Reply(translate(locale, "forgotten", rows=rows, files=len(orphans)))


async def _find_running(
    context: CommandContext, scope: Scope, invocation: Invocation
) -> list[RunId]:
    if scope is Scope.THREAD:
        return await context.find_waiting(invocation, invocation.thread)
    runs = []
    for run in await context.find_waiting(invocation):
        message = await context.inbox.message(run)
        if message is None:
            continue
        there, here = message.thread.channel, invocation.thread.channel
        mine = message.person.id == invocation.person.id and (
            (there.platform, there.workspace) == (here.platform, here.workspace)
        )
        if (scope is Scope.PERSON and mine) or (scope is Scope.CHANNEL and there == here):
            runs.append(run)
    return runs


async def manage_examples(context: CommandContext, invocation: Invocation) -> Reply:
    """`learned [forget <entry>|all]`: show the plans that serve as examples here, or drop some."""
    locale = invocation.person.locale
    if not await context.is_learning(invocation.thread):
        return Reply(translate(locale, "learned-off"))
    examples = await context.find_examples(invocation.thread)
    if invocation.args.get("do"):
        wanted = invocation.args.get("entry", "")
        gone = [one for one in examples if wanted in (_ALL, one.run[:_ID], one.run)]
        if not gone:
            return Reply(translate(locale, "learned-unknown", entry=wanted))
        await context.store.retract_votes([one.run for one in gone])
        return Reply(translate(locale, "learned-forgotten", count=len(gone)))
    if not examples:
        return Reply(translate(locale, "learned-nothing"))
    lines = [translate(locale, "learned-heading", count=len(examples)), ""]
    return Reply("\n".join([*lines, *(_format_example(one, locale) for one in examples[:_SHOWN])]))


def _format_example(lesson: PlanExample, locale: str) -> str:
    words = " ".join(lesson.text.split())
    quoted = words if len(words) <= _QUOTED else f"{words[:_QUOTED]}…"
    kinds = " → ".join(task.kind.name for task in lesson.plan.tasks)
    files = f" ({', '.join(lesson.sent)})" if lesson.sent else ""
    where = "" if lesson.here else " · " + translate(locale, "learned-elsewhere")
    return f"- `{lesson.run[:_ID]}` “{quoted}”{files}: {kinds}{where}"
