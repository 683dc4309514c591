"""Stage 3: run steps, each as soon as what it needs is there, on one model after another."""

import asyncio
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

import structlog

from pipeline.domain import (
    Attachment,
    Attempt,
    Choice,
    Chose,
    Done,
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
from pipeline.errors import BadInput, ExpertError, ExpertUnavailable, FetchError, MediaError
from pipeline.expert_io import gather_input, store_output
from pipeline.ports import Emit, Job
from pipeline.result_reuse import EarlierResults, StepNames, make_key
from pipeline.tools import RunJournal, RunLimits, Tools

log = structlog.get_logger()


class Execution:
    """The steps of one run at work.

    A step starts the moment its last input is there, at most `tools.limits.parallel` at once. One
    that fails takes down only those that need it. What the journal knows is not run again; what an
    equal step of an earlier run of the thread made is taken from there.

    Leaving the context waits for all steps; leaving it by an error or a cancellation stops them.
    """

    def __init__(self, request: Request, tools: Tools, journal: RunJournal, emit: Emit) -> None:
        self._began_at = time.monotonic()
        self.steps: list[Step] = []
        """Those that were started, in that order."""
        self.started_at: dict[TaskId, float] = {}
        """Seconds of the run."""
        self._request, self._tools, self._journal, self._emit = request, tools, journal, emit
        self._slots = asyncio.Semaphore(tools.limits.parallel)
        self._earlier = EarlierResults(request, tools)
        self._names = StepNames()
        self._outcomes: dict[TaskId, asyncio.Future[Outcome]] = {}
        self._running: dict[TaskId, asyncio.Task[None]] = {}
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        """Steps can be started from now on."""
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for all steps. An error goes through as it is; the group would wrap it."""
        if isinstance(error, Exception):
            for work in self._running.values():
                work.cancel()
            await self._group.__aexit__(None, None, None)
        else:
            await self._group.__aexit__(kind, error, trace)

    @property
    def outcomes(self) -> Outcomes:
        """What became of each step that has come to its end."""
        return {
            task: outcome.result() for task, outcome in self._outcomes.items() if outcome.done()
        }

    def start(self, step: Step) -> None:
        """Run a step as soon as it can be. All that it needs was started before."""
        task = step.task
        self.steps.append(step)
        self.started_at[task.id] = time.monotonic() - self._began_at
        self._outcomes[task.id] = asyncio.get_running_loop().create_future()
        name = self._names.of(task)
        self._running[task.id] = self._group.create_task(self._work(step, name))

    def cancel(self, tasks: Iterable[Task]) -> None:
        """Stop steps that the plan no longer contains, unless they have ended."""
        for task in tasks:
            if not self._outcomes[task.id].done():
                self._running[task.id].cancel()
                reason = LocalizedText("plan-corrected", {"kind": task.kind.name})
                self._settle(task.id, Stopped(reason))

    async def _work(self, step: Step, name: str) -> None:
        known: Outcome | None = self._journal.recall(name, Outcome)
        if known is None or isinstance(known, Skipped):  # the task may have another number now
            known = await self._run(step)
            await self._journal.keep(name, known, Outcome)
        self._settle(step.task.id, known)

    def _settle(self, task: TaskId, outcome: Outcome) -> None:
        if not self._outcomes[task].done():
            self._outcomes[task].set_result(outcome)
            self._emit(Finished(task, outcome))

    async def _run(self, step: Step) -> Outcome:
        for need in sorted(step.task.needs):
            if not isinstance(await asyncio.shield(self._outcomes[need]), Done):
                return Skipped(need)
        if step.choice is None:
            return Failed(await self._tools.explain_missing(step.task.kind))
        try:
            return await self._make(step.task, step.choice)
        except Exception:  # the boundary of a task: a bug takes down its dependents, not the run
            reference = uuid.uuid4().hex[:8]
            run = self._journal.run
            log.exception("task broke", run=run, task=step.task.id, reference=reference)
            return Failed(LocalizedText("task-bug", {"reference": reference}))

    async def _make(self, task: Task, choice: Choice) -> Outcome:
        done = {need: self._outcomes[need].result() for need in task.needs}
        key = make_key(task, done, self._request.person.locale)
        if key and (reused := await self._earlier.find(key, choice)):
            return reused
        self._emit(Chose(task.id, choice))
        async with self._slots:
            args = await gather_input(task, done, self._tools)
            if isinstance(args, Failed):
                return args
            job = Job(
                task.kind,
                choice.model,
                args,
                key=f"{self._journal.run}:{task.id}",
                language=self._request.person.locale,
                report=lambda fraction, note: self._emit(Progressed(task.id, fraction, note)),
            )
            outcome = await attempt(task, choice, job, self._tools, self._emit)
            return replace(outcome, key=key) if isinstance(outcome, Done) else outcome


async def attempt(task: Task, choice: Choice, job: Job, tools: Tools, emit: Emit) -> Done | Failed:
    """Try one model at one place after another. Failed carries the first reason given.

    `job` is what the expert gets; its model is replaced by the one being tried. A candidate that
    is merely unavailable is tried again, at once or, if it asks for patience, after all others.
    """
    limits = tools.limits.of(task.kind)
    deadline = time.monotonic() + limits.task
    queue, failed = _list_candidates(choice, tools), list[Attempt]()
    while candidate := await _take_next(queue, deadline):
        began, provider = time.monotonic(), candidate.provider
        emit(Started(task.id, candidate.model.id, candidate.place, provider))
        seconds = max(0.0, min(limits.attempt, deadline - began))
        work = replace(job, model=candidate.model, seconds=seconds)
        tried = Attempt(candidate.model.id, candidate.place, 0.0, provider=provider)
        try:
            output, extras, cost = await _ask(task, candidate.place, work, tools)
        except (ExpertError, FetchError, MediaError) as error:
            tried = replace(tried, took=time.monotonic() - began, error=error.sentence)
            failed.append(tried)
            emit(FellBack(task.id, tried))
            if isinstance(error, BadInput):
                return Failed(error.sentence, tuple(failed))
            if isinstance(error, ExpertUnavailable):
                await _put_off(candidate, error, queue, limits)
        else:
            tried = replace(tried, took=time.monotonic() - began, cost=cost)
            took = sum(each.took for each in (*failed, tried))
            return Done(output, took, work.model, candidate.place, (*failed, tried), extras)
    reason = failed[0].error if failed else None
    return Failed(reason or await tools.explain_missing(task.kind), tuple(failed))


async def _ask(
    task: Task, place: Place, job: Job, tools: Tools
) -> tuple[Output, tuple[Attachment, ...], float | None]:
    """The output, the files beside it, and the cost. Raises ExpertError, FetchError, MediaError."""
    began = time.monotonic()
    try:
        async with asyncio.timeout(job.seconds):
            made = await tools.experts[place].run(job)
        return *await store_output(task, job, made, tools), made.cost
    except TimeoutError as error:
        seconds = round(time.monotonic() - began, 1)
        raise ExpertError("task-too-long", seconds=seconds) from error


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A model at a place and, where the place has several, at one provider."""

    model: Model
    place: Place
    tries: int = 1
    due: float = 0.0
    """Monotonic seconds from which a try is worth it; 0: at once."""

    @property
    def provider(self) -> str:
        alone = self.place is Place.HOSTED and len(self.model.providers) == 1
        return self.model.providers[0].partition(":")[0] if alone else ""


async def _take_next(queue: list[_Candidate], deadline: float) -> _Candidate | None:
    """Wait for the next candidate; None where there is none in time."""
    queue.sort(key=lambda each: each.due)
    if not queue or max(queue[0].due, time.monotonic()) >= deadline:
        return None
    await asyncio.sleep(max(0.0, queue[0].due - time.monotonic()))
    return queue.pop(0)


async def _put_off(
    candidate: _Candidate, error: ExpertUnavailable, queue: list[_Candidate], limits: RunLimits
) -> None:
    """Queue it again, if it has tries left, at once or, after a long wait, behind all others."""
    wait = error.retry_after or limits.backoff * 2 ** (candidate.tries - 1)
    again = replace(candidate, tries=candidate.tries + 1)
    if again.tries <= limits.tries and wait > limits.patience:
        queue.append(replace(again, due=time.monotonic() + wait))
    elif again.tries <= limits.tries:
        await asyncio.sleep(wait)
        queue.insert(0, replace(again, due=0.0))


def _list_candidates(choice: Choice, tools: Tools) -> list[_Candidate]:
    pairs: list[tuple[Model, Place]] = []
    for model in (choice.model, *choice.runners_up):
        for place in model.places:
            is_routed = place is Place.HOSTED and bool(model.providers)
            one_each = [replace(model, providers=(one,)) for one in model.providers]
            pairs += [(one, place) for one in (one_each if is_routed else [model])]
    return [_Candidate(model, place) for model, place in pairs if place in tools.experts]
