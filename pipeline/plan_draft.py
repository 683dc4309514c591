"""Stage 1: the plan of a run while it is written, and when it starts over."""

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
    """Fill the draft, and hand on each step as soon as it is known.

    A plan that the journal has is not asked for again. Raises PlanError or LlmError when the last
    planner fails.
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
    """Fill the draft with the plan that the journal has; False where it has none."""
    recalled: tuple[PlanPart, ...] | None = journal.recall(_PLAN, _PARTS)
    for part in recalled or ():
        draft.apply(part)
    return recalled is not None


def show_plan(draft: "PlanDraft", emit: Emit) -> None:
    """Emit the plan as far as it is known, if it has steps."""
    if draft.proposals:
        emit(Planned(draft.plan, draft.repairs))


async def propose(request: Request, planners: Sequence[Planner]) -> AsyncGenerator[PlanPart]:
    """What the first planner says that can plan; each that fails hands over to the next.

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
            fell_back = "fallback-plan" if isinstance(error, PlanError) else "fallback-planner"
            why = LocalizedText(fell_back, {"planner": planner.name, "reason": error.sentence})
            yield Replanned()
            yield Noticed(why)
        else:
            return


@dataclass(slots=True)
class PlanDraft:
    """The plan as far as it is known.

    Steps are known by content, so a plan that starts over keeps those that it repeats, under the
    numbers with which they began.
    """

    proposals: list[Proposed] = field(default_factory=list)
    """The steps of the newest plan."""
    notices: list[LocalizedText] = field(default_factory=list)
    reply: str = ""
    _repairs: list[Repair] = field(default_factory=list)
    _begun: dict[str, Proposed] = field(default_factory=dict)
    """Every step of every plan of this run, by its name."""
    _names: StepNames = field(default_factory=StepNames)
    _numbers: dict[TaskId, TaskId] = field(default_factory=dict)
    """A task's number in the newest plan → the number under which it began."""

    def apply(self, part: PlanPart) -> Proposed | None:
        """Take in what a planner says. Returns the step to begin, if this is a new one."""
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
        """The newest plan."""
        return Plan(tuple(part.task for part in self.proposals))

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What was changed or dropped in the newest plan."""
        return tuple(
            replace(repair, task=repair.task and self._numbers.get(repair.task, repair.task))
            for repair in self._repairs
        )

    @property
    def abandoned(self) -> Iterable[Task]:
        """The steps that began and that the newest plan does not contain, the last one first."""
        kept = {part.task.id for part in self.proposals}
        begun = (part.task for part in reversed(self._begun.values()))
        return [task for task in begun if task.id not in kept]

    @property
    def parts(self) -> tuple[PlanPart, ...]:
        """What a planner would have said that had written this plan at once."""
        return (
            *map(Noticed, self.notices),
            *self.proposals,
            *map(Repaired, self.repairs),
            *((Replied(self.reply),) if self.reply else ()),
        )

    def _propose(self, part: Proposed) -> Proposed | None:
        name = self._names.of(part.task)
        known = self._begun.get(name)
        numbered = known or replace(part, task=self._renumber(part.task))
        self._begun[name] = numbered
        self._numbers[part.task.id] = numbered.task.id
        self.proposals.append(numbered)
        return numbered if known is None else None

    def _renumber(self, task: Task) -> Task:
        """The same task under a free number, its references pointing at the steps that began."""

        def renumber(arg: Arg) -> Arg:
            return Ref(self._numbers[arg.task], arg.slot) if isinstance(arg, Ref) else arg

        taken = {part.task.id for part in self._begun.values()}
        return Task(
            task.id if task.id not in taken else TaskId(max(taken) + 1),
            task.kind,
            {name: tuple(map(renumber, args)) for name, args in task.args.items()},
            frozenset(self._numbers[need] for need in task.after),
        )
