"""Commands about runs (plan, status, stop), and the buttons under an answer."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from math import floor, log10

from adapters.chat.board import describe_source, find_provider
from bot import VERSION
from bot.commands.context import CommandContext, translate
from pipeline.codec import load
from pipeline.domain import (
    Action,
    ButtonClick,
    Choice,
    Chose,
    Done,
    Event,
    Failed,
    Invocation,
    Labels,
    Model,
    Outcome,
    Place,
    Reply,
    Request,
    Rerun,
    Run,
    Select,
    SelectOption,
    Skipped,
    Task,
    TaskId,
    Text,
)
from pipeline.domain.values import as_text
from pipeline.estimates import format_estimate
from pipeline.ports import Vote
from pipeline.text import unlink
from pipeline.words import say, title

_SEARCHED_RUNS = 20
"""How many runs to search for a thread's last plan: commands and small talk have none."""
_MOST_RUNNERS_UP = 3
_MOST_OPTIONS = 100
"""In a select: as many as Slack allows. Discord shows 125, in several selects."""
_MOST_DIGITS = 9
_TRIES, _BETWEEN_TRIES = 20, 0.1
_MARKS = re.compile(r"[\\`*_\[\]<>~|]")
_REVISION = 12
"""How many characters of a revision are shown."""


async def plan(context: CommandContext, invocation: Invocation) -> str:
    """`plan`: the newest plan of this thread, task by task."""
    runs = await context.store.runs(invocation.thread, limit=_SEARCHED_RUNS)
    run = next((run for run in runs if run.plan.tasks), None)
    in_full = context.gate.is_admin(invocation.person, invocation.thread)
    return await _explain(run, context, invocation.person.locale, in_full=in_full)


async def status(context: CommandContext, invocation: Invocation) -> str:
    """`status`: how many runs are unfinished; for administrators, where models can run."""
    locale, thread = invocation.person.locale, invocation.thread
    text = translate(
        locale,
        "status",
        here=len(await context.find_waiting(invocation, thread)),
        everywhere=len(await context.find_waiting(invocation)),
        version=VERSION,
    )
    if not context.gate.is_admin(invocation.person, thread):
        return text
    places = translate(locale, "status-places", places=", ".join(map(str, context.tools.experts)))
    return f"{text} {places}"


async def stop(context: CommandContext, invocation: Invocation) -> str:
    """`stop`: cancel the runs of this thread; in no thread, the person's own in the channel."""
    waiting = await context.find_waiting(invocation, invocation.thread)
    if not waiting and invocation.id == invocation.thread.root:
        place = (invocation.thread.channel, invocation.person.id)
        waiting = await context.find_waiting_if(
            invocation, lambda message: (message.thread.channel, message.asker.id) == place
        )
    stopped = [run for run in waiting if await context.inbox.cancel(run)]
    return translate(invocation.person.locale, "stop-done", count=len(stopped))


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
        return Reply(await _explain(run, context, locale, in_full=in_full), select=select)
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
    """The task and the model of an option that `_offer_models` made."""
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


async def _explain(run: Run | None, context: CommandContext, locale: str, *, in_full: bool) -> str:
    if run is None or not run.plan.tasks:
        return translate(locale, "plan-none")
    stored = await context.store.events(run.id)
    events = [load(Event, event) for event in stored[run.id]]
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
