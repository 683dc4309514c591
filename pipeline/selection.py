"""Stage 2: a model for each task, and those that stand in for it."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.domain import Choice, Model, Proposed, Request, Sentence, Step, TaskKind
from pipeline.ports import Catalogue

CANDIDATES = 5
"""How many models of a kind are looked at, as in the paper (top K by downloads)."""


async def select(proposed: Proposed, request: Request, catalogue: Catalogue) -> Step:
    """A step: the task with the model the planner, the channel or the ranking picks, the next ones behind it.

    Models that this try is to avoid come last, and are not picked by name.
    """
    task = proposed.task
    candidates = _allowed(await catalogue.candidates(task.kind, limit=CANDIDATES), request)
    candidates.sort(key=lambda model: model.id in request.avoid)
    wanted = await _wanted(proposed, task.kind, request, catalogue)
    for name, reason in wanted:
        if model := next(
            (m for m in candidates if _same(m.id, name) and m.id not in request.avoid), None
        ):
            rest = tuple(other for other in candidates if other is not model)
            return Step(task, Choice(model, reason, rest))
    if not candidates:
        return Step(task, None)
    reason = Sentence("chosen-ranked" if len(candidates) > 1 else "chosen-only")
    return Step(task, Choice(candidates[0], reason, tuple(candidates[1:])))


async def _wanted(
    proposed: Proposed, kind: TaskKind, request: Request, catalogue: Catalogue
) -> list[tuple[str, Sentence]]:
    wanted = []
    if channel := request.settings.models.get(kind.name):
        wanted.append((channel, Sentence("chosen-channel")))
    if proposed.model and (known := await catalogue.find(proposed.model)):
        wanted.append((known.id, _reason(proposed)))
    return wanted


def _reason(proposed: Proposed) -> Sentence:
    if proposed.reason:
        return Sentence("chosen-because", {"reason": proposed.reason})
    return Sentence("chosen-planner")


def _allowed(candidates: Sequence[Model], request: Request) -> list[Model]:
    """The candidates at the places this channel allows, in its order of places."""
    places = request.settings.places
    if not places:
        return list(candidates)
    allowed = (
        replace(
            model,
            places=tuple(sorted((p for p in model.places if p in places), key=places.index)),
        )
        for model in candidates
    )
    return [model for model in allowed if model.places]


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()
