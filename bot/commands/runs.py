"""Commands about what is being done: the plan, the state of things, stopping."""

from collections.abc import Mapping
from math import floor, log10

from bot.commands.desk import Desk, worded
from pipeline.domain import (
    Choice,
    Done,
    Failed,
    Invocation,
    Model,
    Outcome,
    Place,
    Reply,
    Run,
    Skipped,
    Task,
    TaskId,
)
from pipeline.estimating import told
from pipeline.progress import provider_of, taken
from pipeline.words import say

_BEHIND = 3
_REVISION = 12
"""Signs of a revision that tell it from others."""


async def plan(desk: Desk, invocation: Invocation) -> Reply:
    """`plan`: the newest plan of this thread, task by task."""
    run = await desk.planned(invocation.thread)
    locale = invocation.person.locale
    if run is None:
        return Reply(worded(locale, "plan-none"))
    return Reply(details(run, await desk.choices(run.id), locale))


async def status(desk: Desk, invocation: Invocation) -> Reply:
    """`status`: what is under way here."""
    here = await desk.waiting(invocation, invocation.thread)
    everywhere = await desk.waiting(invocation)
    return Reply(
        worded(
            invocation.person.locale,
            "status",
            here=len(here),
            everywhere=len(everywhere),
            places=", ".join(desk.places),
            version=desk.version,
        )
    )


async def stop(desk: Desk, invocation: Invocation) -> Reply:
    """`stop`: end what is under way in this thread."""
    waiting = await desk.waiting(invocation, invocation.thread)
    stopped = [run for run in waiting if await desk.inbox.cancel(run)]
    return Reply(worded(invocation.person.locale, "stop-done", count=len(stopped)))


def details(run: Run, choices: Mapping[TaskId, Choice], locale: str) -> str:
    """The plan of a run with models, licences, places, times, costs, why each was chosen and what went wrong, as Markdown."""
    lines = [worded(locale, "details-columns"), "| --- | --- | --- | --- | --- |"]
    lines += [_row(task, run.outcomes.get(task.id), locale) for task in run.plan.tasks]
    notes = [f"- {say(locale, repair.what)}" for repair in run.repairs]
    if foreseen := told(run.estimate):
        words = say(locale, foreseen)
        notes.insert(0, "- " + worded(locale, "details-estimate", estimate=words))
    notes += [
        _chosen(task.id, choices[task.id], locale) for task in run.plan.tasks if task.id in choices
    ]
    for task in run.plan.tasks:
        outcome = run.outcomes.get(task.id)
        tried = outcome.tried if isinstance(outcome, Done | Failed) else ()
        notes += [
            f"- {task.id} {attempt.model} ({_where(attempt.place, attempt.provider)}): {say(locale, attempt.error)}"
            for attempt in tried
            if attempt.error is not None
        ]
        if isinstance(outcome, Done) and outcome.output.note:
            notes.append(f"- {task.id} {outcome.output.note}")
    if cost := sum(map(_cost, run.outcomes.values())):
        notes.append("- " + worded(locale, "details-cost", cost=_dollars(cost)))
    return "\n".join([*lines, *([""] if notes else []), *notes])


def _chosen(id_: TaskId, choice: Choice, locale: str) -> str:
    """Why a model was chosen, and which would have been next."""
    reason = say(locale, choice.reason)
    behind = ", ".join(f"`{model.id}`" for model in choice.runners_up[:_BEHIND])
    told = f"- {id_} `{choice.model.id}`: {reason}"
    return " · ".join(
        [told, *([worded(locale, "details-behind", models=behind)] if behind else [])]
    )


def _where(place: Place, provider: str) -> str:
    return f"{place}, {provider}" if provider else place


def _revision(model: Model) -> str:
    return f" `@{model.revision[:_REVISION]}`" if model.revision else ""


def _cost(outcome: Outcome) -> float:
    """What the attempts at a task are known to have cost here, in US dollars; nothing for a result that was taken over."""
    if not isinstance(outcome, Done | Failed) or (isinstance(outcome, Done) and outcome.source):
        return 0.0
    return sum(attempt.cost or 0.0 for attempt in outcome.tried)


def _dollars(cost: float) -> str:
    """Two figures that count, at least cents."""
    return f"${cost:.{max(2, 1 - floor(log10(cost)))}f}"


def _taken(outcome: Done, locale: str) -> str:
    """Where the result was taken from, and what its making took then."""
    if outcome.source is not None and outcome.source.run:
        took = sum(attempt.took for attempt in outcome.tried)
        return worded(locale, "taken-made", seconds=round(took, 1))
    whence = taken(outcome)
    return say(locale, whence) if whence else ""


def _row(task: Task, outcome: Outcome | None, locale: str) -> str:
    match outcome:
        case Done(_, took, model, place):
            state = _taken(outcome, locale) or worded(locale, "state-done", seconds=round(took, 1))
            by = f"`{model.id}`{_revision(model)} ({_where(place, provider_of(outcome))})"
            licence = model.licence or "-"
            if cost := _cost(outcome):
                state = f"{state} · {_dollars(cost)}"
        case Failed(reason):
            state, by, licence = say(locale, reason), "-", "-"
        case Skipped(because_of):
            state, by, licence = worded(locale, "state-skipped", task=because_of), "-", "-"
        case _:
            state, by, licence = worded(locale, "stopped"), "-", "-"
    needs = ", ".join(str(need) for need in sorted(task.needs)) or "-"
    return f"| {task.id} {task.kind.name} | {needs} | {by} | {licence} | {state} |"
