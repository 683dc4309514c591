"""A language model behind an OpenAI-compatible endpoint."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

import openai
from openai import AsyncOpenAI

from adapters.openai.chunks import StreamBroke, pieces
from adapters.openai.counting import Learner
from adapters.openai.endpoint import Endpoint
from adapters.openai.errors import CAUGHT, Trouble, Way, llm_error, trouble
from adapters.openai.manners import Manners, plainer
from adapters.openai.sizes import CAREFUL, known_size, refused_size, stated_size
from pipeline.ports import Cache, Message, Prompt, Usage
from pipeline.prompts import Room

_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)
_MOST_REFUSALS = 6


class OpenAiLlm:
    """Streams always; repeats what may be repeated until its deadline; remembers how the endpoint likes to be asked."""

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint, cache: Cache | None = None) -> None:
        self._client = client
        self._endpoint = endpoint
        self._manners = Manners()
        self._size = endpoint.context or known_size(endpoint.model)
        self._sure = bool(self._size)
        self._learner = Learner(f"{endpoint.base_url} {endpoint.model}", cache)

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
        if not self._sure:
            self._size, self._sure = await stated_size(self._client, self._endpoint)
        return Room(self.context_size, (await self._learner.measure()).count)

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Raises LlmUnavailable, LlmRefused, LlmGarbled."""
        deadline = asyncio.get_running_loop().time() + self._endpoint.seconds
        for tried in range(1, self._endpoint.tries + 1):
            begun = False
            try:
                async with aclosing(self._once(prompt, deadline)) as said:
                    async for piece in said:
                        begun = True
                        yield piece
                        if isinstance(piece, Usage):
                            await self._learner.learn(prompt, piece)
            except StreamBroke as error:
                await self._wait(error.trouble, tried, deadline, begun=begun)
            except CAUGHT as error:
                await self._wait(trouble(error), tried, deadline, begun=begun, cause=error)
            else:
                return

    async def _wait(
        self,
        found: Trouble,
        tried: int,
        deadline: float,
        *,
        begun: bool,
        cause: Exception | None = None,
    ) -> None:
        """Wait before the next try, or raise when there is none; a size that is named then counts from now on."""
        if (
            found.sentence == "llm-too-long"
            and 0 < (size := refused_size(cause)) < self.context_size
        ):
            self._size, self._sure = size, True
        pause = found.retry_after or self._endpoint.backoff * 2 ** (tried - 1)
        left = deadline - asyncio.get_running_loop().time()
        last = begun or tried == self._endpoint.tries or pause >= left
        if found.way is not Way.UNAVAILABLE or last:
            raise llm_error(found, self.name) from cause
        await asyncio.sleep(pause)

    async def _once(self, prompt: Prompt, deadline: float) -> AsyncGenerator[str | Usage]:
        """One try, in the plainest manners that the endpoint takes. Raises ValueError when not a word comes."""
        async with asyncio.timeout_at(deadline):
            response, manners = await self._begun(prompt)
        stream = pieces(response.http_response)
        said = False
        try:
            while True:
                async with asyncio.timeout_at(deadline):
                    piece = await anext(stream, None)
                if piece is None:
                    break
                said = said or isinstance(piece, str)
                yield piece
        finally:
            await stream.aclose()
            await response.close()
        if not said:
            raise ValueError("not a word")
        self._manners = manners

    async def _begun(self, prompt: Prompt) -> tuple[Any, Manners]:
        manners = self._manners
        for _ in range(_MOST_REFUSALS):
            try:
                return await self._asked(prompt, manners), manners
            except _REFUSALS as error:
                less = plainer(manners, prompt, error.message)
                if less is None or trouble(error).sentence != "llm-request-refused":
                    raise
                manners = less
        return await self._asked(prompt, manners), manners

    async def _asked(self, prompt: Prompt, manners: Manners) -> Any:  # noqa: ANN401 - the client's raw response
        manager = self._client.chat.completions.with_streaming_response.create(
            model=self._endpoint.model,
            messages=[],
            stream=True,
            # Past the client's own arguments, which it walks through piece by piece: some 8 ms a call.
            extra_body={
                "messages": [_message(message) for message in prompt.messages],
                **manners.options(prompt),
            },
        )
        return await manager.__aenter__()  # closed when the stream is at its end


def _message(message: Message) -> Mapping[str, Any]:
    text = message.text.encode(
        "utf-8", "replace"
    ).decode()  # halves of characters, which no JSON takes
    if not message.images:
        return {"role": message.role, "content": text}
    images = [
        {
            "type": "image_url",
            "image_url": {
                "url": f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}"
            },
        }
        for image in message.images
    ]
    return {"role": message.role, "content": [{"type": "text", "text": text}, *images]}
