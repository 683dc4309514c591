"""Stage 3: run steps, each as soon as what it needs is there, on one model after another."""

import asyncio
import time
import uuid
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

import structlog

from pipeline.domain import (
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
    Place,
    Progressed,
    Request,
    RunId,
    Skipped,
    Source,
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
    equal step of this plan or of an earlier run of the thread made is taken from there.

    Leaving the context waits for all steps; leaving it by an error or a cancellation stops them.
    """

    def __init__(self, request: Request, tools: Tools, journal: RunJournal, emit: Emit) -> None:
        self.began_at = time.monotonic()
        self.steps: list[Step] = []
        """Those that were started, in that order."""
        self.started_at: dict[TaskId, float] = {}
        """Monotonic seconds."""
        self._request, self._tools, self._journal, self._emit = request, tools, journal, emit
        self._slots = asyncio.Semaphore(tools.limits.parallel)
        self._earlier = EarlierResults(request, tools)
        self._made_by: dict[tuple[str, str], TaskId] = {}
        """The first step that makes something of the same with a model, by key and model."""
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
        self.started_at[task.id] = time.monotonic()
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
        if _names_a_task(known):
            known = None
        if isinstance(known, Done) and step.choice:
            self._made_by[known.key, step.choice.model.id] = step.task.id
        outcome = known or await self._run(step)
        if outcome is not known:
            await self._journal.keep(name, outcome, Outcome)
        self._settle(step.task.id, outcome)

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

    async def _take_from(self, first: TaskId) -> Outcome | None:
        """The outcome of an equal step before this one; None where there is none to share."""
        match await asyncio.shield(self._outcomes[first]):
            case Done() as done:
                return replace(done, took=0.0, source=done.source or Source(RunId(""), first))
            case Failed(reason):
                return Failed(reason)
            case _:
                return None

    async def _make(self, task: Task, choice: Choice) -> Outcome:
        done = {need: self._outcomes[need].result() for need in task.needs}
        key = make_key(task, done, self._request.person.locale)
        first = self._made_by.setdefault((key, choice.model.id), task.id) if key else task.id
        if first != task.id and (shared := await self._take_from(first)):
            return shared
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


def _names_a_task(outcome: Outcome | None) -> bool:
    """Whether it names another task of the plan, whose number may be another after a restart."""
    return isinstance(outcome, Skipped) or (
        isinstance(outcome, Done) and outcome.source is not None and not outcome.source.run
    )


async def attempt(task: Task, choice: Choice, job: Job, tools: Tools, emit: Emit) -> Done | Failed:
    """Try one model at one place after another. Failed carries the first reason given.

    `job` is what the expert gets; its model is replaced by the one being tried. A candidate that
    asks for patience is tried again after all others.
    """
    limits = tools.limits.of(task.kind)
    attempts = _Attempts(task, job, tools, emit, limits, time.monotonic() + limits.task)
    untried = deque(_list_candidates(choice, tools))
    waiting: list[_Candidate] = []
    while (untried or waiting) and attempts.time_left > 0:
        candidate = untried.popleft() if untried else waiting.pop(0)
        try:
            done = await attempts.try_candidate(candidate, others_left=bool(untried or waiting))
        except BadInput as error:
            return Failed(error.sentence, tuple(attempts.failed))
        if done is not None:
            return done
        if candidate.due is not None:
            waiting = sorted([*waiting, candidate], key=lambda other: other.due or 0)
    reason = attempts.failed[0].error if attempts.failed else None
    return Failed(reason or await tools.explain_missing(task.kind), tuple(attempts.failed))


@dataclass(slots=True)
class _Candidate:
    """A model at a place and, where the place has several, at one provider."""

    model: Model
    place: Place
    tries: int = 0
    due: float | None = None
    """Monotonic seconds from which another try is worth it."""

    @property
    def provider(self) -> str:
        alone = self.place is Place.HOSTED and len(self.model.providers) == 1
        return self.model.providers[0].partition(":")[0] if alone else ""


def _list_candidates(choice: Choice, tools: Tools) -> Iterator[_Candidate]:
    for model in (choice.model, *choice.runners_up):
        for place in model.places:
            if place in tools.experts and place is Place.HOSTED and model.providers:
                for provider in model.providers:
                    yield _Candidate(replace(model, providers=(provider,)), place)
            elif place in tools.experts:
                yield _Candidate(model, place)


@dataclass(slots=True)
class _Attempts:
    """The attempts at one task."""

    task: Task
    job: Job
    tools: Tools
    emit: Emit
    limits: RunLimits
    deadline: float
    """Monotonic seconds at which the task is given up."""
    failed: list[Attempt] = field(default_factory=list)

    @property
    def time_left(self) -> float:
        return self.deadline - time.monotonic()

    async def try_candidate(self, candidate: _Candidate, *, others_left: bool) -> Done | None:
        """Ask a model until it answers, refuses or has used its tries. Raises BadInput.

        A long wait is left for later while others could be tried; the candidate is then due.
        """
        while candidate.tries < self.limits.tries:
            await asyncio.sleep(max(0.0, (candidate.due or 0.0) - time.monotonic()))
            candidate.tries, candidate.due, began = candidate.tries + 1, None, time.monotonic()
            try:
                return await self._ask(candidate, began)
            except ExpertUnavailable as error:
                self._note(candidate, began, error.sentence)
                wait = error.retry_after or self.limits.backoff * 2 ** (candidate.tries - 1)
                if candidate.tries == self.limits.tries or wait > self.time_left:
                    return None
                candidate.due = time.monotonic() + wait
                if others_left and wait > self.limits.patience:
                    return None
            except BadInput as error:
                self._note(candidate, began, error.sentence)
                raise
            except (ExpertError, FetchError, MediaError) as error:
                self._note(candidate, began, error.sentence)
                return None
            except TimeoutError:
                seconds = round(time.monotonic() - began, 1)
                self._note(candidate, began, LocalizedText("task-too-long", {"seconds": seconds}))
                return None
        return None

    async def _ask(self, candidate: _Candidate, began: float) -> Done:
        task, model, place = self.task, candidate.model, candidate.place
        self.emit(Started(task.id, model.id, place, candidate.provider))
        seconds = max(0.0, min(self.limits.attempt, self.time_left))
        job = replace(self.job, model=model, seconds=seconds)
        async with asyncio.timeout(seconds):
            made = await self.tools.experts[place].run(job)
        output, extras = await store_output(task, job, made, self.tools)
        took = time.monotonic() - began
        last = Attempt(model.id, place, took, None, made.cost, candidate.provider)
        tried = (*self.failed, last)
        return Done(output, sum(each.took for each in tried), model, place, tried, extras)

    def _note(self, candidate: _Candidate, began: float, error: LocalizedText) -> None:
        failed = Attempt(
            candidate.model.id,
            candidate.place,
            time.monotonic() - began,
            error,
            provider=candidate.provider,
        )
        self.failed.append(failed)
        self.emit(FellBack(self.task.id, failed))
