"""Validate written plans: type them, repair them, and drop steps that cannot be repaired."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.domain import (
    LocalizedText,
    Noticed,
    Plan,
    PlanPart,
    Proposed,
    Repair,
    Repaired,
    Replanned,
    Replied,
    ReplyPart,
    Request,
    Silent,
    Task,
    TaskKind,
    Unfinished,
)
from pipeline.errors import PlanError
from pipeline.planning.arguments import WrittenArgument, assign_arguments
from pipeline.planning.fan_out import Args, fan_out
from pipeline.planning.parse import PlanParser
from pipeline.planning.pieces import StepReference, split_argument
from pipeline.planning.plan_context import PlanContext, TaskDraft
from pipeline.planning.raw_plan import InvalidTask, RawPlan, RawStep, RawTask
from pipeline.planning.repair import MOST_QUOTED, fill_missing, resolve
from pipeline.planning.schema import ACTIONS, ASK, DECLINE, LEAVE, SILENT
from pipeline.task_kinds import KINDS
from pipeline.text import shorten
from pipeline.words import say

MOST_TASKS = 64
_MOST_READ = 2 * MOST_TASKS
_LONGEST_REMARK = 500
_LONGEST_ID = 3
"""Digits of a written id that is kept."""
_GUESSED = frozenset({"plan-unknown-file", "plan-reference-dropped", "plan-reference-unfit"})
"""Repairs that may not be what the language model meant, so it is asked again."""


@dataclass(frozen=True, slots=True)
class ValidatedPlan:
    """A plan read from a text: its tasks and repairs in order, then what else it says."""

    parts: tuple[PlanPart, ...] = ()

    @property
    def tasks(self) -> tuple[Task, ...]:
        return tuple(part.task for part in self.parts if isinstance(part, Proposed))

    @property
    def plan(self) -> Plan:
        """Its tasks, none of which refers to those of an earlier round."""
        return Plan(self.tasks)

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return tuple(part.repair for part in self.parts if isinstance(part, Repaired))

    @property
    def errors(self) -> tuple[Repair, ...]:
        """Repairs that the language model may do better: dropped steps and guesses."""
        return tuple(each for each in self.repairs if each.dropped or each.what.id in _GUESSED)

    def count_errors(self) -> tuple[int, int]:
        """The number of dropped steps, then of errors: compares how bad plans are."""
        return count_dropped(self.repairs), len(self.errors)

    def describe_errors(self) -> str:
        """The errors in English, for the language model."""
        errors = [repair.what for repair in self.errors] or [LocalizedText("plan-empty")]
        return " ".join(say("en", error, exact=True) for error in errors)


def count_dropped(repairs: Iterable[Repair]) -> int:
    """The number of steps that these repairs dropped; one repair may have dropped several."""
    counts = [repair.what.args.get("count") for repair in repairs if repair.dropped]
    return sum(count if isinstance(count, int) else 1 for count in counts)


def read_plan(
    text: str,
    request: Request,
    kinds: Mapping[str, TaskKind] = KINDS,
    before: Sequence[Task] = (),
) -> ValidatedPlan:
    """Read the plan in a complete text. Raises PlanError if it has no usable task or reply."""
    reader = PlanReader(request, kinds, before)
    reader.feed(text)
    return reader.finish()


@dataclass(frozen=True, slots=True)
class _Step:
    """A raw task with its label and split arguments."""

    raw: RawTask
    position: int
    label: str
    args: Sequence[WrittenArgument]

    @property
    def mentions(self) -> frozenset[str]:
        """The labels that its arguments refer to."""
        pieces = (piece for arg in self.args for piece in arg.pieces)
        return frozenset(piece.label for piece in pieces if isinstance(piece, StepReference))

    @property
    def waits_for(self) -> frozenset[str]:
        return (self.mentions | {*self.raw.needs}) - {self.label}


class PlanReader:
    """Reads a streamed plan: each task is typed as soon as the tasks it refers to are known.

    The result does not depend on how the text is split into pieces.
    """

    def __init__(
        self,
        request: Request,
        kinds: Mapping[str, TaskKind] = KINDS,
        before: Sequence[Task] = (),
    ) -> None:
        """`before`: the tasks of earlier rounds, which this plan may refer to."""
        self._parser = PlanParser()
        self._request, self._kinds, self._before = request, kinds, before
        self._start()

    def _start(self) -> None:
        self._context = PlanContext(
            self._request,
            self._kinds,
            {task.id: task for task in self._before},
            {str(task.id): (task.id,) for task in self._before},
        )
        self._waiting: dict[str, _Step] = {}
        self._parts: list[PlanPart] = []
        self._read = self._excess = 0

    @property
    def text(self) -> str:
        """The text so far, without the model's thoughts."""
        return self._parser.text

    def feed(self, piece: str) -> list[PlanPart]:
        """What became known with this piece: tasks, and words of a reply.

        Replanned if what came before is void. Repairs are only in the result of `finish`.
        """
        parts: list[PlanPart] = []
        for step in self._parser.feed(piece):
            if isinstance(step, Replanned):
                parts.append(step)
                self._start()
            elif not self._find_silence(self._parser.action):
                parts += [part for part in self._add(step) if isinstance(part, Proposed)]
        words = "" if self._before else self._parser.read_reply()
        return [*parts, ReplyPart(words)] if words else parts

    def finish(self, *, interrupted: bool = False) -> ValidatedPlan:
        """The complete plan. `interrupted`: the stream ended with an error. Raises PlanError."""
        remaining, is_cut = self._parser.finish()
        for step in remaining:
            self._add(step)
        self._settle_rest()
        if self._excess:
            self._drop("", "plan-too-long", count=self._excess, most=MOST_TASKS)
        if is_cut or (interrupted and not self._parser.is_complete):
            self._drop("", "plan-cut-short")
        head = RawPlan() if interrupted else self._parser.head
        if silence := self._find_silence(head.action or self._parser.action):
            return ValidatedPlan((silence,))
        plan = ValidatedPlan(tuple(self._parts))
        ends = tuple(self._read_end(head, has_tasks=bool(plan.tasks)))
        if not (plan.tasks or ends or self._is_done(plan)):
            raise PlanError("plan-unusable", errors=plan.describe_errors())
        return replace(plan, parts=(*plan.parts, *ends))

    def _read_end(self, head: RawPlan, *, has_tasks: bool) -> Iterator[PlanPart]:
        """What a plan says besides its tasks."""
        text = head.say.strip()
        if has_tasks and text:
            yield Noticed(LocalizedText("plan-remark", {"text": text[:_LONGEST_REMARK]}))
        elif text:
            yield Replied(text, is_refusal=head.action in (ASK, DECLINE))
        if has_tasks and head.is_open:
            yield Unfinished()

    def _find_silence(self, action: str) -> Silent | None:
        """The silence that a plan asks for, where the message may not be for the bot.

        It outweighs tasks in the plan: nobody asked for them.
        """
        if self._before:
            return None
        if action == LEAVE and self._request.has_listeners:
            return Silent(leaves_thread=True)
        return Silent() if action == SILENT and self._request.overheard else None

    def _is_done(self, plan: ValidatedPlan) -> bool:
        """Whether a further round found that nothing is left to be done."""
        return bool(self._before) and self._parser.head.action in ACTIONS and not plan.errors

    def read_again(self, text: str) -> ValidatedPlan:
        """Read another text in place of this one. Raises PlanError."""
        return read_plan(text, self._request, self._kinds, self._before)

    def _add(self, raw: RawStep) -> Sequence[PlanPart]:
        """Add a raw task; returns the parts of the plan that it completes."""
        start, position = len(self._parts), self._read
        self._read += 1
        if position >= _MOST_READ:
            self._excess += 1
        elif isinstance(raw, InvalidTask):
            self._drop(str(position), "plan-invalid-step", step=position + 1, problem=raw.problem)
        else:
            label = raw.id or str(position)
            if label in self._context.families or label in self._waiting:
                label = f"{label}@{position}"
            step = _Step(raw, position, label, _split_arguments(raw, self._request))
            self._waiting[label] = step
            if step.waits_for <= self._context.families.keys():
                self._settle(step)
        return self._parts[start:]

    def _settle_rest(self) -> None:
        """Settle steps with forward or unknown references; a cycle is cut at its first step."""
        while self._waiting:
            steps = self._waiting.values()
            free = (step for step in steps if not step.waits_for & self._waiting.keys())
            self._settle(next(free, None) or next(iter(steps)))

    def _settle(self, step: _Step) -> None:
        """Turn a step into a typed task, or drop it."""
        del self._waiting[step.label]
        context = self._context
        name = normalize_kind(step.raw.kind)
        kind = context.kinds.get(name)
        if len(context.tasks) >= MOST_TASKS:
            context.families[step.label] = ()
            self._excess += 1
        elif kind is None and name in KINDS:
            self._drop(step.label, "plan-not-here", kind=name)
        elif kind is None:
            self._drop(step.label, "plan-unknown-task", name=shorten(step.raw.kind, MOST_QUOTED))
        elif any(context.families.get(label) == () for label in step.mentions):
            self._drop(step.label, "plan-needs-dropped", kind=kind.name)
        else:
            self._make_task(kind, step)

    def _make_task(self, kind: TaskKind, step: _Step) -> None:
        """Turn a step into a task, unless a required argument is missing."""
        is_number = step.label.isdecimal() and len(step.label) <= _LONGEST_ID
        id_ = self._context.choose_id(preferred=int(step.label) if is_number else step.position)
        draft = TaskDraft(kind, id_, self._context)
        args = self._resolve_arguments(step, draft)
        missing = [slot.name for slot in kind.takes if slot.required and slot.name not in args]
        if missing:
            self._drop(step.label, "plan-missing", kind=kind.name, slot=missing[0])
        else:
            self._accept(step, draft, args)

    def _resolve_arguments(self, step: _Step, draft: TaskDraft) -> Args:
        """The arguments of a task, in the order written."""
        assigned, rest = assign_arguments(draft.kind, step.args, self._context.list_offers)
        slots = {slot.name: slot for slot in draft.kind.takes}
        args = {
            name: resolve(written, slots[name], draft)
            for name, written in sorted(assigned.items(), key=lambda e: step.args.index(e[1][0]))
        }
        for argument in rest:
            draft.report("plan-extra", extra=shorten(argument.text, MOST_QUOTED))
        for name, slot in slots.items():
            if slot.required and not args.get(name):
                args[name] = fill_missing(slot, self._context.list_ids(step.raw.needs), draft)
        return {name: values for name, values in args.items() if values}

    def _accept(self, step: _Step, draft: TaskDraft, args: Args) -> None:
        context = self._context
        context.tasks |= {task.id: task for task in draft.before}
        if not all(context.families.get(label) for label in {*step.raw.needs} - step.mentions):
            draft.report("plan-order-dropped")
        after = {*context.list_ids(step.raw.needs)} - draft.used
        tasks: list[Proposed] = []
        for copy in fan_out(args, draft):
            id_ = context.choose_id(but=(draft.id,)) if tasks else draft.id
            needs = Task(id_, draft.kind, copy).needs
            context.tasks[id_] = Task(id_, draft.kind, copy, frozenset(after - needs))
            tasks.append(Proposed(context.tasks[id_], step.raw.model))
        context.families[step.label] = tuple(part.task.id for part in tasks)
        self._parts += [*map(Proposed, draft.before), *tasks, *map(Repaired, draft.repairs)]

    def _drop(self, label: str, why: str, **args: str | float) -> None:
        self._context.families[label] = ()
        self._parts.append(Repaired(Repair(LocalizedText(why, args), dropped=True)))


def normalize_kind(name: str) -> str:
    """The name of a kind in lower case, words joined by hyphens."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _split_arguments(raw: RawTask, request: Request) -> Sequence[WrittenArgument]:
    """The arguments of a task with their pieces; each value of a list becomes an argument."""
    values = ((arg.name, value) for arg in raw.args for value in arg.values)
    split = (WrittenArgument(name, text, split_argument(text, request)) for name, text in values)
    return [argument for argument in split if argument.pieces]
