"""What a language model thinks of a plan and of the models picked for it, as the paper had it judged."""

import json
from collections.abc import Mapping
from typing import Any

from bot.evaluation.gold import Labelled
from bot.rows import Json
from pipeline.domain import Model
from pipeline.errors import LlmGarbled
from pipeline.planning.batch import request_of
from pipeline.planning.names import TASKBENCH
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render
from pipeline.shortlist import Shelf
from pipeline.table import KINDS

_YES_OR_NO = ("planning_passes", "planning_rational", "selection_passes", "selection_rational")
_TOKENS = 2000
_CANDIDATES = 5
_MOST = 100
SCHEMA = {
    "type": "object",
    "properties": {
        **{name: {"type": "boolean"} for name in _YES_OR_NO},
        "score": {"type": "number"},
    },
    "required": [*_YES_OR_NO, "score"],
    "additionalProperties": False,
}


async def judged(gold: Labelled, plan: Json, llm: Llm, shelf: Shelf) -> dict[str, float]:
    """Measure → 0 to 100. Raises LlmError."""
    expected = {"tasks": gold.nodes, "links": sorted(gold.links)}
    told = {key: plan.get(key) for key in ("task_nodes", "task_links")}
    about = "\n".join(
        f"{name}: {fenced(cut_middle(_json(value), _TOKENS))}"
        for name, value in (
            ("Request", gold.request),
            ("Plan", told),
            ("Models picked, with the other candidates", await _picked(gold, plan, shelf)),
            ("Expected plan", expected),
        )
    )
    messages = (Message("system", render("judge")), Message("user", about))
    prompt = Prompt(messages, SCHEMA, max_tokens=200, purpose="judge")
    pieces = [piece async for piece in llm.stream(prompt) if isinstance(piece, str)]
    return _read("".join(pieces), llm.name)


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


def _read(text: str, name: str) -> dict[str, float]:
    try:
        said = json.loads(text)
        told = {key.replace("_", " "): _MOST * float(bool(said[key])) for key in _YES_OR_NO}
        return {**told, "judge score": min(float(_MOST), max(0.0, float(said["score"])))}
    except (ValueError, KeyError, TypeError) as error:
        raise LlmGarbled("judge-garbled", model=name) from error


def _json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
