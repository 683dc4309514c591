"""Stage 4 by a language model: the request and the results as data, the answer streamed."""

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
_FRAME, _LEAST = 50, 40
_TEXT_TOKENS = (1200, 400, 150, 50, 15)
_TOP = 5
_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
"""Ends of lines that JSON leaves as they are."""
_ARG_TOKENS = 40


@dataclass(frozen=True, slots=True)
class LlmResponder:
    """Lets a language model write the answer out of what the experts made."""

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
    """What is asked of the language model; long results are cut until all fits."""
    reply = min(_ANSWER_TOKENS, room // 4)
    system = render("respond")
    left = room - reply - tokens(system) - _FRAME
    shortest = format_evidence(request, plan, outcomes, most=_TEXT_TOKENS[-1])
    text = cut_middle(request.text, max(_LEAST, left - min(tokens(shortest), left // 2)))
    left -= tokens(text)
    fitting = (format_evidence(request, plan, outcomes, most=limit) for limit in _TEXT_TOKENS)
    results = next((lines for lines in fitting if tokens(lines) <= left), shortest)
    results = cut_middle(results, max(_LEAST, left))
    asked = f"Request: {fence(text)}\nResults: {fence(results)}"
    messages = (Message("system", system), Message("user", asked))
    return Prompt(messages, max_tokens=reply)


def format_evidence(request: Request, plan: Plan, outcomes: Outcomes, *, most: int) -> str:
    """One line of JSON for each task: what it was, what came out; `most` tokens of a text."""
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
        ).translate(_ENDS)
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
            made = {name: _format_value(value, most) for name, value in output.slots.items()}
            facts = {"source": output.source, "note": output.note}
            beside = {name: fact for name, fact in facts.items() if fact}
            return {"model": model.id, "place": place.value, "made": made, **beside}
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
    """One output as JSON: in words, with the places of the best few boxes."""
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
