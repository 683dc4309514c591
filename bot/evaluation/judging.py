"""A language model judges a plan, the models picked for it and the response, as in the paper."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from bot.app import App
from bot.evaluation.rows import Json, Labelled
from pipeline.domain import Answer, Event, Media, Model, PlanPart, Proposed, Request
from pipeline.errors import LlmGarbled, RequestError
from pipeline.planning.batch import TASKBENCH, request_of
from pipeline.ports import Llm, Message, NoResults, Planner, Prompt
from pipeline.prompts import cut_middle, fence, render
from pipeline.prompts.schemas import NUMBER, YES_OR_NO, strict_object
from pipeline.run import answer
from pipeline.selection import Candidates
from pipeline.task_kinds import KINDS
from pipeline.tools import RunJournal
from pipeline.words import say


@dataclass
class OnePlan:
    """Plans a request once, however often it is asked."""

    planner: Planner
    parts: tuple[PlanPart, ...] | None = None

    @property
    def name(self) -> str:
        return self.planner.name

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        if self.parts is None:
            self.parts = tuple([part async for part in self.planner.plan(request)])
        for part in self.parts:
            yield part


async def answer_by_words(text: str, planner: Planner, app: App) -> Answer | None:
    """The answer to a request by its words alone; None where it needs files or has no answer."""
    request = request_of(text, "")
    once = OnePlan(planner)
    try:
        parts = [part async for part in once.plan(request)]
        if request.files or any(_takes_file(part) for part in parts):
            return None
        tools = replace(app.tools, planners=(once,), journal=_FORGETFUL, results=NoResults())
        memory = RunJournal(request.run, _FORGETFUL, {})
        return await answer(request, tools, memory, _unheard)
    except RequestError:
        return None


def _takes_file(part: PlanPart) -> bool:
    return isinstance(part, Proposed) and any(
        isinstance(arg, Media) for args in part.task.args.values() for arg in args
    )


class _Forgetful:
    """A journal of what need not outlast the evaluation."""

    async def recall(self, _run: str) -> dict[str, str]:
        return {}

    async def record(self, _run: str, _step: str, _value: str) -> None:
        return


_FORGETFUL = _Forgetful()


def _unheard(_event: Event) -> None:
    """Nobody watches."""


_YES_OR_NO = ("planning_passes", "planning_rational", "selection_passes", "selection_rational")
_TOKENS = 2000
_CANDIDATES = 5
_MOST = 100
_TRIES = 2
_Score = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False),
    AfterValidator(lambda score: min(_MOST, max(0, score))),
]
_MEASURES: Mapping[str, tuple[str, Any]] = {
    **{name: (name.replace("_", " "), bool) for name in _YES_OR_NO},
    "succeeds": ("response succeeds", bool),
    "score": ("judge score", _Score),
}
"""Key in the judge's JSON → the measure, and what it is read as ("yes" is true)."""


SCHEMA = strict_object(**dict.fromkeys(_YES_OR_NO, YES_OR_NO), score=NUMBER)
ANSWER_SCHEMA = strict_object(succeeds=YES_OR_NO)


async def judge_plan(gold: Labelled, plan: Json, llm: Llm, shelf: Candidates) -> dict[str, float]:
    """Measure → 0 to 100, as far as the judge said. Raises LlmError."""
    expected = {"tasks": gold.nodes, "links": sorted(gold.links)}
    about = {
        "Request": gold.request,
        "Plan": {key: plan.get(key) for key in ("task_nodes", "task_links")},
        "Models picked, with the other candidates": await _picked(gold, plan, shelf),
        "Expected plan": expected,
    }
    return await _opinion(llm, "judge", about, SCHEMA)


async def judge_answer(gold: Labelled, answer: Answer, llm: Llm) -> dict[str, float]:
    """Whether the response does what was asked, 0 or 100. Raises LlmError."""
    about = {
        "Request": gold.request,
        "Response": answer.text,
        "Files made": [f"{file.attachment.name}: {file.alt}" for file in answer.files],
        "Said with it": [say("en", notice) for notice in answer.notices],
    }
    return await _opinion(llm, "judge-answer", about, ANSWER_SCHEMA)


async def _opinion(
    llm: Llm, prompt: str, about: Mapping[str, object], schema: Mapping[str, Any]
) -> dict[str, float]:
    """What the judge says; asked once more where nothing can be read."""
    told = "\n".join(
        f"{name}: {fence(cut_middle(_json(value), _TOKENS))}" for name, value in about.items()
    )
    messages = (Message("system", render(prompt)), Message("user", told))
    asked = Prompt(messages, schema, max_tokens=200, purpose="judge")
    for _ in range(_TRIES):
        pieces = [piece async for piece in llm.stream(asked) if isinstance(piece, str)]
        if opinion := _read("".join(pieces)):
            return opinion
    raise LlmGarbled("judge-garbled", model=llm.name)


async def _picked(gold: Labelled, plan: Json, shelf: Candidates) -> Mapping[str, Any]:
    """The model that each kind of task would be given to, and those behind it."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    names = {node["task"] for node in plan.get("task_nodes", ())}
    picked = {}
    for name in sorted(names):
        if kind := KINDS.get(ours.get(name, name)):
            models = await shelf.shortlist(kind, request_of(gold.request, ""), limit=_CANDIDATES)
            picked[name] = [_about(model) for model in models]
    return picked


def _about(model: Model) -> str:
    return f"{model.id}: {model.description}"[:120]


def _read(text: str) -> dict[str, float]:
    """The opinion in a text; what cannot be read is left out, not guessed."""
    try:
        opinion = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    measures: dict[str, float] = {}
    for key, (name, type_) in _MEASURES.items():
        with suppress(ValidationError, AttributeError):
            measures[name] = float(TypeAdapter(type_).validate_python(opinion.get(key)))
    return {
        name: value if name == "judge score" else _MOST * value for name, value in measures.items()
    }


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
