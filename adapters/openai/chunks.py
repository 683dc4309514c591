"""What an endpoint streams: server-sent events with pieces of text, read without building the client's models.

Those cost more than everything else about a call.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, suppress
from typing import Any

import httpx2

from adapters.openai.errors import FILTERED, Trouble, Way
from adapters.openai.thoughts import Thoughts
from pipeline.ports import Usage

_NO_STREAM = "application/json"
_PARTING = 0.1
"""Seconds that a response has to end after its last word."""
_MOST_LETTERS = 1_000_000
"""More than any prompt of ours asks for, by far."""
_MOST_TOKENS = 100_000_000
"""What no context holds: whoever tells more has not counted."""


class StreamBroke(Exception):
    """The stream holds an error instead of text."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


async def pieces(response: httpx2.Response) -> AsyncGenerator[str | Usage, None]:
    """Text and usage in a response, streamed or whole, without what is only thought. Raises ValueError for what is neither or has no end, StreamBroke."""
    left, thoughts = _MOST_LETTERS, Thoughts()
    async with aclosing(_pieces(response)) as found:
        async for piece in found:
            if isinstance(piece, Usage):
                yield piece
                continue
            left -= len(piece)
            if left < 0:
                raise ValueError("an answer without end")
            if said := thoughts.without(piece):
                yield said
    if said := thoughts.rest():
        yield said


async def _pieces(response: httpx2.Response) -> AsyncGenerator[str | Usage, None]:
    if response.headers.get("Content-Type", "").startswith(_NO_STREAM):
        for piece in _read(await response.aread()):
            yield piece
        return
    lines = response.aiter_lines()
    async for line in lines:
        if not line.startswith("data:"):
            if line.strip().startswith("<"):
                raise ValueError("a page instead of a stream")
            continue
        data = line[5:].strip()
        if data == "[DONE]":
            await _read_out(lines)
            return
        for piece in _read(data):
            yield piece


async def _read_out(lines: AsyncIterator[str]) -> None:
    """Read to the end of the response, if it comes at once: only then can the connection be used again."""
    with suppress(TimeoutError, httpx2.TransportError):
        async with asyncio.timeout(_PARTING):
            async for _ in lines:
                pass


def _read(data: str | bytes) -> list[str | Usage]:
    """Raises ValueError for what no endpoint says, StreamBroke."""
    try:
        chunk = _object(json.loads(data))
    except RecursionError as endless:
        raise ValueError("nested without end") from endless
    if error := chunk.get("error"):
        raise StreamBroke(Trouble(Way.UNAVAILABLE, "llm-broken")) from ValueError(str(error)[:200])
    found: list[str | Usage] = []
    choices = chunk.get("choices") or []
    if not isinstance(choices, list):
        raise ValueError("no list of answers")  # noqa: TRY004 - as bad as no JSON
    for choice in map(_object, choices[:1]):
        part = _object(choice.get("delta") or choice.get("message") or {})
        if choice.get("finish_reason") == "content_filter" or part.get("refusal"):
            raise StreamBroke(FILTERED)
        if isinstance(text := part.get("content"), str) and text:
            found.append(text)
    if isinstance(usage := chunk.get("usage"), dict):
        found.append(_usage(usage))
    return found


def _object(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - JSON from outside
    if not isinstance(value, dict):
        raise ValueError("not a piece of an answer")  # noqa: TRY004 - as bad as no JSON
    return value


def _usage(usage: Mapping[str, Any]) -> Usage:
    """The counts that are told; -1 for what cannot be one."""
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (
        count if type(count) is int and 0 <= count <= _MOST_TOKENS else -1 for count in counts
    )
    return Usage(prompt, completion)
