"""What the `llm` place can do, and what it costs.

The chat model has its own kinds; the endpoint may list further models for pictures and sounds.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.openai.chat_tasks import CHAT_TASKS, needs_picture
from adapters.openai.server import Row, Server
from pipeline.domain import Model, Place, Price, TaskKind
from pipeline.ports import Usage
from pipeline.selection import ListedCatalogue
from pipeline.task_kinds import KINDS

MEDIA_KINDS: Mapping[str, tuple[str, ...]] = {
    r"gpt-image|chatgpt-image": ("text-to-image", "image-text-to-image", "image-to-image"),
    r"dall-e-2": ("text-to-image", "image-text-to-image"),
    r"dall-e|flux|stable-diffusion|sdxl|qwen-image(?!-edit)": ("text-to-image",),
    r"flux.*kontext|image-edit": ("image-text-to-image", "image-to-image"),
    r"(?<!realtime-)tts|kokoro|orpheus": ("text-to-speech",),
    r"whisper|transcribe": ("automatic-speech-recognition",),
}
"""What models of these names do; first those that a request is likelier to need."""

_DESCRIPTION = "the language model itself"
_MILLION = 1_000_000
_MAX_NAME = 200


class OpenAiCatalogue:
    """The server's models, as far as it has listed them."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._rows: Sequence[Row] | None = None
        self._listed = ListedCatalogue(_list_models(server))

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return await self._refresh().candidates(kind, limit=limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        return await self._refresh().find(model, kind=kind)

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        return await self._refresh().search(words, kind=kind, limit=limit)

    def _refresh(self) -> ListedCatalogue:
        if self._rows is not self._server.models:
            self._rows = self._server.models
            self._listed = ListedCatalogue(_list_models(self._server))
        return self._listed


def _list_models(server: Server) -> Sequence[Model]:
    rows, chat = server.models or (), server.endpoint
    price = next((parse_price(row) for row in rows if row.get("id") == chat.model), None)
    return [
        *(
            Model(chat.model, kind, (Place.LLM,), _DESCRIPTION, prices={"": price} if price else {})
            for kind in CHAT_TASKS
            if chat.sees_images or not needs_picture(KINDS[kind])
        ),
        *(
            Model(name, kind, (Place.LLM,))
            for name in (str(row["id"]) for row in rows if row.get("id"))
            for pattern, kinds in MEDIA_KINDS.items()
            if re.search(pattern, name[:_MAX_NAME].casefold())
            for kind in kinds
        ),
    ]


def parse_price(row: Row) -> Price | None:
    """The price in a row of the server's list; None where it states none, or several.

    OpenRouter states dollars per token (`pricing.prompt`, `.completion`), Hugging Face's router
    dollars per million tokens at each provider (`providers[].pricing.input`, `.output`).
    """
    match row:
        case {"pricing": dict(pricing)}:
            return _to_price(pricing, "prompt", "completion", _MILLION)
        case {"providers": list(rows)}:
            listed = [one.get("pricing") for one in rows if isinstance(one, dict)]
            prices = {_to_price(pricing, "input", "output") for pricing in listed}
            return prices.pop() if len(prices) == 1 else None
        case _:
            return None


def _to_price(pricing: Any, prompt: str, completion: str, factor: int = 1) -> Price | None:  # noqa: ANN401 - JSON
    try:
        parts = [round(float(pricing[name]) * factor, 9) for name in (prompt, completion)]
    except (KeyError, TypeError, ValueError):
        return None
    return Price(*parts) if all(0 <= part < math.inf for part in parts) else None


def cost_of(price: Price | None, usage: Usage | None) -> float | None:
    """What a call cost in US dollars; None where the price or the tokens are not known."""
    if price is None or usage is None or min(usage.prompt_tokens, usage.completion_tokens) < 0:
        return None
    return price.of(usage.prompt_tokens, usage.completion_tokens)
