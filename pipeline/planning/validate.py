"""From written plans to typed ones: what was written, what was repaired, what was left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import (
    LocalizedText,
    Plan,
    PlanPart,
    Proposed,
    Repair,
    Repaired,
    Replanned,
    Request,
    Task,
    TaskKind,
)
from pipeline.errors import PlanError
from pipeline.planning.arguments import (
    StepReference,
    WrittenArgument,
    assign_arguments,
    split_argument,
)
from pipeline.planning.parse import PlanParser, StartOver, Step
from pipeline.planning.repair import (
    LONGEST_TOLD,
    Args,
    PlanContext,
    TaskDraft,
    fan_out,
    fill_missing,
    resolve,
)
from pipeline.planning.schema import InvalidTask, RawTask
from pipeline.task_kinds import KINDS
from pipeline.text import shorten
from pipeline.words import say

MOST_TASKS = 64
_MOST_READ = 2 * MOST_TASKS
_LONGEST_ID = 3
"""Digits of an id that is taken over as it was written."""
_GUESSED = frozenset({"plan-unknown-file", "plan-reference-dropped", "plan-reference-unfit"})
"""Repairs that may not be what was meant: the language model is asked again."""


@dataclass(frozen=True, slots=True)
class ValidatedPlan:
    """What a text means as a plan: its tasks and repairs in order, or only a reply."""

    parts: tuple[PlanPart, ...] = ()
    reply: str = ""

    @property
    def plan(self) -> Plan:
        return Plan(tuple(part.task for part in self.parts if isinstance(part, Proposed)))

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return tuple(part.repair for part in self.parts if isinstance(part, Repaired))

    @property
    def errors(self) -> tuple[Repair, ...]:
        """What the language model can do better: steps left out, files and steps unknown."""
        return tuple(one for one in self.repairs if one.dropped or one.what.id in _GUESSED)

    def count_errors(self) -> tuple[int, int]:
        """How bad it is: what was left out counts more than what was guessed."""
        return count_dropped(self.repairs), len(self.errors)

    def describe_errors(self) -> str:
        """What is wrong, in words for the language model."""
        whats = [repair.what for repair in self.errors] or [LocalizedText("plan-empty")]
        return " ".join(say("en", what, exact=True) for what in whats)


def count_dropped(repairs: Iterable[Repair]) -> int:
    """How many steps were left out."""
    counts = [repair.what.args.get("count") for repair in repairs if repair.dropped]
    return sum(count if isinstance(count, int) else 1 for count in counts)


def read_plan(
    text: str, request: Request, *, kinds: Mapping[str, TaskKind] = KINDS
) -> ValidatedPlan:
    """The plan in a whole text. Raises PlanError with the errors when nothing usable is left."""
    reader = PlanReader(request, kinds)
    reader.feed(text)
    return reader.finish()


@dataclass(frozen=True, slots=True)
class _Step:
    """A raw task with its label and the pieces of its arguments."""

    raw: RawTask
    position: int
    label: str
    args: Sequence[WrittenArgument]

    @property
    def mentions(self) -> frozenset[str]:
        """Labels of other steps in its arguments."""
        pieces = (piece for arg in self.args for piece in arg.pieces)
        return frozenset(piece.label for piece in pieces if isinstance(piece, StepReference))

    @property
    def waits_for(self) -> frozenset[str]:
        return (self.mentions | {*self.raw.needs}) - {self.label}


class PlanReader:
    """Reads a plan while it is being written: a task as soon as all that it refers to is there.

    The same text gives the same plan, however it is broken into pieces.
    """

    def __init__(self, request: Request, kinds: Mapping[str, TaskKind] = KINDS) -> None:
        self._parser = PlanParser()
        self._request, self._kinds = request, kinds
        self._start()

    def _start(self) -> None:
        self._context = PlanContext(self._request, self._kinds)
        self._waiting: dict[str, _Step] = {}
        self._parts: list[PlanPart] = []
        self._read = self._beyond = 0

    @property
    def text(self) -> str:
        """What was read so far, without the model's thoughts."""
        return self._parser.text

    def feed(self, piece: str) -> list[PlanPart]:
        """The tasks that became known with this piece; Replanned where a draft was thrown away.

        Repairs are left to the whole plan.
        """
        news: list[PlanPart] = []
        for step in self._parser.feed(piece):
            if isinstance(step, StartOver):
                news.append(Replanned())
                self._start()
            else:
                news += [part for part in self._take(step) if isinstance(part, Proposed)]
        return news

    def finish(self, *, broke_off: bool = False) -> ValidatedPlan:
        """The whole plan. `broke_off`: the connection broke. Raises PlanError."""
        late, cut = self._parser.finish()
        for step in late:
            self._take(step)
        self._settle_rest()
        if self._beyond:
            self._drop("", "plan-too-long", count=self._beyond, most=MOST_TASKS)
        if cut or (broke_off and not self._parser.is_complete):
            self._drop("", "plan-cut-short")
        plan = ValidatedPlan(tuple(self._parts), "" if broke_off else self._parser.reply)
        if not plan.plan.tasks and not plan.reply:
            raise PlanError("plan-unusable", errors=plan.describe_errors())
        return plan

    def _take(self, raw: Step) -> Sequence[PlanPart]:
        """What is known now that this task is there too."""
        before, position = len(self._parts), self._read
        self._read += 1
        if position >= _MOST_READ:
            self._beyond += 1
        elif isinstance(raw, InvalidTask):
            self._drop(str(position), "plan-invalid-step", step=position + 1, problem=raw.problem)
        elif not isinstance(raw, StartOver):
            label = raw.id or str(position)
            if label in self._context.families or label in self._waiting:
                label = f"{label}@{position}"
            step = _Step(raw, position, label, _split_arguments(raw, self._request))
            self._waiting[label] = step
            if step.waits_for <= self._context.families.keys():
                self._settle(step)
        return self._parts[before:]

    def _settle_rest(self) -> None:
        """Steps that refer to later ones, to nothing, or in circles, which are cut at the first."""
        while self._waiting:
            steps = self._waiting.values()
            free = (step for step in steps if not step.waits_for & self._waiting.keys())
            self._settle(next(free, None) or next(iter(steps)))

    def _settle(self, step: _Step) -> None:
        """Make a typed task of a step, or drop it."""
        del self._waiting[step.label]
        context = self._context
        kind = context.kinds.get(normalize_kind(step.raw.kind))
        if len(context.tasks) >= MOST_TASKS:
            context.families[step.label] = ()
            self._beyond += 1
        elif kind is None:
            self._drop(step.label, "plan-unknown-task", name=shorten(step.raw.kind, LONGEST_TOLD))
        elif any(context.families.get(label) == () for label in step.mentions):
            self._drop(step.label, "plan-needs-dropped", kind=kind.name)
        else:
            self._make_task(kind, step)

    def _make_task(self, kind: TaskKind, step: _Step) -> None:
        """Make a task of a step, if it lacks nothing."""
        is_number = step.label.isdecimal() and len(step.label) <= _LONGEST_ID
        id_ = self._context.free_id(wanted=int(step.label) if is_number else step.position)
        draft = TaskDraft(kind, id_, self._context)
        args = self._resolve_arguments(step, draft)
        missing = [slot.name for slot in kind.takes if slot.required and slot.name not in args]
        if missing:
            self._drop(step.label, "plan-missing", kind=kind.name, slot=missing[0])
        else:
            self._accept(step, draft, args)

    def _resolve_arguments(self, step: _Step, draft: TaskDraft) -> Args:
        """The arguments of a task, in the order in which they were written."""
        assigned, rest = assign_arguments(draft.kind, step.args, self._context.offers)
        slots = {slot.name: slot for slot in draft.kind.takes}
        args = {
            name: resolve(given, slots[name], draft)
            for name, given in sorted(assigned.items(), key=lambda one: step.args.index(one[1][0]))
        }
        for argument in rest:
            draft.tell("plan-extra", extra=shorten(argument.text, LONGEST_TOLD))
        for name, slot in slots.items():
            if slot.required and not args.get(name):
                args[name] = fill_missing(slot, self._context.ids(step.raw.needs), draft)
        return {name: given for name, given in args.items() if given}

    def _accept(self, step: _Step, draft: TaskDraft, args: Args) -> None:
        context = self._context
        context.tasks |= {task.id: task for task in draft.before}
        if not all(context.families.get(label) for label in step.raw.needs):
            draft.tell("plan-order-dropped")
        after = {*context.ids(step.raw.needs)} - draft.used
        tasks: list[Proposed] = []
        for copy in fan_out(args, draft):
            id_ = context.free_id(but=(draft.id,)) if tasks else draft.id
            needs = Task(id_, draft.kind, copy).needs
            context.tasks[id_] = Task(id_, draft.kind, copy, frozenset(after - needs))
            tasks.append(Proposed(context.tasks[id_], step.raw.model))
        context.families[step.label] = tuple(part.task.id for part in tasks)
        self._parts += [*map(Repaired, draft.repairs), *map(Proposed, draft.before), *tasks]

    def _drop(self, label: str, why: str, **args: str | float) -> None:
        self._context.families[label] = ()
        self._parts.append(Repaired(Repair(LocalizedText(why, args), dropped=True)))


def normalize_kind(name: str) -> str:
    """The name of a kind as it is compared: lower-case, words joined by hyphens."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _split_arguments(raw: RawTask, request: Request) -> Sequence[WrittenArgument]:
    """The arguments of a task, each with the pieces it holds; values of a list stay apart."""
    values = ((arg.name, value) for arg in raw.args for value in arg.values)
    split = (WrittenArgument(name, text, split_argument(text, request)) for name, text in values)
    return [argument for argument in split if argument.pieces]
