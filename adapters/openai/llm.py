"""A language model behind an OpenAI-compatible endpoint."""

import asyncio
import base64
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from openai import AsyncStream

from adapters.openai.catalogue import cost_of
from adapters.openai.chunks import Chunk, read_chunks
from adapters.openai.errors import (
    CAUGHT,
    MODEL_GONE,
    NO_CREDIT_LEFT,
    OF_THE_ACCOUNT,
    REQUEST_REFUSED,
    TOO_LONG,
    classify,
)
from adapters.openai.options import list_options
from adapters.openai.place import LLM
from adapters.openai.server import Server
from pipeline.domain import ModelCall, SentPrompt
from pipeline.errors import (
    LlmCutShort,
    LlmError,
    LlmGarbled,
    LlmRefused,
    PlaceRefused,
    is_passing,
)
from pipeline.metering import find_prompt_recorder, note_call
from pipeline.ports import Message, Prompt, Usage
from pipeline.selection.health import PlaceHealth
from pipeline.text.thoughts import ThoughtFilter

_RETRIES = 3
_MORE_TOKENS = 8192
"""For a second try if a model spent all its tokens on thoughts."""
_MAX_CHARACTERS = 1_000_000
"""More than any prompt of ours asks for, by far."""
_LIMIT = "length"
_WHOLE = frozenset(
    {"stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "tool_calls"}
    | {"function_call"}
)
"""The reasons that whole replies end with; after "length", "error" or others they are cut."""
_MOST_BLANKS = 500
"""White space without end: a loop within a grammar, which allows it between any two words."""
_NOT_SHOWN = "(The pictures cannot be shown.)"
_OF_PICTURES = frozenset({REQUEST_REFUSED[1], MODEL_GONE[1], TOO_LONG[1]})
"""Messages about refusals of a prompt that may be due to its pictures."""


class OpenAiLlm:
    """The `Llm` port. The SDK retries; the deadline of a call includes that.

    `model`: the only one that is called; "" for the server's choice. `health` is shared with the
    experts of the same account: what one is refused closes the place for all.
    """

    def __init__(
        self,
        server: Server,
        *,
        retries: int = _RETRIES,
        model: str = "",
        health: PlaceHealth | None = None,
    ) -> None:
        self._server = server
        self._retries = retries
        self._model = model
        self._health = health or PlaceHealth()

    @property
    def name(self) -> str:
        return self._server.name_model(self._model or self._server.model)

    @property
    def sees_images(self) -> bool:
        return bool(self._choose_model(has_images=True))

    @property
    def lacks_credit(self) -> bool:
        """Whether calls are refused for a while because the account has no credit left."""
        return self._refusal == NO_CREDIT_LEFT

    @property
    def _refusal(self) -> str:
        """Why the account is refused at the moment; "" if it is not."""
        why = self._health.explain(LLM)
        return why.id if why and why.id in OF_THE_ACCOUNT else ""

    async def room(self) -> int:
        await self._server.ask()
        return self._server.context_size

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Stream a reply. Raises LlmUnavailable, LlmRefused, LlmGarbled, LlmCutShort.

        Where a router's provider fails before the first piece, another one is asked once, and where
        a prompt with pictures is refused, the model is asked without them. After a refusal of the
        key, or without credit, nothing is asked for a while.
        """
        model = self._choose_model(has_images=_has_images(prompt))
        if not model or self._refusal:
            raise LlmRefused(self._refusal or "llm-sees-nothing", model=self.name)
        deadline = asyncio.get_running_loop().time() + self._server.endpoint.seconds
        used, has_begun = Usage(0, 0), False
        try:
            async with aclosing(self._call(model, prompt, deadline)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Usage):
                        used = piece
                    has_begun |= isinstance(piece, str)
                    yield piece
        except LlmError as error:
            other = await self._find_other(model, prompt, error)
            if other is None or has_begun:
                raise
            async with aclosing(self._call(*other, deadline)) as pieces:
                async for piece in pieces:
                    yield used + piece if isinstance(piece, Usage) else piece
            if other[1].messages != prompt.messages:
                await self._server.doubt_sight()

    async def _find_other(
        self, model: str, prompt: Prompt, error: LlmError
    ) -> tuple[str, Prompt] | None:
        """Which model to ask after a failure, and what; None if nothing else can be asked.

        The same with room for more than thoughts, at another provider of a router, or else without
        the pictures that were refused.
        """
        if isinstance(error.__cause__, _OnlyThoughts):
            more = replace(prompt, max_tokens=max(prompt.max_tokens, _MORE_TOKENS), effort="low")
            is_limited = error.__cause__.args == (_LIMIT,) and more != prompt
            return (model, more) if is_limited or self._server.stop_thoughts(model) else None
        message = error.sentence.id
        if self._model or isinstance(error, LlmGarbled):
            return None
        is_gone = is_passing(error) or message == MODEL_GONE[1]
        if is_gone and self._server.avoid(model):
            await self._server.ask()
            other = self._choose_model(has_images=_has_images(prompt))
            if other not in (model, ""):
                return other, prompt
        if _has_images(prompt) and message in _OF_PICTURES:
            return self._choose_model(has_images=False), _leave_pictures_out(prompt)
        return None

    async def _call(
        self, model: str, prompt: Prompt, deadline: float
    ) -> AsyncGenerator[str | Usage]:
        """Call a model once and report the call to the meter. Raises LlmError."""
        began, used, failure = time.monotonic(), Usage(), "cancelled"
        keep, reply = find_prompt_recorder(), list[str]()
        try:
            async with aclosing(self._chat(model, prompt)) as pieces:
                while True:
                    try:
                        async with asyncio.timeout_at(deadline):
                            piece = await anext(pieces, None)
                    except CAUGHT as error:
                        failed = self._translate(error, model)
                        failure = failed.sentence.id
                        raise failed from error
                    if piece is None:
                        failure = ""
                        return
                    if isinstance(piece, Usage):
                        used = piece
                    elif keep:
                        reply.append(piece)
                    yield piece
        finally:
            name = self._server.name_model(model)
            call = ModelCall(
                name,
                took=time.monotonic() - began,
                prompt_tokens=used.prompt_tokens,
                completion_tokens=used.completion_tokens,
                cost=cost_of(self._server.find_price(model), used),
                error=failure,
            )
            note_call(call)
            if keep:
                keep(SentPrompt(name, _format_messages(prompt), "".join(reply)))

    def _translate(self, error: Exception, model: str) -> LlmError:
        """Our error for one of CAUGHT; what concerns the account closes the place."""
        (kind, message), name = classify(error), self._server.name_model(model)
        if message in OF_THE_ACCOUNT:
            self._health.note_failure(LLM, "", PlaceRefused(message, model=name))
        return kind(message, model=name)

    def _choose_model(self, *, has_images: bool) -> str:
        """The model to call; "" if there is none for images."""
        seeing = self._server.seeing_model
        if not has_images:
            return self._model or self._server.model
        return seeing if self._model in ("", seeing) else ""

    async def _chat(self, model: str, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Text without thoughts, and usage. Raises one of CAUGHT."""
        stream = await self._open_stream(model, prompt)
        is_text = prompt.schema is None  # the reader of a plan skips thoughts, if there are any
        are_unopened = is_text and self._server.leaves_thoughts_open(model)
        thoughts = ThoughtFilter(are_unopened=are_unopened)
        reply = _Reply()
        async with aclosing(stream), aclosing(read_chunks(stream)) as chunks:
            async for chunk in chunks:
                reply.add(chunk)
                if text := thoughts.feed(chunk.text, are_apart=bool(chunk.thought)):
                    reply.is_spoken = True
                    yield text
                if chunk.usage is not None:
                    yield chunk.usage
                if reply.is_endless:
                    break
        if text := thoughts.finish(is_cut=reply.end == _LIMIT):
            reply.is_spoken = True
            yield text
        self._server.note_thoughts(model, are_unopened=thoughts.ended_unopened, is_text=is_text)
        reply.check()
        if reply.is_cut:
            raise LlmCutShort("llm-cut-short", model=self._server.name_model(model))
        self._server.check_end(model, stream, reply.end)

    async def _open_stream(self, model: str, prompt: Prompt) -> AsyncStream[object]:
        messages = [_to_message(message) for message in prompt.messages]
        body = {"model": model, "stream": True, "messages": messages}
        if self._server.endpoint.base_url:  # others refuse the field: Cerebras, Groq, Nvidia
            prompt = replace(prompt, cache_key="")
        prompt = replace(prompt, max_tokens=self._server.limit_reply(prompt))
        are_stopped = model in self._server.thoughtless
        options = list_options(model, prompt, are_thoughts_stopped=are_stopped)
        return await self._server.stream_chat(
            body, options, retries=self._retries, has_images=_has_images(prompt)
        )


def _has_images(prompt: Prompt) -> bool:
    return any(message.images for message in prompt.messages)


def _format_messages(prompt: Prompt) -> str:
    """The messages of a prompt as one text; pictures are only named."""
    parts = []
    for message in prompt.messages:
        pictures = [f"({len(each.data)} bytes of {each.media_type})" for each in message.images]
        parts.append("\n".join([f"--- {message.role} ---", message.text, *pictures]))
    return "\n\n".join(parts)


def _leave_pictures_out(prompt: Prompt) -> Prompt:
    messages = [
        replace(message, text=f"{message.text}\n{_NOT_SHOWN}", images=())
        if message.images
        else message
        for message in prompt.messages
    ]
    return replace(prompt, messages=tuple(messages))


class _OnlyThoughts(ValueError):
    """A reply that ended before a word was said."""


@dataclass(slots=True)
class _Reply:
    """What is known of a reply while it is streamed."""

    end: str = ""
    """Why it ended; "" if that is not said."""
    is_spoken: bool = False
    _has_thought: bool = False
    _length: int = 0
    _blanks: int = 0

    def add(self, chunk: Chunk) -> None:
        """Raises ValueError for a text without end."""
        self.end = self.end or chunk.end
        self._has_thought |= bool(chunk.thought)
        self._length += len(chunk.text)
        if self._length > _MAX_CHARACTERS:
            raise ValueError("an answer without end")
        words = chunk.text.rstrip()
        self._blanks = len(chunk.text) - len(words) + (0 if words else self._blanks)

    @property
    def is_endless(self) -> bool:
        """Whether it goes on with white space only."""
        return self._blanks > _MOST_BLANKS

    @property
    def is_cut(self) -> bool:
        """Whether it ended before it was whole."""
        return self.is_endless or bool(self.end and self.end.casefold() not in _WHOLE)

    def check(self) -> None:
        """Raises _OnlyThoughts, or another ValueError, if nothing was said."""
        if self.is_spoken:
            return
        if self._has_thought or self.end == _LIMIT:
            raise _OnlyThoughts(self.end)
        raise ValueError("an answer without a word")


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
