"""What an endpoint streams: server-sent events with pieces of text, read without building the client's models.

Those cost more than everything else about a call.
"""

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import httpx2

from adapters.openai.errors import FILTERED, Trouble, Way
from pipeline.ports import Usage

_NO_STREAM = "application/json"


class StreamBroke(Exception):
    """The stream holds an error instead of text."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.sentence)
        self.trouble = trouble


async def pieces(response: httpx2.Response) -> AsyncGenerator[str | Usage, None]:
    """Text and usage in a response, streamed or whole. Raises ValueError for what is neither, StreamBroke."""
    if response.headers.get("Content-Type", "").startswith(_NO_STREAM):
        for piece in _read(json.loads(await response.aread())):
            yield piece
        return
    async for line in response.aiter_lines():
        if not line.startswith("data:"):
            if line.strip().startswith("<"):
                raise ValueError("a page instead of a stream")
            continue
        data = line[5:].strip()
        if data == "[DONE]":
            return
        for piece in _read(json.loads(data)):
            yield piece


def _read(chunk: Any) -> list[str | Usage]:  # noqa: ANN401 - JSON from outside
    if not isinstance(chunk, dict):
        raise ValueError("not a piece of an answer")  # noqa: TRY004 - as bad as no JSON
    if error := chunk.get("error"):
        raise StreamBroke(Trouble(Way.UNAVAILABLE, "llm-broken")) from ValueError(str(error)[:200])
    found: list[str | Usage] = []
    for choice in (chunk.get("choices") or ())[:1]:
        part = choice.get("delta") or choice.get("message") or {}
        if choice.get("finish_reason") == "content_filter" or part.get("refusal"):
            raise StreamBroke(FILTERED)
        if isinstance(text := part.get("content"), str) and text:
            found.append(text)
    if isinstance(usage := chunk.get("usage"), dict):
        found.append(_usage(usage))
    return found


def _usage(usage: Mapping[str, Any]) -> Usage:
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    prompt, completion = (count if isinstance(count, int) else -1 for count in counts)
    return Usage(prompt, completion)
