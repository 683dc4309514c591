"""A language model behind an OpenAI-compatible endpoint."""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import openai
import stamina
from openai import AsyncOpenAI, AsyncStream

from adapters.openai.client import Endpoint, ResponseTooLarge
from adapters.openai.context_size import (
    CAREFUL,
    find_known_size,
    find_refused_size,
    find_stated_size,
)
from adapters.openai.errors import (
    CAUGHT,
    REQUEST_REFUSED,
    TOO_LONG,
    classify,
    parse_retry_after,
    to_llm_error,
)
from pipeline.errors import LlmUnavailable
from pipeline.ports import Cache, Message, Prompt, Usage
from pipeline.prompts import Measure, Room

_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)
_MAX_CHARACTERS = 1_000_000
"""More than any prompt of ours asks for, by far."""
_MAX_COUNT = 100_000_000
"""No context holds so many tokens: a server that reports more has not counted."""
_WORTH_SAVING = 0.05


class OpenAiLlm:
    """The `Llm` port. Retries until its deadline; remembers which options the endpoint takes."""

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint, cache: Cache | None = None) -> None:
        self._client = client
        self._endpoint = endpoint
        self._refused: frozenset[str] = frozenset()
        self._size = endpoint.context or find_known_size(endpoint.model)
        self._size_is_known = bool(self._size)
        self._counter = _TokenCounter(f"tokens {endpoint.base_url} {endpoint.model}", cache)

    @property
    def name(self) -> str:
        return self._endpoint.model

    @property
    def context_size(self) -> int:
        return self._size or CAREFUL

    @property
    def sees_images(self) -> bool:
        return self._endpoint.sees_images

    async def room(self) -> Room:
        if not self._size_is_known:
            stated = await find_stated_size(self._client, self._endpoint.model)
            self._size, self._size_is_known = stated
        return Room(self.context_size, (await self._counter.measure()).count)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Raises LlmUnavailable, LlmRefused, LlmGarbled."""
        deadline = asyncio.get_running_loop().time() + self._endpoint.seconds
        pieces, piece = await self._start(prompt, deadline)
        async with aclosing(pieces):
            while True:
                if isinstance(piece, Usage):
                    await self._counter.learn(prompt, piece)
                yield piece
                try:
                    async with asyncio.timeout_at(deadline):
                        piece = await anext(pieces)
                except StopAsyncIteration:
                    return
                except CAUGHT as error:
                    raise to_llm_error(error, self.name) from error

    async def _start(
        self, prompt: Prompt, deadline: float
    ) -> tuple[AsyncGenerator[str | Usage], str | Usage]:
        """The stream and its first piece. Only up to here is a call repeated. Raises LlmError."""
        async for attempt in stamina.retry_context(
            on=_Backoff(self._endpoint.backoff, deadline),
            attempts=self._endpoint.tries,
            timeout=None,
        ):
            with attempt:
                pieces = self._pieces(prompt)
                try:
                    async with asyncio.timeout_at(deadline):
                        return pieces, await anext(pieces)
                except CAUGHT as error:
                    self._note_size(error)
                    raise to_llm_error(error, self.name) from error
        raise AssertionError("the last attempt returns or raises")

    def _note_size(self, error: Exception) -> None:
        """Remember the context size that a refusal names."""
        if classify(error) is TOO_LONG:
            size = find_refused_size(error)
            if 0 < size < self.context_size:
                self._size, self._size_is_known = size, True

    async def _pieces(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Text without thoughts, and usage. Raises one of CAUGHT."""
        stream = await self._request(prompt)
        thoughts, spoken, left = _ThoughtFilter(), False, _MAX_CHARACTERS
        async with aclosing(stream), aclosing(_chunks(stream)) as chunks:
            async for chunk in chunks:
                text, usage = _parse_chunk(chunk)
                left -= len(text)
                if left < 0:
                    raise ResponseTooLarge("an answer without end")
                if text := thoughts.feed(text):
                    spoken = True
                    yield text
                if usage is not None:
                    yield usage
        if text := thoughts.flush():
            spoken = True
            yield text
        if not spoken:
            raise ValueError("an answer without a word")

    async def _request(self, prompt: Prompt) -> AsyncStream[object]:
        """One call with all the options that the endpoint takes; those refused are remembered."""
        refused = self._refused
        while True:
            options = _choose_options(prompt, refused)
            try:
                stream = await self._post(prompt, options)
            except _REFUSALS as error:
                option = _find_refused(options, error.message)
                if not option or classify(error) is not REQUEST_REFUSED:
                    raise
                refused |= {option}
            else:
                self._refused = refused
                return stream

    async def _post(self, prompt: Prompt, options: Mapping[str, Any]) -> AsyncStream[object]:
        # A plain post: building the SDK's typed models costs more than the rest of a call.
        return await self._client.post(
            "/chat/completions",
            cast_to=object,
            body={
                "model": self._endpoint.model,
                "stream": True,
                "messages": [_to_message(message) for message in prompt.messages],
                **options,
            },
            stream=True,
            stream_cls=AsyncStream[object],
        )


_FORMATS = ("json_schema", "json_object")
_LIMITS = ("max_completion_tokens", "max_tokens")


def _choose_options(prompt: Prompt, refused: frozenset[str]) -> dict[str, Any]:
    """The options of a call, from a strict JSON schema down to the bare prompt."""
    options: dict[str, Any] = {}
    if limit := next((name for name in _LIMITS if name not in refused), ""):
        options[limit] = prompt.max_tokens
    if "stream_options" not in refused:
        options["stream_options"] = {"include_usage": True}
    form = next((name for name in _FORMATS if name not in refused), "")
    if prompt.schema is not None and form:
        options["response_format"] = {"type": form}
        if form == "json_schema":
            schema = {"name": "reply", "strict": True, "schema": dict(prompt.schema)}
            options["response_format"]["json_schema"] = schema
    return options


