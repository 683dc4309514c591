"""The paper's in-context choice, for tasks whose models did not stand in the planning prompt: one call for all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ValidationError

from pipeline.domain import Model, Proposed, Request, TaskId
from pipeline.errors import LlmError
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render
from pipeline.prompts.schemas import INTEGER, TEXT, array, closed

_REQUEST = 600
_DESCRIPTION = 120
_REASON = 120
_REPLY_TOKENS = 1024


SCHEMA = closed(choices=array(closed(id=INTEGER, model=TEXT, reason=TEXT)))


class _Choice(BaseModel):
    id: int
    model: str
    reason: str = ""


class _Choices(BaseModel):
    choices: list[_Choice]


@dataclass(frozen=True, slots=True)
class Open:
    """A task without a model, and the models there are for it."""

    part: Proposed
    models: Sequence[Model]


async def chosen(llm: Llm, request: Request, tasks: Sequence[Open]) -> Mapping[TaskId, Proposed]:
    """Each task with the model that was picked; those for which none was picked are left out, and so are all when nothing can be read."""
    try:
        pieces = [piece async for piece in llm.stream(_prompt(request, tasks))]
        text = "".join(piece for piece in pieces if isinstance(piece, str))
        said = _Choices.model_validate_json(text[text.find("{") : text.rfind("}") + 1])
    except (LlmError, ValidationError):
        return {}
    by_task = {choice.id: choice for choice in said.choices}
    picked: dict[TaskId, Proposed] = {}
    for one in tasks:
        task = one.part.task
        choice = by_task.get(task.id)
        if choice and choice.model in {model.id for model in one.models}:
            picked[task.id] = Proposed(task, choice.model, choice.reason[:_REASON])
    return picked


def _prompt(request: Request, tasks: Sequence[Open]) -> Prompt:
    rows = [_told(one) for one in tasks]
    asked = "\n".join((f"Request: {fenced(cut_middle(request.text, _REQUEST))}", *rows))
    messages = (Message("system", render("choose")), Message("user", asked))
    return Prompt(messages, SCHEMA, max_tokens=_REPLY_TOKENS, purpose="choose")


def _told(one: Open) -> str:
    task = one.part.task
    lines = (f"{model.id}: {_about(model)}" for model in one.models)
    return f"Task {task.id}, {task.kind.name} ({task.kind.says}): {fenced(chr(10).join(lines))}"


def _about(model: Model) -> str:
    facts = (" ".join(model.description.split())[:_DESCRIPTION], model.licence)
    return "; ".join(fact for fact in facts if fact)
