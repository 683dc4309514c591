"""The buttons and selects under an answer."""

import asyncio

from bot.commands.context import CommandContext, translate
from bot.commands.details import explain
from pipeline.domain import (
    Action,
    ButtonClick,
    Done,
    Failed,
    Reply,
    Request,
    Rerun,
    Run,
    Select,
    SelectOption,
    TaskId,
)
from pipeline.ports import Vote
from pipeline.words import title

_MOST_OPTIONS = 100
"""In a select: as many as Slack allows. Discord shows 125, in several selects."""
_MOST_DIGITS = 9
"""Of the number of a task: a forged one may have any."""
_TRIES = 20
"""How often a run that is not saved yet is looked for."""
_BETWEEN_TRIES = 0.1
"""Seconds."""


async def press(click: ButtonClick, context: CommandContext) -> Reply:
    """Stop a run, show its details, or save a vote on it."""
    locale = click.person.locale
    if click.action is Action.STOP:
        if await context.inbox.cancel(click.run):
            return Reply("")  # the message of the run says so
        return Reply(translate(locale, "stop-done", count=0))
    run = await _load_run(click, context)
    if click.action in (Action.UP, Action.DOWN):
        return Reply(await _vote(run, click, context))
    if run is None:
        return Reply(translate(locale, "run-forgotten"))
    if click.action is Action.DETAILS:
        select = await _offer_models(run, click, context)
        in_full = context.gate.is_admin(click.person, click.thread)
        return Reply(await explain(run, context, locale, in_full=in_full), select=select)
    return Reply(await _vote_on_models(run, click, context))


async def _vote(run: Run | None, click: ButtonClick, context: CommandContext) -> str:
    is_liked = click.action is Action.UP
    await context.store.vote(Vote(click.run, click.person.id, 1 if is_liked else -1))
    has_plan = run is not None and bool(run.plan.tasks)
    is_learned = is_liked and has_plan and await context.is_learning(click.thread)
    return translate(click.person.locale, "vote-learned" if is_learned else "vote-kept")


async def _vote_on_models(run: Run, click: ButtonClick, context: CommandContext) -> str:
    """Save which of the two compared models is better."""
    comparison = run.answer.comparison if run.answer else None
    if comparison is None:
        return translate(click.person.locale, "run-forgotten")
    is_second = click.action is Action.SECOND
    value = 1 if is_second else -1
    await context.store.vote(Vote(run.id, click.person.id, value, comparison))
    model = comparison.second if is_second else comparison.first
    return translate(click.person.locale, "vote-compared", model=f"`{model}`")


async def _offer_models(run: Run, click: ButtonClick, context: CommandContext) -> Select | None:
    """A select with the other models that can do the tasks of a run now; None if there are none."""
    settings = await context.store.settings(click.thread.channel)
    request = Request(
        run=click.run, thread=click.thread, person=click.person, text="", settings=settings
    )
    offers: list[list[SelectOption]] = []
    for task in run.plan.tasks:
        outcome = run.outcomes.get(task.id)
        if not isinstance(outcome, Done | Failed):
            continue
        used = outcome.model.id if isinstance(outcome, Done) else ""
        models = await context.tools.candidates.shortlist(task.kind, request, task=task)
        group = f"{task.id} {title(click.person.locale, task.kind.name)}"
        others = [model.id for model in models if model.id != used]
        offers.append([SelectOption(f"{task.id} {id_}", id_, group) for id_ in others])
    share = max(1, _MOST_OPTIONS // max(1, sum(map(bool, offers))))
    options = [option for offer in offers for option in offer[:share]][:_MOST_OPTIONS]
    return Select(Action.CHOOSE, run.id, tuple(options)) if options else None


def read_choice(click: ButtonClick) -> Rerun:
    """The task and the model of an option of `_offer_models`; a task alone keeps its model."""
    task, _, model = click.value.partition(" ")
    is_number = task.isdecimal() and len(task) <= _MOST_DIGITS
    return Rerun(click.run, TaskId(int(task) if is_number else -1), model)


async def _load_run(click: ButtonClick, context: CommandContext) -> Run | None:
    """Load the run of a button. It is saved just after its answer is posted: wait for that."""
    for _ in range(_TRIES):
        run = await context.store.load(click.run)
        if run is not None or click.run not in await context.inbox.list_waiting(click.thread):
            return run
        await asyncio.sleep(_BETWEEN_TRIES)
    return None
