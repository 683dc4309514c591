"""What came out of a run, as data for a language model: structured, and cut to what an answer needs."""

import json
from collections.abc import Mapping
from typing import Any

from pipeline.conversions import as_text
from pipeline.domain import (
    Arg,
    Boxes,
    Done,
    Failed,
    FileHash,
    Labels,
    Media,
    Number,
    Outcome,
    Outcomes,
    Plan,
    Ref,
    Request,
    Skipped,
    Spans,
    Stopped,
    Task,
    Text,
    Value,
)
from pipeline.prompts import cut_middle
from pipeline.response.telling import main_value, sureness
from pipeline.words import say

Names = Mapping[FileHash, str]

_TOP = 5
_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Ends of lines that JSON leaves as they are."""
_ARG_TOKENS = 40


def evidence(request: Request, plan: Plan, outcomes: Outcomes, *, tokens: int) -> str:
    """One line of JSON for each task: what it was, which model did it where, what came out. `tokens` for each long text."""
    names = {file.attachment.hash: file.name for file in (*request.context.files, *request.files)}
    return "\n".join(
        json.dumps(
            {
                "id": task.id,
                "task": task.kind.name,
                "args": {name: _args(args, names) for name, args in task.args.items()},
                **_outcome(outcomes.get(task.id), plan, tokens),
                **_sure(task, outcomes),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        ).translate(_ENDS)
        for task in plan.tasks
    )


def _args(args: tuple[Arg, ...], names: Names) -> str:
    return " ".join(_arg(arg, names) for arg in args)


def _arg(arg: Arg, names: Names) -> str:
    match arg:
        case Ref(task, slot):
            return f"<{slot} of {task}>"
        case Media(attachment):
            return names.get(attachment.hash, attachment.type.value)
        case Text(text):
            return cut_middle(text, _ARG_TOKENS)
        case Number(value):
            return f"{value:g}"


def _outcome(outcome: Outcome | None, plan: Plan, tokens: int) -> dict[str, Any]:
    match outcome:
        case Done():
            made = {name: found(value, tokens) for name, value in outcome.output.slots.items()}
            note = {"note": outcome.output.note} if outcome.output.note else {}
            return {"model": outcome.model.id, "place": outcome.place.value, "made": made, **note}
        case Failed(reason):
            return {"failed": say("en", reason)}
        case Skipped(because_of):
            return {"skipped": f"needs task {because_of} ({_kind(plan, because_of)})"}
        case Stopped():
            return {"stopped": True}
        case None:
            return {"skipped": "never begun"}


def _sure(task: Task, outcomes: Outcomes) -> dict[str, str]:
    """How sure the expert is, in the words in which it is to be said."""
    value = main_value(task, outcomes)
    sure = sureness(task, value) if value else None
    return {"sure": sure.value} if sure else {}


def _kind(plan: Plan, wanted: int) -> str:
    return next((task.kind.name for task in plan.tasks if task.id == wanted), "")


def found(value: Value, tokens: int) -> Any:  # noqa: ANN401 - JSON
    """One output as JSON: the best few of many, numbers as they are."""
    match value:
        case Text(text, score):
            words = cut_middle(text, tokens)
            return words if score is None else {"text": words, "score": round(score, 3)}
        case Labels(items):
            return [[item.label, round(item.score, 3)] for item in items[:_TOP]]
        case Boxes():
            return _boxes(value)
        case Spans(items):
            return [[item.text, item.label, round(item.score, 3)] for item in items[: 4 * _TOP]]
        case Media(attachment):
            return f"a file ({attachment.type.value}), shown with the answer"
        case _:
            return as_text(value)


def _boxes(boxes: Boxes) -> dict[str, Any]:
    """How many of what, and the best few with their places."""
    best = [
        {"label": b.label, "score": round(b.score, 3), "box": [b.xmin, b.ymin, b.xmax, b.ymax]}
        for b in sorted(boxes.items, key=lambda box: -box.score)[:_TOP]
    ]
    return {"count": len(boxes.items), "all": as_text(boxes), "best": best}
