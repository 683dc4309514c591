"""One request from its words to its answer: the paper's four stages."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Estimate,
    Finished,
    Noticed,
    Outcome,
    Outcomes,
    Plan,
    Planned,
    PlanPart,
    Proposed,
    Repair,
    Repaired,
    Replied,
    Request,
    Sentence,
    Step,
    Task,
    TaskId,
    Withdrawn,
    Written,
)
from pipeline.earlier import Twins, spared
from pipeline.errors import LlmError, PlanError
from pipeline.estimating import Foreseen, estimated, told
from pipeline.execution import execute
from pipeline.naming import named, unheeded
from pipeline.ports import Planner, Responder, Tell
from pipeline.response import check, check_reply
from pipeline.selection import select
from pipeline.showing import shown
from pipeline.tools import Memory, Tools
from pipeline.words import say

_PARTS = tuple[PlanPart, ...]


async def answer(request: Request, tools: Tools, memory: Memory, tell: Tell) -> Answer:
    """Plan, select, execute, respond.

    What the memory knows to be finished before a restart is not done again. Raises LlmError or PlanError when no planner or responder is left.
    """
    answered: Answer | None = memory.recall("answer", Answer)
    if answered is None:
        draft = Draft(tell)
        parts = _parts(request, tools, memory, draft)
        async with aclosing(parts), aclosing(_steps(parts, request, tools, draft)) as steps:
            outcomes = await execute(steps, request, tools, memory, tell)
        standing = {task.id: outcomes[task.id] for task in draft.plan.tasks}
        answered = await _answer(request, draft, standing, tools, tell)
        if draft.tasks:  # a mere reply follows from the plan
            await memory.keep("answer", answered, Answer)
    else:
        _retell(memory, tell)
    tell(Answered(answered))
    return answered


def _retell(memory: Memory, tell: Tell) -> None:
    """What led to an answer that stands since before a restart, so that the record of the run has it."""
    draft = Draft(tell)
    _note(memory.recall("plan", _PARTS) or (), draft, memory)
    for task in draft.plan.tasks:
        outcome = memory.recall(memory.names.of(task), Outcome)
        if outcome is not None:
            tell(Finished(task.id, outcome))


@dataclass(slots=True)
class Draft:
    """The plan of one run as it becomes known."""

    tell: Tell
    tasks: list[Task] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    notices: list[Sentence] = field(default_factory=list)
    reply: str = ""
    withdrawn: set[TaskId] = field(default_factory=set)
    estimate: Estimate | None = None

    @property
    def plan(self) -> Plan:
        """Without what was taken back, unless something that stands needs it still."""
        standing: list[Task] = []
        for task in reversed(self.tasks):
            if task.id not in self.withdrawn or any(task.id in one.needs for one in standing):
                standing.append(task)
        return Plan(tuple(reversed(standing)))

    def note(self, part: PlanPart) -> None:
        match part:
            case Proposed(task):
                self.tasks.append(task)
            case Repaired(repair):
                self.repairs.append(repair)
            case Noticed(notice):
                self.notices.append(notice)
            case Replied(text):
                self.reply = text
            case Withdrawn(task_id, because):
                self.withdrawn.add(task_id)
                kept = [repair for repair in self.repairs if repair.task != task_id]
                self.repairs = [*kept, Repair(because, task_id, dropped=True)]

    def show(self) -> None:
        if self.tasks:
            self.tell(Planned(self.plan, tuple(self.repairs), self.estimate))


async def _parts(
    request: Request, tools: Tools, memory: Memory, draft: Draft
) -> AsyncGenerator[PlanPart]:
    """Stage 1: what the planners say, remembered; each noted in the draft as it is handed on."""
    remembered: tuple[PlanPart, ...] | None = memory.recall("plan", _PARTS)
    said: list[PlanPart] = list(remembered or ())
    if remembered is None and tools.pace.streamed:
        async with aclosing(planned(request, tools.planners)) as parts:
            async for part in parts:
                said.append(part)
                draft.note(part)
                draft.show()
                yield part
        await memory.keep("plan", tuple(said), _PARTS)
        return
    if remembered is None:
        said = [part async for part in planned(request, tools.planners)]
        await memory.keep("plan", tuple(said), _PARTS)
    _note(said, draft, memory)
    for part in said:
        if not (isinstance(part, Proposed) and part.task.id in draft.withdrawn):
            yield part


def _note(parts: Iterable[PlanPart], draft: Draft, memory: Memory) -> None:
    """A whole plan, with the names of all its steps."""
    for part in parts:
        draft.note(part)
        if isinstance(part, Proposed):
            memory.names.of(part.task)
    draft.show()


async def planned(request: Request, planners: Sequence[Planner]) -> AsyncGenerator[PlanPart]:
    """The first planner that can; the next one only takes over before the first task was proposed."""
    for position, planner in enumerate(planners):
        proposed = False
        try:
            async with aclosing(planner.plan(request)) as parts:
                async for part in parts:
                    proposed = proposed or isinstance(part, Proposed)
                    yield part
        except (LlmError, PlanError) as error:
            if proposed or position + 1 == len(planners):
                raise
            yield Noticed(_fallback(planner, error))
        else:
            return


def _fallback(planner: Planner, error: LlmError | PlanError) -> Sentence:
    if isinstance(error, PlanError):
        return Sentence("fallback-plan", {"planner": planner.name})
    return Sentence("fallback-planner", {"reason": error.sentence, "planner": planner.name})


async def _steps(
    parts: AsyncIterator[PlanPart], request: Request, tools: Tools, draft: Draft
) -> AsyncGenerator[Step | Withdrawn]:
    """Stage 2, beside each task as it comes; in the end, why a model that was asked for by name was not taken."""
    names, began = named(request), time.monotonic()
    chosen: list[Step] = []
    proposed: dict[TaskId, float] = {}
    async for part in parts:
        if isinstance(part, Proposed):
            chosen.append(await select(part, request, tools.shelf, names))
            proposed[part.task.id] = time.monotonic() - began
            yield chosen[-1]
        elif isinstance(part, Withdrawn):
            yield part
    standing = [step for step in chosen if step.task.id not in draft.withdrawn]
    ahead = Foreseen(standing, time.monotonic() - began, proposed)
    await _foresee(ahead, request, draft, tools)
    if names.names:
        kinds = [step.task.kind for step in chosen]
        draft.notices += await unheeded(names, kinds, request, tools.shelf)


async def _foresee(run: Foreseen, request: Request, draft: Draft, tools: Tools) -> None:
    """Tell what it will take, where that is worth saying; then without what will be taken from elsewhere."""
    writer = next((one.name for one in _at_hand(tools.responders, draft.notices)), "")
    run = replace(run, writer=writer)
    if told(estimated(run, tools.records)) is None:
        return
    twins, taken = Twins(), await spared(run.steps, request, tools)
    for step in run.steps:
        twins.meet(step)
    run = replace(run, twins=twins.of, taken=frozenset(taken))
    draft.estimate = estimated(run, tools.records)
    if told(draft.estimate) is not None:
        draft.show()


async def _answer(
    request: Request, draft: Draft, outcomes: Outcomes, tools: Tools, tell: Tell
) -> Answer:
    """Stage 4: the words from a responder, compared with the record; the files from the record."""
    notices = [
        *draft.notices,
        *(repair.what for repair in draft.repairs),
        *(
            Sentence("file-unused", {"name": file.name, "reason": file.reason})
            for file in request.unused
        ),
    ]
    if draft.tasks:
        responders = _at_hand(tools.responders, notices)
        text, written = await _responded(request, draft.plan, outcomes, responders, tell, notices)
        checked = check(text, request, draft.plan, outcomes)
    else:
        text, written = draft.reply or say(request.person.locale, Sentence("nothing-to-do")), None
        checked = check_reply(text, request)
        tell(AnswerPart(checked.text))
    files = shown(request, draft.plan, outcomes)
    return Answer(request.run, checked.text, files, (*notices, *checked.notices), written)


def _at_hand(responders: Sequence[Responder], notices: Sequence[Sentence]) -> Sequence[Responder]:
    """Without those who could not even plan, so that nobody waits for them twice."""
    gone = {notice.args.get("planner") for notice in notices}
    return [one for one in responders if one.name not in gone] or responders


async def _responded(
    request: Request,
    plan: Plan,
    outcomes: Outcomes,
    responders: Sequence[Responder],
    tell: Tell,
    notices: list[Sentence],
) -> tuple[str, Written]:
    for position, responder in enumerate(responders):
        pieces: list[str] = []
        began = time.monotonic()
        try:
            async with aclosing(responder.respond(request, plan, outcomes)) as said:
                async for piece in said:
                    pieces.append(piece)
                    tell(AnswerPart(piece))
        except LlmError as error:
            if position + 1 == len(responders):
                raise
            if pieces:
                tell(AnswerPart("\n\n"))
            notices.append(Sentence("fallback-responder", {"reason": error.sentence}))
        else:
            return "".join(pieces), Written(responder.name, time.monotonic() - began)
    raise PlanError("nothing-to-do")
