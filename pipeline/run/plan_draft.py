"""Stage 1: the plan of a run while a planner writes it, fallbacks and fresh starts included."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pipeline.domain import (
    Arg,
    Done,
    Failed,
    LocalizedText,
    Noticed,
    Outcomes,
    Plan,
    Planned,
    PlanPart,
    Proposed,
    Ref,
    Repair,
    Repaired,
    Replanned,
    Replied,
    ReplyPart,
    Request,
    Silent,
    Skipped,
    Task,
    TaskId,
    Unfinished,
)
from pipeline.errors import LlmError, PlanError
from pipeline.ports import Emit, Planner, Replanner, Responder
from pipeline.result_reuse import StepNames
from pipeline.tools import RunJournal

_PARTS = tuple[PlanPart, ...]
Named = TypeVar("Named", Planner, Responder)


async def write_plan(
    request: Request,
    planners: Sequence[Planner],
    draft: "PlanDraft",
    outcomes: Outcomes,
    journal: RunJournal,
    emit: Emit,
) -> AsyncGenerator[Proposed | ReplyPart | Replanned]:
    """Add a round to the draft and yield each new step, and words of a reply, at once.

    `outcomes`: those of the rounds before. A new draft is first filled with the rounds in the
    journal. Raises PlanError or LlmError when the last planner fails in the first round.
    """
    if not draft.round and recall_plan(journal, draft):
        show_plan(draft, emit)
        for proposal in draft.proposals:
            yield proposal
        return
    draft.begin_round()
    if draft.round == 1:
        written = propose(request, planners)
    else:
        written = _plan_on(request, list_available(planners, draft), draft.plan, outcomes)
    async with aclosing(written) as parts:
        async for part in parts:
            new = draft.apply(part)
            show_plan(draft, emit)
            if new is not None:
                yield new
            elif isinstance(part, ReplyPart | Replanned):
                yield part
    await journal.keep(_name_round(draft.round), tuple(draft.parts), _PARTS)


def needs_round(draft: "PlanDraft", outcomes: Outcomes) -> bool:
    """Whether to plan on: the plan waits for results, or a step of its last round failed."""
    new = (outcomes.get(part.task.id) for part in draft.latest)
    return draft.is_open or any(isinstance(outcome, Failed) for outcome in new)


def recall_plan(journal: RunJournal, draft: "PlanDraft") -> bool:
    """Fill the draft with the rounds in the journal; False if there is none."""
    while (parts := journal.recall(_name_round(draft.round + 1), _PARTS)) is not None:
        draft.begin_round()
        for part in parts:
            draft.apply(part)
    return draft.round > 0


def _name_round(number: int) -> str:
    return "plan" if number == 1 else f"plan {number}"


def list_available(available: Sequence[Named], draft: "PlanDraft") -> Sequence[Named]:
    """Leave out language models that failed as planners, unless nothing remains."""
    failed = {notice.args.get("planner") for notice in draft.notices}
    return [each for each in available if each.name not in failed] or available


def show_plan(draft: "PlanDraft", emit: Emit) -> None:
    """Emit the plan so far, if it has steps."""
    if draft.proposals:
        emit(Planned(draft.plan, draft.repairs))


async def propose(request: Request, planners: Sequence[Planner]) -> AsyncGenerator[PlanPart]:
    """Yield the parts of a plan from the first planner that succeeds.

    A planner that fails is followed by the next; what it proposed is withdrawn with `Replanned`.
    Raises PlanError or LlmError when the last one fails.
    """
    for position, planner in enumerate(planners):
        try:
            async with aclosing(planner.plan(request)) as parts:
                async for part in parts:
                    yield part
        except (LlmError, PlanError) as error:
            if position + 1 == len(planners):
                raise
            message = "fallback-plan" if isinstance(error, PlanError) else "fallback-planner"
            yield Replanned()
            yield Noticed(
                LocalizedText(message, {"planner": planner.name, "reason": error.sentence})
            )
        else:
            return


async def _plan_on(
    request: Request, planners: Sequence[Planner], plan: Plan, outcomes: Outcomes
) -> AsyncGenerator[PlanPart]:
    """Yield what the first planner adds to a plan after these outcomes.

    If it fails, the person is told and the plan stays as it is.
    """
    planner = next(iter(planners), None)
    if not isinstance(planner, Replanner):
        return
    try:
        async with aclosing(planner.plan_on(request, plan, outcomes)) as parts:
            async for part in parts:
                yield part
    except (LlmError, PlanError) as error:
        garbled = LocalizedText("llm-garbled", {"model": planner.name})
        reason = garbled if isinstance(error, PlanError) else error.sentence
        yield Noticed(LocalizedText("plan-not-continued", {"reason": reason}))


@dataclass(slots=True)
class PlanDraft:
    """The plan so far.

    Steps are identified by content: a step that a new plan repeats keeps its number and goes on
    running.
    """

    round: int = 0
    """How many rounds of planning have begun."""
    parts: list[PlanPart] = field(default_factory=list)
    """The parts of this round, as a planner would yield them at the first try."""
    _before: tuple[PlanPart, ...] = ()
    """The parts of earlier rounds."""
    _started: dict[str, Proposed] = field(default_factory=dict)
    """Every step of every plan of this run, by its name."""
    _names: StepNames = field(default_factory=StepNames)
    _numbers: dict[TaskId, TaskId] = field(default_factory=dict)
    """A task's number in the current plan → the number it was started with."""

    def apply(self, part: PlanPart) -> Proposed | None:
        """Add a part of the plan. Returns the step to start if it is a new one."""
        match part:
            case Proposed():
                return self._propose(part)
            case Replanned():
                self._start_over(each for each in self.parts if isinstance(each, Noticed))
            case Noticed(notice) if notice in self.notices:
                pass  # of an earlier round
            case ReplyPart():
                pass  # `Replied` will have it
            case Repaired(repair) if repair.task in self._numbers:
                self.parts.append(Repaired(replace(repair, task=self._numbers[repair.task])))
            case _:
                self.parts.append(part)
        return None

    def begin_round(self) -> None:
        """Keep the plan so far; what follows is added to it."""
        self.round += 1
        self._before = (*self._before, *self.parts)
        self._start_over(())

    def _start_over(self, kept: Iterable[PlanPart]) -> None:
        self.parts = [*kept]
        self._names = StepNames()
        self._names.know(self.plan.tasks)
        self._numbers = {task.id: task.id for task in self.plan.tasks}

    @property
    def latest(self) -> Sequence[Proposed]:
        """The steps that this round added."""
        return [part for part in self.parts if isinstance(part, Proposed)]

    @property
    def proposals(self) -> Sequence[Proposed]:
        """The steps of the current plan."""
        return [part for part in (*self._before, *self.parts) if isinstance(part, Proposed)]

    @property
    def repairs(self) -> tuple[Repair, ...]:
        parts = (*self._before, *self.parts)
        return tuple(part.repair for part in parts if isinstance(part, Repaired))

    @property
    def notices(self) -> Sequence[LocalizedText]:
        parts = (*self._before, *self.parts)
        return [part.notice for part in parts if isinstance(part, Noticed)]

    @property
    def reply(self) -> Replied:
        return next((part for part in self.parts if isinstance(part, Replied)), Replied(""))

    @property
    def is_open(self) -> bool:
        """Whether the plan asks for a further round."""
        return Unfinished() in self.parts

    @property
    def silent(self) -> Silent | None:
        """Set if the message is not meant for the bot."""
        return next((part for part in self.parts if isinstance(part, Silent)), None)

    @property
    def plan(self) -> Plan:
        return Plan(tuple(part.task for part in self.proposals))

    @property
    def abandoned(self) -> Iterable[Task]:
        """Steps that were started but are not in the current plan, the newest first."""
        kept = {part.task.id for part in self.proposals}
        started = (part.task for part in reversed(self._started.values()))
        return [task for task in started if task.id not in kept]

    def mark_redone(self, outcomes: Outcomes) -> Outcomes:
        """The outcomes, with steps marked that were skipped and that the last round replaced."""
        ended = ((part.task.kind, outcomes.get(part.task.id)) for part in self.latest)
        left = Counter(kind.name for kind, outcome in ended if isinstance(outcome, Done))
        marked = dict(outcomes)
        for task in (part.task for part in self._before if isinstance(part, Proposed)):
            outcome = outcomes.get(task.id)
            if isinstance(outcome, Skipped) and left[task.kind.name]:
                left[task.kind.name] -= 1
                marked[task.id] = replace(outcome, is_redone=True)
        return marked

    def _propose(self, part: Proposed) -> Proposed | None:
        name = self._names.of(part.task)
        started = self._started.get(name)
        numbered = started or replace(part, task=self._renumber(part.task))
        self._started[name] = numbered
        self._numbers[part.task.id] = numbered.task.id
        if numbered not in self.proposals:
            self.parts.append(numbered)
        return numbered if started is None else None

    def _renumber(self, task: Task) -> Task:
        """Give a task a free number and translate the numbers in its references."""

        def renumber(arg: Arg) -> Arg:
            return Ref(self._numbers[arg.task], arg.slot) if isinstance(arg, Ref) else arg

        taken = {part.task.id for part in self._started.values()}
        return Task(
            task.id if task.id not in taken else TaskId(max(taken) + 1),
            task.kind,
            {name: tuple(map(renumber, args)) for name, args in task.args.items()},
            frozenset(self._numbers[need] for need in task.after),
        )
