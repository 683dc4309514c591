"""What a language model thinks of a plan, of the models picked for it and of the response, as the paper had it judged."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from bot.evaluation.gold import Labelled
from bot.rows import Json
from pipeline.domain import Answer, Model
from pipeline.errors import LlmGarbled
from pipeline.planning.batch import request_of
from pipeline.planning.names import TASKBENCH
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render
from pipeline.prompts.schemas import NUMBER, YES_OR_NO, closed
from pipeline.shortlist import Shelf
from pipeline.table import KINDS
from pipeline.words import say

_YES_OR_NO = ("planning_passes", "planning_rational", "selection_passes", "selection_rational")
_SUCCEEDS = "succeeds"
_TOKENS = 2000
_CANDIDATES = 5
_MOST = 100
_TRIES = 2
_WORDS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}


SCHEMA = closed(**dict.fromkeys(_YES_OR_NO, YES_OR_NO), score=NUMBER)
ANSWER_SCHEMA = closed(succeeds=YES_OR_NO)


async def judged(gold: Labelled, plan: Json, llm: Llm, shelf: Shelf) -> dict[str, float]:
    """Measure → 0 to 100, as far as the judge said. Raises LlmError."""
    expected = {"tasks": gold.nodes, "links": sorted(gold.links)}
    told = {key: plan.get(key) for key in ("task_nodes", "task_links")}
    about = {
        "Request": gold.request,
        "Plan": told,
        "Models picked, with the other candidates": await _picked(gold, plan, shelf),
        "Expected plan": expected,
    }
    return await _opinion(llm, "judge", about, SCHEMA)


async def judged_answer(gold: Labelled, answer: Answer, llm: Llm) -> dict[str, float]:
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
        f"{name}: {fenced(cut_middle(_json(value), _TOKENS))}" for name, value in about.items()
    )
    messages = (Message("system", render(prompt)), Message("user", told))
    asked = Prompt(messages, schema, max_tokens=200, purpose="judge")
    for _ in range(_TRIES):
        pieces = [piece async for piece in llm.stream(asked) if isinstance(piece, str)]
        if opinion := _read("".join(pieces)):
            return opinion
    raise LlmGarbled("judge-garbled", model=llm.name)


async def _picked(gold: Labelled, plan: Json, shelf: Shelf) -> Mapping[str, Any]:
    """The model that each kind of task would be given to, and those behind it."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    nodes = plan.get("task_nodes")
    names = {str(node["task"]) for node in nodes} if isinstance(nodes, list) else set()
    picked = {}
    for name in sorted(names):
        if kind := KINDS.get(ours.get(name, name)):
            models = await shelf.shortlist(kind, request_of(gold.request, ""), limit=_CANDIDATES)
            picked[name] = [_about(model) for model in models]
    return picked


def _about(model: Model) -> str:
    return f"{model.id}: {model.description}"[:120]


def _read(text: str) -> dict[str, float]:
    """What can be understood of an opinion, wherever it stands in the text; what cannot is left out, not guessed."""
    try:
        said = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    if not isinstance(said, dict):
        return {}
    told = {
        name.replace("_", " "): _MOST * verdict
        for name in _YES_OR_NO
        if (verdict := _verdict(said.get(name))) is not None
    }
    if (verdict := _verdict(said.get(_SUCCEEDS))) is not None:
        told["response succeeds"] = _MOST * verdict
    score = said.get("score")
    if isinstance(score, int | float) and not isinstance(score, bool) and isfinite(score):
        told["judge score"] = min(float(_MOST), max(0.0, float(score)))
    return told


def _verdict(said: object) -> float | None:
    """True or false, also as a word; None for anything else."""
    if isinstance(said, bool):
        return float(said)
    return _WORDS.get(said.strip().casefold()) if isinstance(said, str) else None


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
