"""Stage 3: run each step as soon as its inputs are ready, with retries and fallback models."""

import asyncio
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from types import TracebackType
from typing import Self

import structlog

from pipeline.domain import (
    Attachment,
    Attempt,
    Choice,
    Chose,
    Done,
    ExpertOutput,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Model,
    Outcome,
    Outcomes,
    Output,
    Place,
    Progressed,
    Request,
    Skipped,
    Started,
    Step,
    Stopped,
    Task,
    TaskId,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import (
    BadInput,
    ExpertError,
    ExpertUnavailable,
    FetchError,
    InputRefused,
    MediaError,
    StoreUnavailable,
    TroupeError,
    is_passing,
)
from pipeline.execution.expert_io import ExpertInput, gather_input, store_output
from pipeline.execution.quotes import find_quotes
from pipeline.execution.work_clock import WorkClock
from pipeline.metering import time_work
from pipeline.parameters import list_unused, strip_parameters
from pipeline.ports import Emit, Expert, Job
from pipeline.queues import Ticket
from pipeline.result_reuse import EarlierResults, StepNames, make_key
from pipeline.selection.health import PlaceHealth
from pipeline.task_kinds import is_read
from pipeline.tools import RunJournal, RunLimits, Tools

log = structlog.get_logger()
_SPOKEN = "text-to-speech"


class Execution:
    """Runs the steps of one run.

    A step starts when its last input is ready; at most `tools.limits.parallel` run at once. If one
    fails, only its dependents are skipped. Steps in the journal are not run again, and the results
    of equal steps in earlier runs of the thread are reused.

    Leaving the context waits for all steps; an error or a cancellation stops them.
    """

    def __init__(self, request: Request, tools: Tools, journal: RunJournal, emit: Emit) -> None:
        self._began_at = time.monotonic()
        self.steps: list[Step] = []
        """The steps passed to `start`, in that order."""
        self.started_at: dict[TaskId, float] = {}
        """When each was, in seconds since the run began."""
        self._request, self._tools, self._journal, self._emit = request, tools, journal, emit
        self._slots = asyncio.Semaphore(tools.limits.parallel)
        self._earlier = EarlierResults(request, tools)
        self._names = StepNames()
        self._outcomes: dict[TaskId, Outcome] = {}
        self._running: dict[TaskId, asyncio.Task[None]] = {}
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for all steps. An error propagates unwrapped, not in an ExceptionGroup."""
        if isinstance(error, Exception):
            for work in self._running.values():
                work.cancel()
            await self._group.__aexit__(None, None, None)
        else:
            await self._group.__aexit__(kind, error, trace)

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the steps that have ended."""
        return dict(self._outcomes)

    async def settle(self) -> Outcomes:
        """Wait until all steps that were started have ended."""
        if self._running:
            await asyncio.wait(self._running.values())
        return self.outcomes

    def start(self, step: Step) -> None:
        """Run a step when its inputs are ready. Call this for its dependencies first."""
        task = step.task
        self.steps.append(step)
        self.started_at[task.id] = time.monotonic() - self._began_at
        name = self._names.of(task)
        self._running[task.id] = self._group.create_task(self._work(step, name))

    def cancel(self, tasks: Iterable[Task]) -> None:
        """Stop those of these steps that have not ended: the plan no longer contains them."""
        for task in tasks:
            if task.id not in self._outcomes:
                self._running[task.id].cancel()
                reason = LocalizedText("plan-corrected", {"kind": task.kind.name})
                self._record(task.id, Stopped(reason))

    async def _work(self, step: Step, name: str) -> None:
        outcome: Outcome | None = self._journal.recall(name, Outcome)
        if outcome is None or isinstance(outcome, Skipped):  # a new plan may have renumbered tasks
            outcome = await self._run(step)
            await self._journal.keep(name, outcome, Outcome)
        self._record(step.task.id, outcome)

    def _record(self, task: TaskId, outcome: Outcome) -> None:
        if task not in self._outcomes:
            self._outcomes[task] = outcome
            self._emit(Finished(task, outcome))

    async def _run(self, step: Step) -> Outcome:
        for need in sorted(step.task.needs):
            await asyncio.wait((self._running[need],))
            if not isinstance(self._outcomes[need], Done):
                return Skipped(need)
        if step.choice is None:
            return Failed(await self._tools.explain_missing(step.task.kind, step.task))
        try:
            return await self._reuse_or_attempt(step.task, step.choice)
        except Exception:  # the boundary of a task: a bug fails this task, not the run
            reference = uuid.uuid4().hex[:8]
            run = self._journal.run
            log.exception("task broke", run=run, task=step.task.id, reference=reference)
            return Failed(LocalizedText("task-bug", {"reference": reference}))

    async def _reuse_or_attempt(self, task: Task, choice: Choice) -> Outcome:
        done = {need: self._outcomes[need] for need in task.needs}
        key = make_key(task, done, self._request.person.locale)
        if key and (reused := await self._earlier.find(key, choice)):
            return reused
        self._emit(Chose(task.id, choice))
        async with self._slots:
            outcome = await run_task(task, choice, done, self._request, self._tools, self._emit)
            return replace(outcome, key=key) if isinstance(outcome, Done) else outcome


async def run_task(
    task: Task, choice: Choice, done: Outcomes, request: Request, tools: Tools, emit: Emit
) -> Done | Failed:
    """Run a task of a request. `done` has the outcome of every task that it depends on."""
    try:
        args = await gather_input(task, done, tools)
    except (BadInput, MediaError) as error:
        return Failed(error.sentence)
    job = Job(
        task.kind,
        choice.model,
        args,
        locale=request.person.locale,
        request=request.text,
        text_language=await _find_language(task, args, tools),
        report=lambda fraction, note: emit(Progressed(task.id, fraction, note)),
        ticket=Ticket(request.began_at),
    )
    return await attempt(task, choice, job, tools, emit)


async def _find_language(task: Task, args: ExpertInput, tools: Tools) -> str:
    """The language of a text to be spoken, unless the task names one; never the reader's."""
    if task.kind.name != _SPOKEN or args.get("language"):
        return ""
    return await tools.detect_language(" ".join(map(as_text, args.get("text", ()))))


async def attempt(task: Task, choice: Choice, job: Job, tools: Tools, emit: Emit) -> Done | Failed:
    """Try each model and place in turn. If all fail, Failed has the reason of the first attempt.

    `job` goes to the expert, with the model being tried in place of its own. A candidate that is
    only unavailable is retried: soon, or after all others if it asks for a long wait. Deadlines and
    durations count work, not the time in our queues.
    """
    limits, clock = tools.limits.of(task.kind), WorkClock()
    job, deadline = _watch_queues(job, clock), clock.now() + limits.task
    queue, failed = _list_candidates(choice, job, tools), list[Attempt]()
    while candidate := await _take_next(queue, deadline - clock.now(), tools.health):
        began, provider = clock.now(), candidate.provider
        emit(Started(task.id, candidate.model.id, candidate.place, provider))
        work = replace(job, model=candidate.model)
        record = Attempt(
            model=candidate.model.id, place=candidate.place, took=0.0, provider=provider
        )
        try:
            seconds = max(0.0, min(limits.attempt, deadline - began))
            with time_work("expert", task.id):
                made = await _call_expert(candidate, work, tools, clock, seconds)
            output, extras = await _store(task, work, made, candidate.place, tools)
        except (ExpertError, FetchError, MediaError, StoreUnavailable) as error:
            record = replace(record, took=clock.now() - began, error=error.sentence)
            failed.append(record)
            emit(FellBack(task.id, record))
            if isinstance(error, BadInput):
                return Failed(error.sentence, tuple(failed))
            if is_passing(error):
                await _requeue(candidate, error, queue, limits)
        else:
            attempts = (*failed, replace(record, took=clock.now() - began, cost=made.cost))
            took = sum(each.took for each in attempts)
            return Done(
                output,
                took=took,
                model=work.model,
                place=candidate.place,
                tried=attempts,
                extras=extras,
            )
    reason = failed[0].error if failed else None
    return Failed(reason or await tools.explain_missing(task.kind), tuple(failed))


async def _store(
    task: Task, job: Job, made: ExpertOutput, place: Place, tools: Tools
) -> tuple[Output, tuple[Attachment, ...]]:
    """Store a result; of what a model wrote, note what it quotes. Raises as `store_output`."""
    output, extras = await store_output(task, job, made, tools)
    if is_read(task.kind, place):
        return output, extras
    return replace(output, quotes=await find_quotes(job, output, tools)), extras


def _watch_queues(job: Job, clock: WorkClock) -> Job:
    """The job, which stops the clock and reports its place while it waits in a queue of ours."""

    def note_place(place: int) -> None:
        clock.note_place(place)
        job.report(-1.0, f"#{place}" if place else "")

    return replace(job, left=clock.left, ticket=replace(job.ticket, report=note_place))


async def _call_expert(
    candidate: "_Candidate", job: Job, tools: Tools, clock: WorkClock, seconds: float
) -> ExpertOutput:
    """Run a job at the candidate's place, and keep track of the place's health.

    Raises ExpertError, also after so many seconds of work.
    """
    place, provider, began = candidate.place, candidate.provider, clock.now()
    try:
        async with clock.timeout(seconds):
            output = await _run_expert(tools.experts[place], job)
    except TimeoutError as error:
        took = round(clock.now() - began, 1)
        raise ExpertError("task-too-long", seconds=took) from error
    except ExpertError as error:
        tools.health.note_failure(place, provider, error)
        raise
    tools.health.note_success(place, provider)
    return output


async def _run_expert(expert: Expert, job: Job) -> ExpertOutput:
    """Run a job; if the server refuses it with its parameters, once more without them."""
    try:
        return await expert.run(job)
    except InputRefused:
        args = strip_parameters(job.kind, job.args)
        if args.keys() == job.args.keys():
            raise
        output = await expert.run(replace(job, args=args))
        return replace(output, used=output.used & args.keys())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A model at a place and, where the place has several, at one provider."""

    model: Model
    place: Place
    tries: int = 1
    due: float = 0.0
    """Earliest time of the next try on the monotonic clock; 0: now."""

    @property
    def provider(self) -> str:
        is_known = self.place.has_providers and len(self.model.providers) == 1
        return self.model.providers[0].partition(":")[0] if is_known else ""

    def count_dropped(self, job: Job) -> int:
        known = self.model.takes.get(self.provider, frozenset())
        return len(list_unused(job.kind, job.args, known))


async def _take_next(
    queue: list[_Candidate], left: float, health: PlaceHealth
) -> _Candidate | None:
    """Wait for the next candidate at an open place; None if none is due in the seconds left."""
    queue[:] = [each for each in queue if health.is_open(each.place, each.provider)]
    queue.sort(key=lambda each: each.due)
    wait = max(0.0, queue[0].due - time.monotonic()) if queue else inf
    if wait >= left:
        return None
    await asyncio.sleep(wait)
    return queue.pop(0)


async def _requeue(
    candidate: _Candidate, error: TroupeError, queue: list[_Candidate], limits: RunLimits
) -> None:
    """Queue it again if it has tries left: next after a short wait, or last after a long one."""
    asked = error.retry_after if isinstance(error, ExpertUnavailable) else None
    wait = asked or limits.backoff * 2 ** (candidate.tries - 1)
    again = replace(candidate, tries=candidate.tries + 1)
    if again.tries <= limits.tries and wait > limits.patience:
        queue.append(replace(again, due=time.monotonic() + wait))
    elif again.tries <= limits.tries:
        await asyncio.sleep(wait)
        queue.insert(0, replace(again, due=0.0))


def _list_candidates(choice: Choice, job: Job, tools: Tools) -> list[_Candidate]:
    """The models at each place; at providers, those first that drop fewest of the parameters."""
    candidates: list[_Candidate] = []
    for model in (choice.model, *choice.runners_up):
        for place in model.places:
            is_routed = place.has_providers and bool(model.providers)
            routes = [replace(model, providers=(provider,)) for provider in model.providers]
            ways = [_Candidate(route, place) for route in (routes if is_routed else [model])]
            candidates += sorted(ways, key=lambda way: way.count_dropped(job))
    return [each for each in candidates if each.place in tools.experts]
