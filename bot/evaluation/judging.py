"""A language model judges a plan, the models picked for it and the response, as in the paper."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from bot.app import App
from bot.evaluation.rows import Json, Labelled
from pipeline.domain import Answer, Media, PlanPart, Proposed, Request
from pipeline.errors import LlmGarbled, RequestError
from pipeline.planning.batch import TASKBENCH, request_of
from pipeline.ports import Llm, Message, NoResults, Prompt
from pipeline.prompts import cut_middle, fence, render
from pipeline.prompts.schemas import NUMBER, YES_OR_NO, strict_object
from pipeline.run import answer
from pipeline.selection import Candidates
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
_PLAN_SCHEMA = strict_object(**dict.fromkeys(_YES_OR_NO, YES_OR_NO), score=NUMBER)
_ANSWER_SCHEMA = strict_object(succeeds=YES_OR_NO)


@dataclass(frozen=True, slots=True)
class _KnownPlan:
    """A planner that was asked already."""

    parts: tuple[PlanPart, ...]
    name: str = "known"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:  # noqa: ARG002 - the port's
        for part in self.parts:
            yield part


class _NoJournal:
    """The journal of a run that nobody will resume."""

    async def recall(self, _run: str) -> dict[str, str]:
        return {}

    async def record(self, _run: str, _step: str, _value: str) -> None:
        return


async def answer_without_files(text: str, planner_at: int, app: App) -> Answer | None:
    """Carry out a request by its words alone. None when it needs files or has no answer.

    `planner_at` is the place of the planner among those of the app.
    """
    request = request_of(text, "")
    try:
        parts = tuple([part async for part in app.tools.planners[planner_at].plan(request)])
        if request.files or any(_takes_file(part) for part in parts):
            return None
        journal, planners = _NoJournal(), (_KnownPlan(parts),)
        tools = replace(app.tools, planners=planners, journal=journal, results=NoResults())
        return await answer(request, tools, RunJournal(request.run, journal, {}), lambda _: None)
    except RequestError:
        return None


def _takes_file(part: PlanPart) -> bool:
    return isinstance(part, Proposed) and any(
        isinstance(arg, Media) for args in part.task.args.values() for arg in args
    )


async def judge_plan(
    gold: Labelled, plan: Json, llm: Llm, candidates: Candidates
) -> dict[str, float]:
    """Measure → 0 to 100, as far as the judge said. Raises LlmError."""
    about = {
        "Request": gold.request,
        "Plan": {key: plan.get(key) for key in ("task_nodes", "task_links")},
        "Models picked, with the other candidates": await _pick_models(gold, plan, candidates),
        "Expected plan": {"tasks": gold.nodes, "links": sorted(gold.links)},
    }
    return await _ask_judge(llm, "judge", about, _PLAN_SCHEMA)


async def judge_answer(gold: Labelled, answer: Answer, llm: Llm) -> dict[str, float]:
    """Whether the response does what was asked, 0 or 100. Raises LlmError."""
    about = {
        "Request": gold.request,
        "Response": answer.text,
        "Files made": [f"{file.attachment.name}: {file.alt}" for file in answer.files],
        "Said with it": [say("en", notice) for notice in answer.notices],
    }
    return await _ask_judge(llm, "judge-answer", about, _ANSWER_SCHEMA)


async def _ask_judge(
    llm: Llm, prompt: str, about: Mapping[str, object], schema: Mapping[str, Any]
) -> dict[str, float]:
    """The judge's opinion; asked once more when nothing can be read."""
    material = "\n".join(
        f"{name}: {fence(cut_middle(_to_text(value), _TOKENS))}" for name, value in about.items()
    )
    messages = (Message("system", render(prompt)), Message("user", material))
    asked = Prompt(messages, schema, max_tokens=200, purpose="judge")
    for _ in range(_TRIES):
        pieces = [piece async for piece in llm.stream(asked) if isinstance(piece, str)]
        if opinion := _read_opinion("".join(pieces)):
            return opinion
    raise LlmGarbled("judge-garbled", model=llm.name)


async def _pick_models(
    gold: Labelled, plan: Json, candidates: Candidates
) -> Mapping[str, list[str]]:
    """The model that each kind of task would be given to, and those behind it."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    picked = {}
    for name in sorted({node["task"] for node in plan.get("task_nodes", ())}):
        if kind := KINDS.get(ours.get(name, name)):
            request = request_of(gold.request, "")
            models = await candidates.shortlist(kind, request, limit=_CANDIDATES)
            picked[name] = [f"{model.id}: {model.description}"[:120] for model in models]
    return picked


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
