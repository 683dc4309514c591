"""The results of a plan as data for a language model, one line of JSON for each task."""

import json
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

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
    Stopped,
    Text,
    Value,
)
from pipeline.domain.conversions import as_text
from pipeline.prompts import cut_middle
from pipeline.words import say

_TOP = 5
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Line ends that JSON does not escape."""
_ARG_TOKENS = 40


def format_evidence(request: Request, plan: Plan, outcomes: Outcomes, *, most: int) -> str:
    """The tasks with their outcomes, one line of JSON each; texts are cut to `most` tokens."""
    names = {file.attachment.hash: file.name for file in request.known_files}
    return "\n".join(
        json.dumps(
            {
                "id": task.id,
                "task": task.kind.name,
                "args": {
                    name: " ".join(_format_arg(arg, names) for arg in args)
                    for name, args in task.args.items()
                },
                **_format_outcome(outcomes.get(task.id), plan, most),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        ).translate(_LINE_ENDS)
        for task in plan.tasks
    )


def _format_arg(arg: Arg, names: Mapping[FileHash, str]) -> str:
    match arg:
        case Ref(task, slot):
            return f"<{slot} of {task}>"
        case Media(attachment):
            return names.get(attachment.hash, attachment.type.value)
        case Text(text):
            return cut_middle(text, _ARG_TOKENS)
        case Number(value):
            return f"{value:g}"


def _format_outcome(outcome: Outcome | None, plan: Plan, most: int) -> dict[str, Any]:
    match outcome:
        case Done(output, model=model, place=place):
            slots = {name: _format_value(value, most) for name, value in output.slots.items()}
            unused = ", ".join(output.unused)
            all_remarks = {
                "source": output.source,
                "note": output.note,
                "unused": unused,
                "unfinished": output.is_unfinished,
            }
            remarks = {name: remark for name, remark in all_remarks.items() if remark}
            return {"model": model.id, "place": place.name, "made": slots, **remarks}
        case Failed(reason):
            return {"failed": say("en", reason)}
        case Skipped(because_of, is_redone):
            needs = f"needs task {because_of} ({plan.task(because_of).kind.name})"
            return {"skipped": f"{needs}; done by a later task" if is_redone else needs}
        case Stopped():
            return {"stopped": True}
        case None:
            return {"skipped": "never begun"}


def _format_value(value: Value, most: int) -> Any:  # noqa: ANN401 - JSON
    """One output as JSON data; only the boxes with the best scores have coordinates."""
    match value:
        case Text(text, score):
            words = cut_middle(text, most)
            return words if score is None else {"text": words, "score": round(score, 3)}
        case Labels(items):
            return [[item.label, round(item.score, 3)] for item in items[:_TOP]]
        case Boxes(items):
            best = [
                {"label": b.label, "score": round(b.score, 3), "box": astuple(b)[2:]}
                for b in sorted(items, key=lambda box: -box.score)[:_TOP]
            ]
            return {"count": len(items), "all": as_text(value), "best": best}
        case Media(attachment):
            return f"a file ({attachment.type.value}), shown with the answer"
        case _:
            return cut_middle(as_text(value), most)
