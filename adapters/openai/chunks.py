"""What servers send in a streamed reply: text, thoughts, why it ends, and the tokens that it took.

Servers differ in where they put each. What is read here was seen at OpenAI, OpenRouter, Mistral,
vLLM, llama.cpp, Ollama, LM Studio and litellm.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any

import openai
from openai import AsyncStream

from pipeline.ports import Usage

_AT_ONCE = 64
"""Chunks of a stream that are read without a pause when they are all there."""
_MAX_COUNT = 100_000_000
"""No context holds so many tokens: a server that reports more has not counted."""
_THOUGHT_FIELDS = ("reasoning", "reasoning_content", "thinking")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a reply."""

    text: str = ""
    thought: str = ""
    """A part of the thoughts, if the server sends them apart from the text."""
    end: str = ""
    """Why the reply ends here, "stop" or "length" for example; "" if it goes on."""
    usage: Usage | None = None


async def read_chunks(stream: AsyncStream[object]) -> AsyncGenerator[Chunk]:
    """The chunks of a stream; of a server that does not stream, its one reply.

    Raises ContentFilterFinishReasonError, ValueError.
    """
    if stream.response.headers.get("Content-Type", "").startswith("application/json"):
        yield _read_chunk(json.loads(await stream.response.aread()))
        return
    number = 0
    async for chunk in stream:
        yield _read_chunk(chunk)
        number += 1
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)


def _read_chunk(chunk: object) -> Chunk:
    if not isinstance(chunk, dict):
        return Chunk()
    usage = _read_usage(chunk.get("usage"))
    match chunk:
        case {"choices": [dict(choice), *_]}:
            whole, end = choice.get("message"), choice.get("finish_reason")
            part, end = choice.get("delta") or whole, end or ("stop" if whole else "")
            part = part if isinstance(part, dict) else {}
            if end == "content_filter" or part.get("refusal"):
                raise openai.ContentFilterFinishReasonError
            end = end if isinstance(end, str) else ""
            return Chunk(_read_content(part), _read_thought(part), end, usage)
        case _:
            return Chunk(usage=usage)


def _read_content(part: Mapping[str, Any]) -> str:
    """The text of a message or of its next part, also in pieces, or as the call of a tool."""
    match part:
        case {"content": str(text)} if text:
            return text
        case {"content": [*pieces]}:  # Mistral's thinking models
            texts = [piece.get("text") for piece in pieces if isinstance(piece, dict)]
            return "".join(text for text in texts if isinstance(text, str))
        case {"tool_calls": [{"function": {"arguments": str(text)}}, *_]}:
            return text
        case _:
            return ""


def _read_thought(part: Mapping[str, Any]) -> str:
    thoughts = (part.get(name) for name in _THOUGHT_FIELDS)
    return next((thought for thought in thoughts if thought and isinstance(thought, str)), "")


def _read_usage(usage: object) -> Usage | None:
    """The counts, -1 for one that cannot be; None if there are none."""
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(n if type(n) is int and 0 <= n <= _MAX_COUNT else -1 for n in counts))
