"""Choose a model for a task, and its fallbacks."""

from collections.abc import Sequence

from pipeline.domain import Choice, LocalizedText, Model, Proposed, Request, Step, Task
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import find_by_id
from pipeline.selection.curated import find_order
from pipeline.selection.known_models import UNLISTED
from pipeline.selection.model_languages import knows_languages


async def select(
    proposed: Proposed, request: Request, candidates: Candidates, mentioned: Model | None = None
) -> Step:
    """Choose a model for a task, and its fallbacks.

    In order of priority: the model named in the request (`mentioned`), the channel's setting, the
    planner's pick, the ranking. Models to avoid in a retry come last, unless named in the request.
    In a rerun the person's model stands alone, and the other tasks keep theirs if they can. The
    step has no choice if nothing can run the task.
    """
    task = proposed.task
    models = await candidates.shortlist(task.kind, request, task=task)
    models.sort(key=lambda model: model.id in request.avoid)
    if request.rerun and (choice := await _choose_again(proposed, request, candidates, models)):
        return Step(task, choice)
    if mentioned is not None:
        return Step(task, _choose(mentioned, LocalizedText("chosen-named"), models))
    if preferred := await _find_channel_model(task, request, candidates):
        return Step(task, _choose(preferred, LocalizedText("chosen-channel"), models))
    not_avoided = [model for model in models if model.id not in request.avoid]
    if picked := find_by_id(proposed.model, not_avoided):
        why = {"reason": proposed.reason} if proposed.reason else {}
        reason = LocalizedText("chosen-because" if why else "chosen-planner", why)
        return Step(task, _choose(picked[0], reason, models))
    if not models:
        return Step(task, None)
    is_curated = find_order(models[0]) < UNLISTED
    ranked = LocalizedText("chosen-recommended" if is_curated else "chosen-ranked")
    reason = ranked if len(models) > 1 else LocalizedText("chosen-only")
    return Step(task, _choose(models[0], reason, models))


async def _choose_again(
    proposed: Proposed, request: Request, candidates: Candidates, models: Sequence[Model]
) -> Choice | None:
    """In a rerun: the person's model, without fallbacks, or the model of the earlier run."""
    task = proposed.task
    model = await candidates.find(proposed.model, task.kind, request)
    if model is None:
        return None
    if request.rerun and request.rerun.task == task.id:
        return Choice(model, LocalizedText("chosen-named"))
    return _choose(model, LocalizedText("chosen-before"), models)


async def _find_channel_model(task: Task, request: Request, candidates: Candidates) -> Model | None:
    """The model that the channel has set for this kind, if the rules allow it and it can do it."""
    model_id = request.settings.models.get(task.kind.name, "")
    if model_id in request.avoid:
        return None
    model = await candidates.find(model_id, task.kind, request)
    return model if model and knows_languages(model, task, request.person.locale) else None


def _choose(model: Model, reason: LocalizedText, models: Sequence[Model]) -> Choice:
    return Choice(model, reason, tuple(other for other in models if other.id != model.id))
