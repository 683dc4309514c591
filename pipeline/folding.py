"""What was said in a thread, folded into a summary by a language model: older turns make room for newer ones."""

from collections.abc import Sequence

from pipeline.domain import Turn
from pipeline.ports import Llm, Message, Prompt
from pipeline.prompts import cut_middle, fenced, render, told

_WORDS = 400
"""Tokens of a summary."""
_FRAME = 60


async def folded(llm: Llm, before: str, turns: Sequence[Turn]) -> str:
    """The summary so far and what was said since, in short; "" when the model says nothing. Raises LlmError."""
    room = await llm.room()
    system = render("fold")
    left = room.size - _WORDS - room.count(system) - room.count(before) - _FRAME
    parts = (("So far", before), ("Since then", told(turns, left, room.count)))
    asked = "\n".join(f"{title}: {fenced(words)}" for title, words in parts if words)
    messages = (Message("system", system), Message("user", asked))
    prompt = Prompt(messages, max_tokens=_WORDS, purpose="fold")
    pieces = [piece async for piece in llm.stream(prompt) if isinstance(piece, str)]
    return cut_middle("".join(pieces).strip(), _WORDS)
