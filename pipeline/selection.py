"""Stage 2: a model for each task, and those that stand in for it."""

from collections.abc import Sequence

from pipeline.domain import Choice, Model, Proposed, Request, Sentence, Step
from pipeline.naming import Named, asked_for, match
from pipeline.shortlist import Shelf


async def select(proposed: Proposed, request: Request, shelf: Shelf, names: Named) -> Step:
    """A step: the task with the model the person, the channel, the planner or the ranking picks, the next ones behind it.

    Models that this try is to avoid come last, and are picked by nobody but the person.
    """
    task = proposed.task
    found = await shelf.shortlist(task.kind, request)
    found.sort(key=lambda model: model.id in request.avoid)
    if model := await asked_for(names, task.kind, request, shelf):
        return Step(task, _choice(model, Sentence("chosen-named"), found))
    if model := await _of_the_channel(proposed, request, shelf, found):
        return Step(task, _choice(model, Sentence("chosen-channel"), found))
    fresh = [model for model in found if model.id not in request.avoid]
    if proposed.model and (model := match(proposed.model, fresh)):
        return Step(task, _choice(model, _reason(proposed), found))
    if not found:
        return Step(task, None)
    reason = Sentence("chosen-ranked" if len(found) > 1 else "chosen-only")
    return Step(task, _choice(found[0], reason, found))


async def _of_the_channel(
    proposed: Proposed, request: Request, shelf: Shelf, found: Sequence[Model]
) -> Model | None:
    kind = proposed.task.kind.name
    wanted = request.settings.models.get(kind)
    if not wanted or wanted in request.avoid:
        return None
    if model := _named(wanted, found):
        return model
    known = await shelf.catalogue.find(wanted, kind=kind)
    allowed = shelf.allowed([known], request) if known else []
    return allowed[0] if allowed else None


def _named(name: str, models: Sequence[Model]) -> Model | None:
    wanted = name.casefold()
    ids = [(model, model.id.casefold()) for model in models]
    exact = (model for model, id_ in ids if id_ == wanted)
    short = (model for model, id_ in ids if id_.rpartition("/")[2] == wanted)
    return next(exact, None) or next(short, None)


def _choice(model: Model, reason: Sentence, found: Sequence[Model]) -> Choice:
    return Choice(model, reason, tuple(other for other in found if other.id != model.id))


def _reason(proposed: Proposed) -> Sentence:
    if proposed.reason:
        return Sentence("chosen-because", {"reason": proposed.reason})
    return Sentence("chosen-planner")
