"""A language model judges plans, choices of models and responses, as in the paper (§4)."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from adapters.web.serialization import serialize_outcome, serialize_plan
from bot.app import App
from bot.endpoints import read_endpoint
from bot.settings import Settings
from evaluation.batch import require_llm
from evaluation.trials import Trial
from pipeline.domain import Blob, Model, NamedFile, Outcome
from pipeline.errors import LlmError, LlmGarbled
from pipeline.pictures import LoadPictures, load_no_pictures
from pipeline.ports import Llm, Message, Prompt, stream_text
from pipeline.prompts import cut_middle, fence, render
from pipeline.text.lenient_json import load_object
from pipeline.words import say

_TOKENS = 2000
"""Of each part of the material."""
_REPLY_TOKENS = 400
_DESCRIPTION = 120
MEASURES: Mapping[str, str] = {
    "planning passes": "measured",
    "planning rational": "judge",
    "kinds as expected": "measured",
    "selection passes": "measured",
    "selection rational": "judge",
    "response succeeds": "judge",
    "completed": "measured",
}
"""Measure → who says it, by stage."""
Material = Mapping[str, object]
"""Title → anything that becomes JSON."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class JudgedTrial:
    """A message carried out, its measures, and what the judge says of it."""

    trial: Trial
    marks: Mapping[str, bool]
    """Measure → whether it holds. What could not be judged is left out."""
    score: float | None = None
    """The judge's score of the plan, from 0 to 100."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """"plan" and "response" → why the judge says so."""


@dataclass(slots=True)
class Judgement:
    """What the judge says of a plan and of the response; see `JudgedTrial`."""

    marks: dict[str, bool] = field(default_factory=dict)
    score: float | None = None
    reasons: dict[str, str] = field(default_factory=dict)


async def judge_trial(
    trial: Trial,
    earlier: Sequence[Trial],
    contents: Mapping[str, str],
    llm: Llm | None,
    load_pictures: LoadPictures,
) -> JudgedTrial:
    """Measure a trial and judge it, if there is a judge. `contents`: what the files show."""
    judged = Judgement()
    if llm:
        plan = describe_plan(trial, earlier, contents)
        answer = describe_answer(trial, earlier, contents)
        inputs = (media.attachment for media in trial.planned.plan.files)
        files = (*(file.attachment for file in trial.files), *inputs)
        named = [NamedFile(file.name, file) for file in files]
        judged = await ask_judge(llm, trial.request, plan, answer, named, load_pictures)
        if not trial.choices:
            judged.marks.pop("selection rational", None)
    return JudgedTrial(trial, {**trial.measure(), **judged.marks}, judged.score, judged.reasons)


async def ask_judge(
    llm: Llm,
    request: object,
    plan: Material,
    answer: Material | None,
    files: Sequence[NamedFile] = (),
    load_pictures: LoadPictures = load_no_pictures,
) -> Judgement:
    """Judge a plan, and the response if there is one.

    `request`: its id, for the log. A judge that sees images gets the pictures among the files.
    """
    judged = Judgement()
    try:
        planned = await _ask(llm, "judge", plan, PlanOpinion)
        judged.marks["planning rational"] = planned.planning_rational
        judged.marks["selection rational"] = planned.selection_rational
        judged.score, judged.reasons["plan"] = planned.score, planned.reason
        if answer is not None:
            pictures = await load_pictures(files) if llm.sees_images else ()
            if pictures:
                names = [picture.name for picture in pictures]
                answer = {**answer, "Pictures, in their order": names}
            answered = await _ask(llm, "judge-answer", answer, AnswerOpinion, tuple(pictures))
            judged.marks["response succeeds"] = answered.succeeds
            judged.reasons["response"] = answered.reason
    except LlmError as error:
        log.warning("not judged", request=request, why=str(error))
    return judged


class Opinion(BaseModel):
    """What the judge says. `reason` comes first, so that the judge thinks before it decides."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    reason: str


class PlanOpinion(Opinion):
    """What the judge says of a plan and of the models chosen for it."""

    planning_rational: bool
    selection_rational: bool
    score: float = Field(ge=0, le=100, allow_inf_nan=False)


