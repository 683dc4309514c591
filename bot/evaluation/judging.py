"""A language model judges a plan, the models picked for it and the response, as in the paper."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

import structlog
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from bot.app import App
from bot.evaluation.rows import Json, Labelled
from pipeline.domain import Answer
from pipeline.errors import LlmError, LlmGarbled, RequestError
from pipeline.planning.batch import TASKBENCH, request_of
from pipeline.ports import Llm, Message, NoResults, Planner, Prompt, stream_text
from pipeline.prompts import cut_middle, fence, render
from pipeline.prompts.schemas import NUMBER, YES_OR_NO, strict_object
from pipeline.run import answer
from pipeline.task_kinds import KINDS
from pipeline.tools import RunJournal
from pipeline.words import say

_YES_OR_NO = ("planning_passes", "planning_rational", "selection_passes", "selection_rational")
_TOKENS = 2000
_CANDIDATES = 5
_MOST = 100
_TRIES = 2
_Score = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False),
    AfterValidator(lambda score: min(_MOST, max(0, score)) / _MOST),
]
_MEASURES: Mapping[str, tuple[str, TypeAdapter[Any]]] = {
    **{name: (name.replace("_", " "), TypeAdapter(bool)) for name in _YES_OR_NO},
    "succeeds": ("response succeeds", TypeAdapter(bool)),
    "score": ("judge score", TypeAdapter(_Score)),
}
"""Key in the judge's JSON → the measure, and what reads its value as 0 to 1."""
_SCHEMAS = {
    "judge": strict_object(**dict.fromkeys(_YES_OR_NO, YES_OR_NO), score=NUMBER),
    "judge-answer": strict_object(succeeds=YES_OR_NO),
}
"""The prompt of a question → the form of the opinion."""

log = structlog.get_logger()


class _NoJournal:
    """The journal of a run that nobody will resume."""

    async def recall(self, _run: str) -> dict[str, str]:
        return {}

    async def record(self, _run: str, _step: str, _value: str) -> None:
        return


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges plans; with `answers`, also what comes of requests that name no file."""

    app: App
    planner: Planner
    answers: bool

    async def judge(self, gold: Labelled, plan: Json) -> dict[str, float]:
        """Measure → 0 to 100; what could not be judged is left out."""
        llm = self.app.llm
        assert llm is not None
        opinion: dict[str, float] = {}
        try:
            opinion |= await _ask_judge(llm, "judge", await self._describe_plan(gold, plan))
            if self.answers and (response := await self._carry_out(gold.request)):
                opinion |= await _ask_judge(
                    llm,
                    "judge-answer",
                    {
                        "Request": gold.request,
                        "Response": response.text,
                        "Files made": [f"{x.attachment.name}: {x.alt}" for x in response.files],
                        "Said with it": [say("en", notice) for notice in response.notices],
                    },
                )
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
        """The answer to a request by its words alone; None when it needs files or has none."""
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


async def _ask_judge(llm: Llm, prompt: str, material: Mapping[str, object]) -> dict[str, float]:
    """The judge's opinion; asked once more when nothing can be read. Raises LlmError."""
    parts = [
        f"{name}: {fence(cut_middle(_to_text(part), _TOKENS))}" for name, part in material.items()
    ]
    messages = (Message("system", render(prompt)), Message("user", "\n".join(parts)))
    asked = Prompt(messages, _SCHEMAS[prompt], max_tokens=200, purpose="judge")
    for _ in range(_TRIES):
        if opinion := _read_opinion("".join([piece async for piece in stream_text(llm, asked)])):
            return opinion
    raise LlmGarbled("judge-garbled", model=llm.name)


def _read_opinion(text: str) -> dict[str, float]:
    """The opinion in a text; what cannot be read is left out, not guessed."""
    try:
        opinion = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    measures: dict[str, float] = {}
    for key, (name, adapter) in _MEASURES.items():
        with suppress(ValidationError, AttributeError):
            measures[name] = _MOST * float(adapter.validate_python(opinion.get(key)))
    return measures


def _to_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
