"""Stage 4 by a language model: the request, the plan and the results as data, the answer streamed."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from pipeline.domain import Outcomes, Plan, Request
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render, tokens
from pipeline.response.evidence import evidence

_ANSWER_TOKENS = 1024
_TEXT_TOKENS = (1200, 400, 150, 50, 15)


@dataclass(frozen=True, slots=True)
class LlmResponder:
    """Lets a language model write the answer out of what the experts made."""

    llm: Llm

    @property
    def name(self) -> str:
        return self.llm.name

    async def respond(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncIterator[str]:
        """Raises LlmError."""
        prompt = respond_prompt(request, plan, outcomes, context_size=self.llm.context_size)
        async for piece in self.llm.stream(prompt):
            if isinstance(piece, str):
                yield piece


def respond_prompt(
    request: Request, plan: Plan, outcomes: Outcomes, *, context_size: int
) -> Prompt:
    """What is asked of the language model; long results are cut until all fits."""
    system = render("respond")
    reply = min(_ANSWER_TOKENS, context_size // 4)
    left = context_size - reply - tokens(system) - 50
    text = cut_middle(request.text, max(40, left // 2))
    left -= tokens(text)
    results = ""
    for limit in _TEXT_TOKENS:
        results = evidence(request, plan, outcomes, tokens=limit)
        if tokens(results) <= left:
            break
    asked = f"Request: {fenced(text)}\nResults: {fenced(cut_middle(results, max(40, left)))}"
    messages = (Message("system", system), Message("user", asked))
    return Prompt(messages, max_tokens=reply, purpose="respond")
