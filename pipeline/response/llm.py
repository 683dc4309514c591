"""Stage 4 by a language model: the request, the plan and the results as data, the answer streamed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from pipeline.domain import Outcomes, Plan, Request
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import Room, cut_middle, fenced, render
from pipeline.response.evidence import evidence

_ANSWER_TOKENS = 1024
_FRAME, _LEAST = 50, 40
_TEXT_TOKENS = (1200, 400, 150, 50, 15)


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
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    yield piece


def respond_prompt(request: Request, plan: Plan, outcomes: Outcomes, *, room: Room) -> Prompt:
    """What is asked of the language model; long results are cut until all fits."""
    count, reply = room.count, min(_ANSWER_TOKENS, room.size // 4)
    system = render("respond")
    left = room.size - reply - count(system) - _FRAME
    shortest = evidence(request, plan, outcomes, tokens=_TEXT_TOKENS[-1])
    text = cut_middle(request.text, max(_LEAST, left - min(count(shortest), left // 2)), count)
    left -= count(text)
    fitting = (evidence(request, plan, outcomes, tokens=limit) for limit in _TEXT_TOKENS)
    results = next((told for told in fitting if count(told) <= left), shortest)
    told = cut_middle(results, max(_LEAST, left), count)
    asked = f"Request: {fenced(text)}\nResults: {fenced(told)}"
    messages = (Message("system", system), Message("user", asked))
    return Prompt(messages, max_tokens=reply, purpose="respond")