def _find_refused(options: Mapping[str, Any], message: str) -> str:
    """The option that a refusal names, else the likeliest; "" when nothing is left to give up."""
    form = options.get("response_format", {}).get("type", "")
    others = [name for name in ("stream_options", *_LIMITS) if name in options]
    if form and any(word in message for word in ("response_format", *_FORMATS, "schema")):
        return str(form)
    return next((name for name in others if name in message), "") or form or (*others, "")[0]


class _Backoff:
    """After how many seconds a failed call is tried again: never, if that is past its deadline."""

    def __init__(self, first: float, deadline: float) -> None:
        self._wait = first
        self._deadline = deadline

    def __call__(self, error: Exception) -> bool | float:
        wait = parse_retry_after(error.__cause__) or self._wait
        self._wait *= 2
        left = self._deadline - asyncio.get_running_loop().time()
        return isinstance(error, LlmUnavailable) and wait < left and wait


async def _chunks(stream: AsyncStream[object]) -> AsyncGenerator[object]:
    """The JSON objects of a stream; of a server that does not stream, its one reply."""
    media_type = stream.response.headers.get("Content-Type", "")
    if media_type.startswith("application/json"):
        reply = _as_object(json.loads(await stream.response.aread()))
        if error := reply.get("error"):
            raise openai.APIError(str(error)[:200], stream.response.request, body=None)
        yield reply
    elif media_type.startswith("text/html"):
        raise ValueError("a page instead of a stream")
    else:
        async for chunk in stream:
            yield chunk


def _parse_chunk(chunk: object) -> tuple[str, Usage | None]:
    """The text and usage of a chunk. Raises ValueError, ContentFilterFinishReasonError."""
    text, fields = "", _as_object(chunk)
    choices = fields.get("choices") or []
    if not isinstance(choices, list):
        raise ValueError("choices is not a list")  # noqa: TRY004 - as bad as no JSON
    for choice in map(_as_object, choices[:1]):
        part = _as_object(choice.get("delta") or choice.get("message") or {})
        if choice.get("finish_reason") == "content_filter" or part.get("refusal"):
            raise openai.ContentFilterFinishReasonError
        content = part.get("content")
        text = content if isinstance(content, str) else ""
    usage = fields.get("usage")
    return text, _parse_usage(usage) if isinstance(usage, dict) else None


def _as_object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - as bad as no JSON
    return value


def _parse_usage(usage: Mapping[str, Any]) -> Usage:
    """The counts; -1 for one that cannot be."""
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return Usage(*(n if type(n) is int and 0 <= n <= _MAX_COUNT else -1 for n in counts))


def _to_message(message: Message) -> Mapping[str, Any]:
    text = message.text.encode("utf-8", "replace").decode()  # half surrogates, which no JSON takes
    if not message.images:
        return {"role": message.role, "content": text}
    urls = [
        f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"
        for image in message.images
    ]
    images = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
    return {"role": message.role, "content": [{"type": "text", "text": text}, *images]}


class _ThoughtFilter:
    """Removes what a reasoning model thinks aloud at the beginning of a streamed text."""

    def __init__(self) -> None:
        self._held = ""
        self._end_tag = ""
        self._is_over = False

    def feed(self, piece: str) -> str:
        """What is said in a piece; what may still turn out to be a thought is held back."""
        if self._is_over:
            return piece
        self._held = (self._held + piece).lstrip()
        if not self._end_tag:
            open_tag = next((tag for tag in _THOUGHT_TAGS if self._held.startswith(tag)), "")
            self._end_tag = open_tag.replace("<", "</")
        if self._end_tag:
            _thought, end, said = self._held.partition(self._end_tag)
            self._held = said.lstrip() if end else self._held[-len(self._end_tag) :]
            self._end_tag = "" if end else self._end_tag
        self._is_over = not self._end_tag and not any(
            tag.startswith(self._held) for tag in _THOUGHT_TAGS
        )
        return self.flush() if self._is_over else ""

    def flush(self) -> str:
        """What was held back and is no thought."""
        held, self._held = self._held, ""
        return "" if self._end_tag else held


_THOUGHT_TAGS = ("<think>", "<thinking>")


class _TokenCounter:
    """How a model counts tokens: learned from the usage its server reports, kept in the cache."""

    def __init__(self, key: str, cache: Cache | None) -> None:
        self._key = key
        self._cache = cache
        self._measure: Measure | None = None
        self._saved = Measure()

    async def measure(self) -> Measure:
        if self._measure is None:
            cached = await self._cache.get(self._key) if self._cache else None
            self._measure = self._saved = _parse_measure(cached.value) if cached else Measure()
        return self._measure

    async def learn(self, prompt: Prompt, usage: Usage) -> None:
        """Only from plain text: servers differ in how they count a schema and pictures."""
        if prompt.schema is not None or any(message.images for message in prompt.messages):
            return
        text = "\n".join(message.text for message in prompt.messages)
        self._measure = (await self.measure()).learn(text, usage.prompt_tokens)
        pairs = zip(self._measure.factors, self._saved.factors, strict=True)
        if self._cache and any(abs(now / before - 1) > _WORTH_SAVING for now, before in pairs):
            self._saved = self._measure
            await self._cache.put(self._key, json.dumps(self._measure.factors))


def _parse_measure(text: str) -> Measure:
    """The measure that was cached; a fresh one where it cannot be read."""
    try:
        first, second, third = map(float, json.loads(text))
        return Measure((first, second, third)).within_bounds
    except (ValueError, TypeError):
        return Measure()
