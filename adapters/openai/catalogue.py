"""What the `llm` place can do: the chat model's own kinds, and the models for pictures and sounds that the endpoint lists."""

import asyncio
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from openai import AsyncOpenAI

from adapters.openai.chores import CHORES
from adapters.openai.endpoint import Endpoint
from adapters.openai.prices import price_of
from adapters.openai.sizes import listed
from pipeline.catalogues import ListedCatalogue
from pipeline.domain import Model, Place, Price, TaskKind

_NAMED: Mapping[str, tuple[str, ...]] = {
    r"gpt-image|chatgpt-image": ("text-to-image", "image-text-to-image", "image-to-image"),
    r"dall-e-2": ("text-to-image", "image-text-to-image"),
    r"dall-e|flux|stable-diffusion|sdxl|qwen-image(?!-edit)": ("text-to-image",),
    r"flux.*kontext|image-edit": ("image-text-to-image", "image-to-image"),
    r"(?<!realtime-)tts|kokoro|orpheus": ("text-to-speech",),
    r"whisper|transcribe": ("automatic-speech-recognition",),
}
"""What models of these names do; first those that a request is likelier to need."""

_LATER = 60.0
"""Seconds until an endpoint that could not be asked is asked again."""
_DESCRIPTION = "the language model itself"


class OpenAiCatalogue:
    """The endpoint's models. It is asked once, when something is first looked for; again if it did not answer."""

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint) -> None:
        self._client = client
        self._endpoint = endpoint
        self._models = ListedCatalogue(())
        self._asking = asyncio.Lock()
        self._stale = 0.0

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return await (await self._all()).candidates(kind, limit=limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        return await (await self._all()).find(model, kind=kind)

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        return await (await self._all()).search(words, kind=kind, limit=limit)

    async def _all(self) -> ListedCatalogue:
        now = asyncio.get_running_loop().time()
        async with self._asking:
            if now >= self._stale:
                rows = await listed(self._client)
                names = [str(row["id"]) for row in rows or () if row.get("id")]
                chat = self._chat(_price_in(rows or (), self._endpoint.model))
                self._models = ListedCatalogue((*chat, *_makers(names)))
                self._stale = now + (_LATER if rows is None else math.inf)
        return self._models

    def _chat(self, price: Price | None) -> Sequence[Model]:
        name = self._endpoint.model
        prices = {"": price} if price else {}
        return [
            Model(name, kind, (Place.LLM,), _DESCRIPTION, prices=prices)
            for kind, chore in CHORES.items()
            if self._endpoint.sees_images or not chore.sees or kind == "document-question-answering"
        ]


def _price_in(rows: Sequence[Mapping[str, Any]], model: str) -> Price | None:
    return next((price_of(row) for row in rows if row.get("id") == model), None)


def _makers(names: Sequence[str]) -> Sequence[Model]:
    return [
        Model(name, kind, (Place.LLM,))
        for pattern, kinds in _NAMED.items()
        for name in names
        if re.search(pattern, name.casefold())
        for kind in kinds
    ]
