"""The command about tasks: what works here, and what would make the rest work."""

from collections.abc import Mapping, Sequence

from bot.commands.context import CommandContext, translate
from pipeline.domain import (
    INSTALLER,
    Ability,
    Channel,
    CommandSelect,
    Invocation,
    LocalizedText,
    SelectOption,
    Type,
)
from pipeline.selection.candidates import CANDIDATES
from pipeline.task_kinds import KINDS, find_medium, list_requirements
from pipeline.words import say, title

_TITLES = 8
"""Names of tasks of one medium that fit on a screen."""
_MEDIA = (Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE, Type.TEXT)
INSTALL_EMBEDDED = '.venv/bin/python -m pip install -e ".[embedded]"'
"""For administrators, in the folder of the program."""


async def tasks(context: CommandContext, invocation: Invocation) -> str:
    """`tasks [about]`: what works here, by what it is about; for administrators also the rest."""
    locale, about = invocation.person.locale, invocation.args.get("about", "")
    abilities = await list_abilities(context, invocation.thread.channel)
    groups = group_working(abilities)
    if about in set(groups):
        medium = Type(about)
        names = [f"- {title(locale, each.kind.name)}" for each in groups[medium]]
        return "\n".join([f"**{translate(locale, 'medium', type=medium)}**", *names])
    works = [
        f"- **{translate(locale, 'medium', type=medium)}**: {_join_titles(each, locale)}"
        for medium, each in groups.items()
    ]
    lines = (
        [translate(locale, "tasks-works"), *works] if works else [translate(locale, "tasks-none")]
    )
    missing = [each for each in abilities if each.model is None]
    if not missing:
        return "\n".join(lines)
    if not context.gate.is_admin(invocation.person, invocation.thread):
        can_be_mended = sum(each.can_be_enabled for each in missing)
        more = [translate(locale, "tasks-more", count=can_be_mended)] if can_be_mended else []
        return "\n".join([*lines, *([""] if more else []), *more])
    more = ["", translate(locale, "tasks-set-up")] if INSTALLER in invocation.person.roles else []
    return "\n".join([*lines, "", *format_missing(missing, locale), *more])


def format_missing(missing: Sequence[Ability], locale: str) -> Sequence[str]:
    """What does not work, by the one line that would mend it."""
    problems: dict[str, list[Ability]] = {}
    for each in missing:
        problem = say(locale, each.problem or LocalizedText("tasks-nobody"))
        problems.setdefault(problem, []).append(each)
    rows = (f"- {_join_titles(each, locale)}: {words}" for words, each in problems.items())
    return [translate(locale, "tasks-missing"), *rows]


def group_working(abilities: Sequence[Ability]) -> Mapping[Type, Sequence[Ability]]:
    """What works, by the type of file that it is about."""
    groups: dict[Type, list[Ability]] = {medium: [] for medium in _MEDIA}
    for each in abilities:
        if each.model:
            groups[find_medium(each.kind)].append(each)
    return {medium: each for medium, each in groups.items() if each}


def _join_titles(abilities: Sequence[Ability], locale: str) -> str:
    """The names of tasks, as many as fit on a screen."""
    names = [title(locale, each.kind.name) for each in abilities]
    rest = len(names) - _TITLES
    return " · ".join([*names[:_TITLES], *([f"+{rest}"] if rest > 0 else [])])


async def offer_groups(context: CommandContext, invocation: Invocation) -> CommandSelect | None:
    """A select of what tasks are about, for all of one group."""
    locale = invocation.person.locale
    groups = group_working(await list_abilities(context, invocation.thread.channel))
    options = tuple(
        SelectOption(medium, translate(locale, "medium", type=medium), "") for medium in groups
    )
    return CommandSelect("tasks", LocalizedText("tasks-pick"), options) if options else None


async def list_abilities(context: CommandContext, channel: Channel) -> Sequence[Ability]:
    """Every kind of task with the model that would do it in a channel, or why there is none.

    All that counts kinds counts these.
    """
    tools, settings = context.tools, await context.store.settings(channel)
    abilities = []
    for kind in KINDS.values():
        known = await tools.candidates.catalogue.candidates(kind, limit=CANDIDATES)
        allowed = tools.candidates.filter_allowed(known, settings)
        if working := [model for model in allowed if {*model.places} - tools.health.dead]:
            abilities.append(Ability(kind, working[0]))
            continue
        is_away = known or tools.find_closed(kind)
        missing = None if is_away else list_requirements(kind, tools.experts, tools.closed)
        problem = LocalizedText("tasks-rules" if known and not allowed else "tasks-nobody")
        if missing:
            problem = _word_mending(missing)
        abilities.append(Ability(kind, problem=problem, can_be_enabled=bool(missing)))
    return abilities


def _word_mending(missing: str | LocalizedText) -> LocalizedText:
    """The line that would make something work, as an administrator would write it."""
    if isinstance(missing, LocalizedText):
        return LocalizedText("tasks-needs", {"what": missing})
    settings = [each for each in missing.split(" / ") if not each.startswith("[")]
    if not settings:
        return LocalizedText("tasks-extra", {"what": INSTALL_EMBEDDED})
    return LocalizedText("tasks-enabled-by", {"what": " / ".join(map(_format_line, settings))})


def _format_line(setting: str) -> str:
    """A line for .env: "HF_TOKEN=…"; of a place that is left out, "TROUPE_PLACES=…,local"."""
    name, _, value = setting.partition(" ")
    return f"{name}=…,{value.strip('()')}" if value else f"{name}=…"