class AnswerOpinion(Opinion):
    """What the judge says of a response."""

    succeeds: bool


_Form = TypeVar("_Form", bound=Opinion)


async def find_judge(settings: Settings, stack: AsyncExitStack, app: App) -> Llm:
    """TROUPE_JUDGE_MODEL, else the controller. Raises SettingsError if there is neither."""
    if not settings.troupe_judge_model or not (settings.openai or settings.hf_token):
        return require_llm(app.llm)
    from adapters.openai.llm import OpenAiLlm  # noqa: PLC0415 - only if it is configured
    from adapters.openai.server import open_server  # noqa: PLC0415 - only if it is configured

    own = {"troupe_model": settings.troupe_judge_model, "troupe_llm_context": 0}
    endpoint = read_endpoint(settings.model_copy(update=own))
    return OpenAiLlm(await stack.enter_async_context(open_server(endpoint)))


async def _ask(
    llm: Llm, name: str, material: Material, form: type[_Form], images: tuple[Blob, ...] = ()
) -> _Form:
    parts = [
        f"{title}: {fence(cut_middle(json.dumps(part, ensure_ascii=False), _TOKENS))}"
        for title, part in material.items()
    ]
    messages = (Message("system", render(name)), Message("user", "\n".join(parts), images))
    schema = form.model_json_schema()
    prompt = Prompt(messages, schema=schema, max_tokens=_REPLY_TOKENS, temperature=0.0)
    text = "".join([piece async for piece in stream_text(llm, prompt)])
    try:
        return form.model_validate(load_object(text[text.find("{") :]))
    except ValidationError as error:
        raise LlmGarbled("judge-garbled", model=llm.name) from error


def describe_plan(trial: Trial, earlier: Sequence[Trial], contents: Mapping[str, str]) -> Material:
    """What the judge gets to see of a plan. `contents`: what the files show."""
    tasks, choices = trial.planned.plan.tasks, trial.choices
    reply = {} if tasks or trial.answer is None else {"Reply instead of a plan": trial.answer.text}
    return {
        **_describe_request(trial, earlier, contents),
        "Plan": serialize_plan(trial.planned, "en")["tasks"],
        **reply,
        "Models chosen, with the other candidates": {
            task.id: {
                "chosen": _describe_model(choices[task.id].model),
                "others": [*map(_describe_model, choices[task.id].runners_up)],
            }
            for task in tasks
            if task.id in choices
        },
        "Expected: the tasks of one of these lists": trial.turn.kinds,
    }


def describe_answer(
    trial: Trial, earlier: Sequence[Trial], contents: Mapping[str, str]
) -> Material:
    """What the judge gets to see of a response, beside the pictures."""
    answer = trial.answer
    return {
        **_describe_request(trial, earlier, contents),
        "Results of the tasks": {
            f"{task.id} {task.kind.name}": _describe_outcome(trial.outcomes[task.id])
            for task in trial.planned.plan.tasks
            if task.id in trial.outcomes
        },
        "Response": answer.text if answer else "",
        "Files made": [f"{file.attachment.name}: {file.alt}" for file in trial.files],
        "Said with it": [say("en", notice) for notice in answer.notices] if answer else [],
    }


def _describe_request(
    trial: Trial, earlier: Sequence[Trial], contents: Mapping[str, str]
) -> Material:
    before = [
        {
            **_describe_message(each, contents),
            "Response": each.answer.text if each.answer else "",
            "Files made": [f"{file.attachment.name}: {file.alt}" for file in each.files],
        }
        for each in earlier
    ]
    context = {"Earlier in the conversation": before} if before else {}
    return {**context, **_describe_message(trial, contents)}


def _describe_message(trial: Trial, contents: Mapping[str, str]) -> Material:
    files = {name: contents.get(name, "") for name in trial.turn.files}
    return {"Request": trial.turn.text, "Files sent": files}


def _describe_model(model: Model) -> str:
    return f"{model.id}: {model.description[:_DESCRIPTION]}"


def _describe_outcome(outcome: Outcome) -> Material:
    shown: Material = {**serialize_outcome(outcome, "en")}
    return {name: shown[name] for name in ("state", "output", "note", "reason") if name in shown}
