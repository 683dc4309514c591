"""Stage 3: run a stream of tasks, each as soon as what it needs is there."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import structlog

from pipeline.attempts import attempt
from pipeline.domain import (
    Choice,
    Chose,
    Done,
    Failed,
    Finished,
    Outcome,
    Outcomes,
    Progressed,
    Request,
    RunId,
    Sentence,
    Skipped,
    Source,
    Step,
    Stopped,
    Task,
    TaskId,
    Withdrawn,
)
from pipeline.earlier import Earlier, Twins, content_key
from pipeline.errors import TroupeError
from pipeline.inputs import Given, gather
from pipeline.ports import Job, Tell
from pipeline.tools import Memory, Tools

log = structlog.get_logger()


async def execute(
    steps: AsyncIterator[Step | Withdrawn],
    request: Request,
    tools: Tools,
    memory: Memory,
    tell: Tell,
) -> Outcomes:
    """What became of each task.

    A task starts the moment its last input and prerequisite is there, at most `tools.pace.parallel` at once. One that fails takes
    down only those that need it. What the memory knows of is not run again; what another task of the plan or an earlier run of the
    thread made from the same is taken from there. Cancelling leaves nothing running.
    Raises what the stream of steps raises.
    """
    room = asyncio.Semaphore(tools.pace.parallel)
    floor = _Floor(request, tools, memory, tell, room, Earlier(request, tools))
    failure: TroupeError | None = None
    async with asyncio.TaskGroup() as group:
        try:
            async for step in steps:
                if isinstance(step, Withdrawn):
                    floor.withdraw(step)
                else:
                    floor.start(step, group)
        except TroupeError as error:  # raised below: the group would wrap it
            failure = error
            floor.clear()
    if failure is not None:
        raise failure
    return {task: outcome.result() for task, outcome in floor.outcomes.items()}


@dataclass(frozen=True, slots=True)
class _Floor:
    """The tasks of one run at work."""

    request: Request
    tools: Tools
    memory: Memory
    tell: Tell
    room: asyncio.Semaphore
    earlier: Earlier
    twins: Twins = field(default_factory=Twins)
    outcomes: dict[TaskId, asyncio.Future[Outcome]] = field(default_factory=dict)
    working: dict[TaskId, asyncio.Task[None]] = field(default_factory=dict)

    def start(self, step: Step, group: asyncio.TaskGroup) -> None:
        self.twins.meet(step)
        self.outcomes[step.task.id] = asyncio.get_running_loop().create_future()
        self.working[step.task.id] = group.create_task(
            self._work(step, self.memory.names.of(step.task))
        )

    def withdraw(self, word: Withdrawn) -> None:
        self.twins.part(word.task)
        outcome = self.outcomes.get(word.task)
        if outcome is not None and not outcome.done():
            self.working[word.task].cancel()
            self._settle(word.task, Stopped(word.because))

    def clear(self) -> None:
        for work in self.working.values():
            work.cancel()

    async def _work(self, step: Step, name: str) -> None:
        known: Outcome | None = self.memory.recall(name, Outcome)
        outcome = await self._outcome(step) if known is None or _follows(known) else known
        if outcome != known:
            await self.memory.keep(name, outcome, Outcome)
        self._settle(step.task.id, outcome)

    async def _outcome(self, step: Step) -> Outcome:
        for need in sorted(step.task.needs):
            if not isinstance(await asyncio.shield(self.outcomes[need]), Done):
                return Skipped(need)
        if step.choice is None:
            return Failed(await self.tools.wanting(step.task.kind))
        if shared := await self._of_its_twin(step.task):
            return shared
        try:
            return await self._made(step.task, step.choice)
        except (
            Exception
        ):  # the one boundary for a task: a bug in it takes down its dependents, not the run
            reference = uuid.uuid4().hex[:8]
            log.exception("task broke", run=self.memory.run, task=step.task.id, reference=reference)
            return Failed(Sentence("task-bug", {"reference": reference}))

    async def _of_its_twin(self, task: Task) -> Outcome | None:
        """What became of an earlier task that does the same; None where there is none, or it came to nothing by itself."""
        twin = self.twins.of.get(task.id)
        if twin is None:
            return None
        match await asyncio.shield(self.outcomes[twin]):
            case Done() as done:
                return replace(done, took=0.0, source=done.source or Source(RunId(""), twin))
            case Failed(reason):
                return Failed(reason)
            case _:
                return None

    async def _made(self, task: Task, choice: Choice) -> Outcome:
        done = {need: self.outcomes[need].result() for need in task.needs}
        key = content_key(task, done, self.request.person.locale)
        if key and (known := await self.earlier.result(key, choice)):
            return known
        self.tell(Chose(task.id, choice))
        async with self.room:
            given = await gather(task, done, self.tools)
            if isinstance(given, Failed):
                return given
            job = self._job(task, choice, given)
            outcome = await attempt(task, choice, job, self.tools, self.tell)
            return replace(outcome, key=key) if isinstance(outcome, Done) else outcome

    def _job(self, task: Task, choice: Choice, given: Given) -> Job:
        return Job(
            task.kind,
            choice.model,
            given,
            key=f"{self.memory.run}:{task.id}",
            language=self.request.person.locale,
            report=lambda fraction, note: self.tell(Progressed(task.id, fraction, note)),
        )

    def _settle(self, task: TaskId, outcome: Outcome) -> None:
        if not self.outcomes[task].done():
            self.outcomes[task].set_result(outcome)
            self.tell(Finished(task, outcome))


def _follows(outcome: Outcome) -> bool:
    """Whether it tells of another task of the plan by its number, which is found out again at no cost."""
    return isinstance(outcome, Skipped) or (
        isinstance(outcome, Done) and outcome.source is not None and not outcome.source.run
    )
