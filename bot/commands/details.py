"""The details of a run as Markdown: its plan with models, times, costs, choices and errors."""

import re
from collections.abc import Iterator, Mapping
from math import floor, log10

from adapters.chat.board import describe_source, find_provider
from bot.commands.context import CommandContext, translate
from pipeline.codec import load_events
from pipeline.domain import (
    Choice,
    Chose,
    Done,
    Failed,
    Labels,
    Model,
    Outcome,
    Place,
    Run,
    Skipped,
    Task,
    TaskId,
    Text,
)
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.text import unlink
from pipeline.words import say, title

_MOST_RUNNERS_UP = 3
"""Models that would have stood in for the chosen one."""
_MARKS = re.compile(r"[\\`*_\[\]<>~|]")
"""What Markdown takes for formatting."""
_REVISION = 12
"""How many characters of a revision are shown."""


async def explain(run: Run | None, context: CommandContext, locale: str, *, in_full: bool) -> str:
    """The details of a run with its stored choices of models; a sentence if it has no plan."""
    if run is None or not run.plan.tasks:
        return translate(locale, "plan-none")
    stored = await context.store.events(run.id)
    events = load_events(stored[run.id])
    choices = {event.task: event.choice for event in events if isinstance(event, Chose)}
    return format_details(run, choices, locale, in_full=in_full)


def format_details(
    run: Run, choices: Mapping[TaskId, Choice], locale: str, *, in_full: bool = False
) -> str:
    """The plan of a run as Markdown: models, licences, times, costs, choices and errors.

    `in_full`: for administrators, also the names of tasks in settings, places and revisions.
    """
    lines = [f"- {note}" for note in _list_notes(run, locale)]
    for task in run.plan.tasks:
        outcome = run.outcomes.get(task.id)
        lines.append(f"- {_format_task(task, outcome, locale, in_full=in_full)}")
        reason = _explain_choice(choices.get(task.id), locale)
        facts = (*filter(None, [reason]), *_list_facts(outcome, locale, in_full=in_full))
        lines += [f"  - {fact}" for fact in facts]
    if cost := sum(map(_sum_costs, run.outcomes.values())):
        total = translate(locale, "details-cost", cost=_format_dollars(cost))
        lines.append(f"- {total}")
    return "\n".join(lines)


def _format_task(task: Task, outcome: Outcome | None, locale: str, *, in_full: bool) -> str:
    """A task in one line; "← 1" stands for the tasks that it needs."""
    name = f" ({task.kind.name})" if in_full else ""
    words = [f"**{task.id} {title(locale, task.kind.name)}**{name}"]
    if task.needs:
        words.append(f"← {', '.join(map(str, sorted(task.needs)))}")
    match outcome:
        case Done(model=model, place=place):
            words.append(f"`{model.id}`{_format_origin(model, place, outcome, in_full=in_full)}")
            words += filter(None, [model.licence, _describe_making(outcome, locale)])
            if cost := _sum_costs(outcome):
                words.append(_format_dollars(cost))
        case Failed(reason):
            words.append(_quote(say(locale, reason)))
        case Skipped(because_of):
            words.append(translate(locale, "state-skipped", task=because_of))
        case _:
            words.append(translate(locale, "stopped"))
    return " · ".join(words)


def _format_origin(model: Model, place: Place, outcome: Done, *, in_full: bool) -> str:
    """Where a model ran: by whom, and for administrators at which place and in which revision."""
    provider = find_provider(outcome)
    if not in_full:
        return f" ({provider})" if provider else ""
    revision = f" `@{model.revision[:_REVISION]}`" if model.revision else ""
    return f"{revision} ({_format_place(place, provider)})"


def _explain_choice(choice: Choice | None, locale: str) -> str:
    """Why a model was chosen, and what would have stood in for it; "" if none was."""
    if choice is None:
        return ""
    names = ", ".join(f"`{model.id}`" for model in choice.runners_up[:_MOST_RUNNERS_UP])
    fallback = [translate(locale, "details-behind", models=names)] if names else []
    return " · ".join([_quote(say(locale, choice.reason)), *fallback])


def _describe_making(outcome: Done, locale: str) -> str:
    """How long the task took, or where a reused result came from."""
    if outcome.source is not None and outcome.source.run:
        took = sum(attempt.took for attempt in outcome.tried)
        return translate(locale, "taken-made", seconds=round(took, 1))
    if source := describe_source(outcome):
        return say(locale, source)
    return translate(locale, "state-done", seconds=round(outcome.took, 1))


def _list_notes(run: Run, locale: str) -> Iterator[str]:
    """What is known of the whole run."""
    if estimate := format_estimate(run.estimate):
        yield translate(locale, "details-estimate", estimate=say(locale, estimate))
    yield from (_quote(say(locale, repair.what)) for repair in run.repairs)


def _list_facts(outcome: Outcome | None, locale: str, *, in_full: bool) -> Iterator[str]:
    """Failed attempts, and what the answer leaves out: scores and the expert's remarks."""
    for attempt in outcome.tried if isinstance(outcome, Done | Failed) else ():
        if attempt.error is not None:
            place = _format_place(attempt.place, attempt.provider) if in_full else attempt.provider
            where = f" ({place})" if place else ""
            error = _quote(say(locale, attempt.error))
            names_it = attempt.model in error
            yield f"{error}{where}" if names_it else f"{attempt.model}{where}: {error}"
    if isinstance(outcome, Done):
        for value in outcome.output.slots.values():
            if isinstance(value, Labels):
                yield _quote(as_text(value))
            elif isinstance(value, Text) and value.score is not None:
                yield f"{value.score:.0%}"
        yield from map(_quote, filter(None, (outcome.output.source, outcome.output.note)))


def _quote(words: str) -> str:
    """Words that a model may have written, in one line: no Markdown, and no link."""
    return _MARKS.sub(r"\\\g<0>", unlink(" ".join(words.split())))


def _format_place(place: Place, provider: str) -> str:
    return f"{place}, {provider}" if provider else place.name


def _sum_costs(outcome: Outcome) -> float:
    """The known cost of a task's attempts in US dollars; 0 for a reused result."""
    if not isinstance(outcome, Done | Failed) or (isinstance(outcome, Done) and outcome.source):
        return 0.0
    return sum(attempt.cost or 0.0 for attempt in outcome.tried)


def _format_dollars(cost: float) -> str:
    """Two significant digits, but at least cents."""
    return f"${cost:.{max(2, 1 - floor(log10(cost)))}f}"
