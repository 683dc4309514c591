"""A language model judges a plan, the models picked for it and the response, as in the paper."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.app import App
from bot.evaluation.rows import Json, Labelled
from pipeline.domain import Answer
from pipeline.errors import LlmError, LlmGarbled, RequestError
from pipeline.planning.batch import TASKBENCH, request_of
from pipeline.planning.parse import load_object
from pipeline.ports import Llm, Message, NoResults, Planner, Prompt, stream_text
from pipeline.prompts import cut_middle, fence, render
from pipeline.run import answer
from pipeline.task_kinds import KINDS
from pipeline.tools import RunJournal
from pipeline.words import say

_TOKENS = 2000
_CANDIDATES = 5

log = structlog.get_logger()


class _Opinion(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})


class _PlanOpinion(_Opinion):
    """What the judge says of a plan and of the models picked for it."""

    planning_passes: bool
    planning_rational: bool
    selection_passes: bool
    selection_rational: bool
    score: float = Field(ge=0, le=100, allow_inf_nan=False, serialization_alias="judge score")


class _AnswerOpinion(_Opinion):
    """What the judge says of a response."""

    succeeds: bool = Field(serialization_alias="response succeeds")


_FORMS: Mapping[str, type[_Opinion]] = {"judge": _PlanOpinion, "judge-answer": _AnswerOpinion}
"""Name of a prompt → form of its reply."""


class _NoJournal:
    """Keeps nothing: these runs are never resumed."""

    async def recall(self, _run: str) -> dict[str, str]:
        return {}

    async def record(self, _run: str, _step: str, _value: str) -> None:
        return


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges plans; with `answers`, also the responses to requests without files."""

    app: App
    llm: Llm
    planner: Planner
    answers: bool

    async def judge(self, gold: Labelled, plan: Json) -> dict[str, float]:
        """Measure → 0 to 100. What could not be judged is left out."""
        opinion: dict[str, float] = {}
        try:
            opinion |= await _ask_judge(self.llm, "judge", await self._describe_plan(gold, plan))
            if self.answers and (response := await self._carry_out(gold.request)):
                material = {
                    "Request": gold.request,
                    "Response": response.text,
                    "Files made": [f"{x.attachment.name}: {x.alt}" for x in response.files],
                    "Said with it": [say("en", notice) for notice in response.notices],
                }
                opinion |= await _ask_judge(self.llm, "judge-answer", material)
        except LlmError as error:
            log.warning("not judged", request=gold.id, why=str(error))
        return opinion

    async def _describe_plan(self, gold: Labelled, plan: Json) -> Mapping[str, object]:
        """The plan as the judge sees it, with the models that each kind of task would try."""
        ours = {name: kind for kind, name in TASKBENCH.items()}
        request, picked = request_of(gold.request, ""), {}
        for name in sorted({node["task"] for node in plan.get("task_nodes", ())}):
            if kind := KINDS.get(ours.get(name, name)):
                candidates = self.app.tools.candidates
                models = await candidates.shortlist(kind, request, limit=_CANDIDATES)
                picked[name] = [f"{model.id}: {model.description}"[:120] for model in models]
        return {
            "Request": gold.request,
            "Plan": {key: plan.get(key) for key in ("task_nodes", "task_links")},
            "Models picked, with the other candidates": picked,
            "Expected plan": {"tasks": gold.nodes, "links": sorted(gold.links)},
        }

    async def _carry_out(self, text: str) -> Answer | None:
        """Run a request. None if it needs files or fails."""
        request = request_of(text, "")
        if request.files:
            return None
        journal, planners = _NoJournal(), (self.planner,)
        tools = replace(self.app.tools, planners=planners, journal=journal, results=NoResults())
        run = RunJournal(request.run, journal, {})
        try:
            return await answer(request, tools, run, lambda _: None)
        except RequestError:
            return None


async def _ask_judge(llm: Llm, name: str, material: Mapping[str, object]) -> dict[str, float]:
    """Measure → 0 to 100. Raises LlmError."""
    parts = [
        f"{title}: {fence(cut_middle(json.dumps(part, ensure_ascii=False), _TOKENS))}"
        for title, part in material.items()
    ]
    form = _FORMS[name]
    messages = (Message("system", render(name)), Message("user", "\n".join(parts)))
    prompt = Prompt(messages, form.model_json_schema(), max_tokens=200)
    text = "".join([piece async for piece in stream_text(llm, prompt)])
    try:
        opinion = form.model_validate(load_object(text[text.find("{") :]))
    except ValidationError as error:
        raise LlmGarbled("judge-garbled", model=llm.name) from error
    return {
        measure: 100.0 * value if isinstance(value, bool) else value
        for measure, value in opinion.model_dump(by_alias=True).items()
    }
