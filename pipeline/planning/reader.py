"""Takes tasks as written, one after the other, and yields them as typed tasks with what was changed: no guess unseen."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.domain import (
    Arg,
    Media,
    PlanPart,
    Repair,
    Repaired,
    Request,
    Sentence,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Type,
)
from pipeline.planning.filling import compares, filled, missing, second_sentence
from pipeline.planning.fitting import takes
from pipeline.planning.ground import Draft, Ground
from pipeline.planning.mentions import Mention, pieces_of
from pipeline.planning.names import TASKBENCH, kind_named, meant, plain
from pipeline.planning.numbering import mentioned
from pipeline.planning.resolving import resolved
from pipeline.planning.rough import Rough, as_words
from pipeline.planning.siblings import siblings
from pipeline.planning.slots import Group, assign, material
from pipeline.planning.unfolding import Args, unfolded

MOST_TASKS = 64


class Reader:
    """Reads one plan. A task is understood as soon as all that it names are; the rest is settled at the end.

    The same tasks in the same order give the same parts, whether they come at once or while they are written.
    """

    def __init__(self, request: Request, kinds: Mapping[str, TaskKind]) -> None:
        self._ground = Ground(request, kinds)
        self._waiting: list[Rough] = []
        self._beyond = 0
        self._ending = False

    def take(self, rough: Rough) -> list[PlanPart]:
        """What is known now that this task is there too."""
        if self._ground.settled(rough.label) or any(
            rough.label == other.label for other in self._waiting
        ):
            rough = replace(rough, label=f"{rough.label}@{rough.position}")
        if self._open(rough):
            self._waiting.append(rough)
            return []
        return [*self._settle(rough), *self._catch_up()]

    def finish(self) -> list[PlanPart]:
        """What remains: references to nothing, and circles, which are cut where the first of them begins."""
        self._ending = True
        parts = self._catch_up()
        while self._waiting:
            begins = next((rough for rough in self._waiting if not self._named(rough)), None)
            parts += self._settle_waiting(begins or self._waiting[0])
            parts += self._catch_up()
        if self._beyond:
            told = {"count": self._beyond, "most": MOST_TASKS}
            parts.append(Repaired(Repair(Sentence("plan-too-long", told), dropped=True)))
        return parts

    def _unsettled(self, labels: Iterable[str], rough: Rough) -> set[str]:
        """Which of the labels a task still has to wait for; at the end, those of tasks that are really there."""
        there = {other.label for other in self._waiting} if self._ending else None
        return {
            label
            for label in labels
            if label != rough.label
            and not self._ground.settled(label)
            and (there is None or label in there)
        }

    def _named(self, rough: Rough) -> set[str]:
        return self._unsettled(mentioned(rough, self._ground.request), rough)

    def _open(self, rough: Rough) -> set[str]:
        """The labels that have to be settled before this task can be understood."""
        return self._named(rough) | self._unsettled(rough.deps, rough)

    def _settle_waiting(self, rough: Rough) -> list[PlanPart]:
        self._waiting.remove(rough)
        return self._settle(rough)

    def _catch_up(self) -> list[PlanPart]:
        parts: list[PlanPart] = []
        while ready := next((rough for rough in self._waiting if not self._open(rough)), None):
            parts += self._settle_waiting(ready)
        return parts

    def _settle(self, rough: Rough) -> list[PlanPart]:
        if len(self._ground.tasks) >= MOST_TASKS:
            self._ground.gone.add(rough.label)
            self._beyond += 1
            return []
        kind = kind_named(rough.name, self._ground.kinds)
        if kind is None:
            return self._drop(rough, "plan-unknown-task", name=rough.name[:60])
        if set(mentioned(rough, self._ground.request)) & self._ground.gone:
            return self._drop(rough, "plan-needs-dropped", kind=kind.name)
        draft = Draft(kind, self._ground.own_id(rough.label, rough.position))
        if plain(rough.name) not in (kind.name, plain(TASKBENCH.get(kind.name, ""))):
            draft.tell("plan-renamed", name=rough.name[:60])
        args = self._args(rough, draft)
        if instead := self._meant(rough, draft, args):
            return self._stand(replace(rough, model=""), *instead)
        if lacking := missing(Task(draft.id, kind, args)):
            return self._drop(rough, "plan-missing", kind=kind.name, slot=lacking.name)
        return self._stand(rough, draft, args)

    def _meant(self, rough: Rough, draft: Draft, args: Args) -> tuple[Draft, Args] | None:
        """The same as a kind that takes what this one is given and cannot take; None where there is none that loses nothing."""
        ground, kind = self._ground, draft.kind
        misfits = [type_ for type_ in draft.misfits if not takes(kind, type_)]
        if missing(Task(draft.id, kind, args)):
            misfits += _given(rough, ground)
        for name in siblings(
            (meant(rough.name), kind.name), misfits, ground.request.text, _said(rough, ground)
        ):
            other = kind_named(name, ground.kinds)
            if other is None or other == kind:
                continue
            instead = Draft(other, draft.id)
            instead.tell("plan-kind-by-type", source=kind.name)
            taken = self._args(rough, instead)
            if not (instead.misfits or instead.lost or missing(Task(draft.id, other, taken))):
                ground.reserved -= {task.id for task in draft.before}
                return instead, taken
        return None

    def _args(self, rough: Rough, draft: Draft) -> Args:
        ground, kind = self._ground, draft.kind
        groups = material(kind, _groups(rough, ground.request), ground.offers)
        assigned, rest = assign(kind, groups, ground.offers)
        args: dict[str, tuple[Arg, ...]] = {}
        for slot in kind.takes:
            found = resolved(assigned.get(slot.name, ()), slot, ground, draft)
            if found:
                args[slot.name] = found
        for group in rest:
            draft.tell("plan-extra", extra=_told(group))
        deps = [id_ for dep in rough.deps for id_ in ground.families.get(dep, ())]
        for slot in kind.takes:
            if slot.required and slot.name not in args:
                args[slot.name] = filled(slot, deps, ground, draft)
            self._compare(slot, args, draft)
        written = {name: groups.index(found[0]) for name, found in assigned.items()}
        order = sorted(args, key=lambda name: written.get(name, len(groups)))
        return {name: args[name] for name in order if args[name]}

    def _compare(self, slot: Slot, args: dict[str, tuple[Arg, ...]], draft: Draft) -> None:
        given = args.get(slot.name, ())
        if compares(slot) and len(given) == 1:
            other = second_sentence(slot, given, self._ground, draft)
            args[slot.name] = (*given, *((other,) if other else ()))

    def _stand(self, rough: Rough, draft: Draft, args: Args) -> list[PlanPart]:
        ground = self._ground
        each = unfolded(draft.kind, args, ground, draft)
        ids = [draft.id, *(ground.fresh_id() for _ in each[1:])]
        after = self._after(rough, draft)
        tasks = [
            Task(
                id_,
                draft.kind,
                given,
                after - {ref.task for ref in Task(id_, draft.kind, given).refs},
            )
            for id_, given in zip(ids, each, strict=True)
        ]
        for task in (*draft.before, *tasks):
            ground.tasks[task.id] = task
        ground.families[rough.label] = tuple(ids)
        return [*draft.parts(rough.model, rough.reason, tasks)]

    def _after(self, rough: Rough, draft: Draft) -> frozenset[TaskId]:
        """Prerequisites that no reference says."""
        families = self._ground.families
        unknown = [dep for dep in rough.deps if dep not in families]
        if unknown:
            draft.tell("plan-order-dropped")
        after = {id_ for dep in rough.deps for id_ in families.get(dep, ())}
        return frozenset(after - draft.used)

    def _drop(self, rough: Rough, why: str, **args: str | float) -> list[PlanPart]:
        self._ground.gone.add(rough.label)
        return [Repaired(Repair(Sentence(why, args), dropped=True))]


def _groups(rough: Rough, request: Request) -> list[Group]:
    """The arguments of a task, each with the pieces it holds; values of a list stay apart."""
    groups = []
    for name, value in rough.args:
        for item in value if isinstance(value, list) else (value,):
            pieces = pieces_of(as_words(item), request)
            if pieces:
                groups.append(Group(name, pieces))
    return groups


def _given(rough: Rough, ground: Ground) -> list[Type]:
    """The types of the files and the other tasks' outputs that a task is given, as written."""
    types: list[Type] = []
    for piece in (piece for group in _groups(rough, ground.request) for piece in group.pieces):
        match piece:
            case Media(attachment):
                types.append(attachment.type)
            case Mention():
                types += ground.offers(piece)
            case str():
                pass
    return types + [type_ for dep in rough.deps for type_ in ground.offers(Mention(dep))]


def _said(rough: Rough, ground: Ground) -> str:
    """The words that a task is given, without the names of files and steps."""
    pieces = (piece for group in _groups(rough, ground.request) for piece in group.pieces)
    return " ".join(piece for piece in pieces if isinstance(piece, str))


def _told(group: Group) -> str:
    """What stood in an argument, short enough to be told."""
    words = (
        piece
        if isinstance(piece, str)
        else piece.label
        if isinstance(piece, Mention)
        else piece.attachment.name
        for piece in group.pieces
    )
    return " ".join(words)[:60]
