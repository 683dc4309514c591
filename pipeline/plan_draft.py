"""Stage 1: the plan of a run while a planner writes it, fallbacks and fresh starts included."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from pipeline.domain import (
    Arg,
    LocalizedText,
    Noticed,
    Plan,
    Planned,
    PlanPart,
    Proposed,
    Ref,
    Repair,
    Repaired,
    Replanned,
    Replied,
    Request,
    Task,
    TaskId,
)
from pipeline.errors import LlmError, PlanError
from pipeline.ports import Emit, Planner
from pipeline.result_reuse import StepNames
from pipeline.tools import RunJournal

_PLAN = "plan"
_PARTS = tuple[PlanPart, ...]


async def write_plan(
    request: Request,
    planners: Sequence[Planner],
    draft: "PlanDraft",
    journal: RunJournal,
    emit: Emit,
) -> AsyncGenerator[Proposed]:
    """Fill the draft and yield each new step as soon as it is known.

    A plan in the journal is used as it is. Raises PlanError or LlmError when the last planner
    fails.
    """
    if recall_plan(journal, draft):
        show_plan(draft, emit)
        for proposal in draft.proposals:
            yield proposal
        return
    async with aclosing(propose(request, planners)) as parts:
        async for part in parts:
            new = draft.apply(part)
            show_plan(draft, emit)
            if new is not None:
                yield new
    await journal.keep(_PLAN, draft.parts, _PARTS)


def recall_plan(journal: RunJournal, draft: "PlanDraft") -> bool:
    """Fill the draft with the plan in the journal; False if there is none."""
    recalled: tuple[PlanPart, ...] | None = journal.recall(_PLAN, _PARTS)
    for part in recalled or ():
        draft.apply(part)
    return recalled is not None


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


@dataclass(slots=True)
class PlanDraft:
    """The plan so far.

    Steps are identified by content: a step that a new plan repeats keeps its number and goes on
    running.
    """

    proposals: list[Proposed] = field(default_factory=list)
    """The steps of the current plan."""
    notices: list[LocalizedText] = field(default_factory=list)
    reply: str = ""
    _repairs: list[Repair] = field(default_factory=list)
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
            case Repaired(repair):
                self._repairs.append(repair)
            case Noticed(notice):
                self.notices.append(notice)
            case Replied(text):
                self.reply = text
            case Replanned():
                self.proposals, self._repairs, self.reply = [], [], ""
                self._names, self._numbers = StepNames(), {}
        return None

    @property
    def plan(self) -> Plan:
        return Plan(tuple(part.task for part in self.proposals))

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The repairs of the current plan."""
        return tuple(
            replace(repair, task=repair.task and self._numbers.get(repair.task, repair.task))
            for repair in self._repairs
        )

    @property
    def abandoned(self) -> Iterable[Task]:
        """Steps that were started but are not in the current plan, the newest first."""
        kept = {part.task.id for part in self.proposals}
        started = (part.task for part in reversed(self._started.values()))
        return [task for task in started if task.id not in kept]

    @property
    def parts(self) -> tuple[PlanPart, ...]:
        """The current plan as a planner would yield it at the first try."""
        return (
            *map(Noticed, self.notices),
            *self.proposals,
            *map(Repaired, self.repairs),
            *((Replied(self.reply),) if self.reply else ()),
        )

    def _propose(self, part: Proposed) -> Proposed | None:
        name = self._names.of(part.task)
        started = self._started.get(name)
        numbered = started or replace(part, task=self._renumber(part.task))
        self._started[name] = numbered
        self._numbers[part.task.id] = numbered.task.id
        self.proposals.append(numbered)
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
