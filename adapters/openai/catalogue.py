"""What the `llm` place can do, and what it costs.

The chat model has its own kinds; the endpoint may list further models for pictures and sounds.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

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

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return await self._list().candidates(kind, limit=limit)

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        return await self._list().find(model, kind=kind)

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        return await self._list().search(words, kind=kind, limit=limit)

    def _list(self) -> ListedCatalogue:
        rows, chat = self._server.models or (), self._server.endpoint
        price = next((parse_price(row) for row in rows if row.get("id") == chat.model), None)
        prices = {"": price} if price else {}
        able = [kind for kind in CHAT_TASKS if chat.sees_images or not needs_picture(KINDS[kind])]
        names = [str(row["id"]) for row in rows if row.get("id")]
        chats = [
            Model(chat.model, kind, (Place.LLM,), _DESCRIPTION, prices=prices) for kind in able
        ]
        media = [
            Model(name, kind, (Place.LLM,)) for name in names for kind in find_media_kinds(name)
        ]
        return ListedCatalogue([*chats, *media])


@lru_cache(4096)
def find_media_kinds(name: str) -> Sequence[str]:
    """What a model does, by its name."""
    name = name[:_MAX_NAME].casefold()
    return [
        kind for pattern, kinds in MEDIA_KINDS.items() if re.search(pattern, name) for kind in kinds
    ]


def parse_price(row: Row) -> Price | None:
    """The price in a row of the server's list, as OpenRouter states it: in dollars per token."""
    try:
        pricing = row["pricing"]
        parts = [round(float(pricing[name]) * _MILLION, 9) for name in ("prompt", "completion")]
    except (KeyError, TypeError, ValueError):
        return None
    return Price(*parts) if all(0 <= part < math.inf for part in parts) else None


def cost_of(price: Price | None, usage: Usage | None) -> float | None:
    """What a call cost in US dollars; None where the price or the tokens are not known."""
    if price is None or usage is None or min(usage.prompt_tokens, usage.completion_tokens) < 0:
        return None
    return price.of(usage.prompt_tokens, usage.completion_tokens)
