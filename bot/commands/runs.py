"""What is being done: the plan, the status, stopping, and the buttons under an answer."""

from collections.abc import Iterator, Mapping
from math import floor, log10

from adapters.chat.board import describe_source, find_provider
from bot.commands.context import CommandContext, translate
from pipeline.domain import (
    Action,
    ButtonClick,
    Choice,
    Done,
    Failed,
    Invocation,
    Labels,
    Model,
    Outcome,
    Place,
    Reply,
    Run,
    Skipped,
    Task,
    TaskId,
    Text,
)
from pipeline.domain.conversions import as_text
from pipeline.estimates import format_estimate
from pipeline.ports import Vote
from pipeline.words import say

_BEHIND = 3
_REVISION = 12
"""Signs of a revision that tell it from others."""


async def plan(context: CommandContext, invocation: Invocation) -> Reply:
    """`plan`: the newest plan of this thread, task by task."""
    run = await context.find_last_plan(invocation.thread)
    locale = invocation.person.locale
    if run is None:
        return Reply(translate(locale, "plan-none"))
    return Reply(details(run, await context.read_choices(run.id), locale))


async def status(context: CommandContext, invocation: Invocation) -> Reply:
    """`status`: what is under way here."""
    here = await context.find_waiting(invocation, invocation.thread)
    everywhere = await context.find_waiting(invocation)
    return Reply(
        translate(
            invocation.person.locale,
            "status",
            here=len(here),
            everywhere=len(everywhere),
            places=", ".join(context.tools.experts),
            version=context.version,
        )
    )


async def stop(context: CommandContext, invocation: Invocation) -> Reply:
    """`stop`: end what is under way in this thread."""
    waiting = await context.find_waiting(invocation, invocation.thread)
    stopped = [run for run in waiting if await context.inbox.cancel(run)]
    return Reply(translate(invocation.person.locale, "stop-done", count=len(stopped)))


async def press(click: ButtonClick, context: CommandContext) -> Reply:
    """Stop a run, tell its details, or keep a vote on it."""
    locale = click.person.locale
    match click.action:
        case Action.STOP:
            stopped = await context.inbox.cancel(click.run)
            return Reply(translate(locale, "stop-done", count=int(stopped)))
        case Action.DETAILS:
            run = await context.store.load(click.run)
            if run is None:
                return Reply(translate(locale, "run-forgotten"))
            if not run.plan.tasks:
                return Reply(translate(locale, "plan-none"))
            return Reply(details(run, await context.read_choices(run.id), locale))
        case Action.UP | Action.DOWN:
            value = 1 if click.action is Action.UP else -1
            await context.store.vote(Vote(click.run, click.person.id, value))
            return Reply(translate(locale, await _thanks(click, context)))
        case Action.RETRY | Action.ANOTHER:
            raise AssertionError("begun by the conversation")


async def _thanks(click: ButtonClick, context: CommandContext) -> str:
    """Said to a vote; that a plan was learned where it was."""
    if click.action is Action.UP and await context.is_learning(click.thread):
        run = await context.store.load(click.run)
        return "vote-learned" if run and run.plan.tasks else "vote-kept"
    return "vote-kept"


def details(run: Run, choices: Mapping[TaskId, Choice], locale: str) -> str:
    """The plan of a run as Markdown: models, licences, places, times, costs, choices and errors."""
    lines = [translate(locale, "details-columns"), "| --- | --- | --- | --- | --- |"]
    lines += [_row(task, run.outcomes.get(task.id), locale) for task in run.plan.tasks]
    notes = [f"- {say(locale, repair.what)}" for repair in run.repairs]
    if foreseen := format_estimate(run.estimate):
        words = say(locale, foreseen)
        notes.insert(0, "- " + translate(locale, "details-estimate", estimate=words))
    notes += [
        _chosen(task.id, choices[task.id], locale) for task in run.plan.tasks if task.id in choices
    ]
    for task in run.plan.tasks:
        outcome = run.outcomes.get(task.id)
        tried = outcome.tried if isinstance(outcome, Done | Failed) else ()
        notes += [
            f"- {task.id} {attempt.model} ({_where(attempt.place, attempt.provider)}): "
            f"{say(locale, attempt.error)}"
            for attempt in tried
            if attempt.error is not None
        ]
        if isinstance(outcome, Done):
            notes += [f"- {task.id} {fact}" for fact in _facts(outcome)]
    if cost := sum(map(_cost, run.outcomes.values())):
        notes.append("- " + translate(locale, "details-cost", cost=_dollars(cost)))
    return "\n".join([*lines, *([""] if notes else []), *notes])


def _facts(outcome: Done) -> Iterator[str]:
    """What the answer leaves out: scores, and what the expert says of its own result."""
    for value in outcome.output.slots.values():
        if isinstance(value, Labels):
            yield as_text(value)
        elif isinstance(value, Text) and value.score is not None:
            yield f"{value.score:.0%}"
    yield from filter(None, (outcome.output.source, outcome.output.note))


def _chosen(id_: TaskId, choice: Choice, locale: str) -> str:
    """Why a model was chosen, and which would have been next."""
    reason = say(locale, choice.reason)
    behind = ", ".join(f"`{model.id}`" for model in choice.runners_up[:_BEHIND])
    told = f"- {id_} `{choice.model.id}`: {reason}"
    return " · ".join(
        [told, *([translate(locale, "details-behind", models=behind)] if behind else [])]
    )


def _where(place: Place, provider: str) -> str:
    return f"{place}, {provider}" if provider else place


def _revision(model: Model) -> str:
    return f" `@{model.revision[:_REVISION]}`" if model.revision else ""


def _cost(outcome: Outcome) -> float:
    """What the attempts at a task are known to have cost, in US dollars; 0 for a reused result."""
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
        return translate(locale, "taken-made", seconds=round(took, 1))
    whence = describe_source(outcome)
    return say(locale, whence) if whence else ""


def _row(task: Task, outcome: Outcome | None, locale: str) -> str:
    match outcome:
        case Done(_, took, model, place):
            state = _taken(outcome, locale) or translate(
                locale, "state-done", seconds=round(took, 1)
            )
            by = f"`{model.id}`{_revision(model)} ({_where(place, find_provider(outcome))})"
            licence = model.licence or "-"
            if cost := _cost(outcome):
                state = f"{state} · {_dollars(cost)}"
        case Failed(reason):
            state, by, licence = say(locale, reason), "-", "-"
        case Skipped(because_of):
            state, by, licence = translate(locale, "state-skipped", task=because_of), "-", "-"
        case _:
            state, by, licence = translate(locale, "stopped"), "-", "-"
    needs = ", ".join(str(need) for need in sorted(task.needs)) or "-"
    return f"| {task.id} {task.kind.name} | {needs} | {by} | {licence} | {state} |"
