"""What is known of one step of a run as JSON, whole: what it was given, made and cost, and why."""

from collections.abc import Iterable, Mapping
from typing import Any

from adapters.web import shapes
from adapters.web.serialization import serialize_file, serialize_outcome
from pipeline import domain
from pipeline.domain.conversions import as_text
from pipeline.words import say, title

_MAX_TEXT = 200_000
"""Characters of each text that a step was given or made."""


def serialize_step(events: Iterable[domain.Event], step: int, locale: str) -> shapes.Step | None:
    """The step with this number as the events tell it so far; None if the plan has none."""
    plan = domain.Plan()
    choices: dict[domain.TaskId, domain.Choice] = {}
    places: dict[domain.TaskId, domain.Place] = {}
    outcomes: dict[domain.TaskId, domain.Outcome] = {}
    for event in events:
        match event:
            case domain.Planned():
                plan = event.plan
            case domain.Chose():
                choices[event.task] = event.choice
            case domain.Started():
                places[event.task] = event.place
            case domain.Finished():
                outcomes[event.task] = event.outcome
            case _:
                pass
    task = next((each for each in plan.tasks if each.id == step), None)
    if task is None:
        return None
    outcome, choice = outcomes.get(task.id), choices.get(task.id)
    done = outcome if isinstance(outcome, domain.Done) else None
    return {
        "task": task.kind.name,
        "id": task.id,
        "says": title(locale, task.kind.name),
        "dep": sorted(task.needs),
        "inputs": [
            {"name": name, "pieces": [_serialize_piece(each, outcomes) for each in pieces]}
            for name, pieces in task.args.items()
        ],
        "outputs": _serialize_slots(done.output.slots if done else {}),
        "extras": [serialize_file(file) for file in done.extras] if done else [],
        "model": _serialize_model(done.model, done.place) if done else None,
        "choice": _serialize_choice(choice, places.get(task.id), locale) if choice else None,
        "outcome": serialize_outcome(outcome, locale) if outcome else None,
    }


def _serialize_piece(piece: domain.Arg, outcomes: domain.Outcomes) -> shapes.StepValue:
    """A piece of an argument: its value, and for a result the `step` and `slot` it is from."""
    if not isinstance(piece, domain.Ref):
        return _serialize_value(piece)
    value = domain.find_slots(outcomes, piece.task).get(piece.slot)
    if value is None:
        return {"step": piece.task, "slot": piece.slot}
    return {"step": piece.task, "slot": piece.slot, **_serialize_value(value)}


def _serialize_slots(slots: Mapping[str, domain.Value]) -> list[shapes.StepOutput]:
    return [{"name": name, **_serialize_value(value)} for name, value in slots.items()]


def _serialize_value(value: Any) -> shapes.StepValue:  # noqa: ANN401 - a Value or an Arg
    """A file or a text; `cut` if the text goes on."""
    if isinstance(value, domain.Media):
        return {"file": serialize_file(value.attachment)}
    text = as_text(value)
    if len(text) > _MAX_TEXT:
        return {"text": text[:_MAX_TEXT], "cut": True}
    return {"text": text}


def _serialize_choice(
    choice: domain.Choice, place: domain.Place | None, locale: str
) -> shapes.StepChoice:
    runners_up = [_serialize_model(model, None) for model in choice.runners_up]
    return {
        **_serialize_model(choice.model, place),
        "reason": say(locale, choice.reason),
        "runners_up": runners_up,
    }


def _serialize_model(model: domain.Model, place: domain.Place | None) -> shapes.StepModel:
    """A model, with its page where it has one at this place, by default the one it prefers."""
    where = place or next(iter(model.places), None)
    page = where.find_page(model.id) if where else ""
    return {"id": model.id, "licence": model.licence, "page": page}
