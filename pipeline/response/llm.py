"""Stage 4 with a language model: it gets the request and the results as data."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import astuple, dataclass
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
from pipeline.ports import Llm, Message, Prompt, stream_text
from pipeline.prompts import cut_middle, fence, render, tokens
from pipeline.words import say

_ANSWER_TOKENS = 1024
_FRAME, _SHORTEST_PART = 50, 40
"""Tokens around the messages, and of the shortest part worth including."""
_TEXT_TOKENS = (1200, 400, 150, 50, 15)
"""Limits for each text of a result, tried in order until everything fits."""
_TOP = 5
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Line ends that JSON does not escape."""
_ARG_TOKENS = 40


@dataclass(frozen=True, slots=True)
class LlmResponder:
    """Lets a language model write the answer from the results of the tasks."""

    llm: Llm

    @property
    def name(self) -> str:
        return self.llm.name

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        """Raises LlmError."""
        prompt = respond_prompt(request, plan, outcomes, room=await self.llm.room())
        async with aclosing(stream_text(self.llm, prompt)) as pieces:
            async for piece in pieces:
                yield piece


def respond_prompt(request: Request, plan: Plan, outcomes: Outcomes, *, room: int) -> Prompt:
    """Build the prompt that asks for the answer; long results are cut to fit `room` tokens."""
    reply = min(_ANSWER_TOKENS, room // 4)
    system = render("respond")
    remaining = room - reply - tokens(system) - _FRAME
    shortest = format_evidence(request, plan, outcomes, most=_TEXT_TOKENS[-1])
    for_text = remaining - min(tokens(shortest), remaining // 2)
    text = cut_middle(request.text, max(_SHORTEST_PART, for_text))
    remaining -= tokens(text)
    variants = (format_evidence(request, plan, outcomes, most=limit) for limit in _TEXT_TOKENS)
    results = next((lines for lines in variants if tokens(lines) <= remaining), shortest)
    results = cut_middle(results, max(_SHORTEST_PART, remaining))
    content = f"Request: {fence(text)}\nResults: {fence(results)}"
    messages = (Message("system", system), Message("user", content))
    return Prompt(messages, max_tokens=reply)


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
        case Done(output, _, model, place):
            slots = {name: _format_value(value, most) for name, value in output.slots.items()}
            remarks = {"source": output.source, "note": output.note}
            remarks = {name: remark for name, remark in remarks.items() if remark}
            return {"model": model.id, "place": place.value, "made": slots, **remarks}
        case Failed(reason):
            return {"failed": say("en", reason)}
        case Skipped(because_of):
            kind = plan.task(because_of).kind.name
            return {"skipped": f"needs task {because_of} ({kind})"}
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
