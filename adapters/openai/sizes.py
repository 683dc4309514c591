"""How much the context of a model holds: as the endpoint says, as is known by its name, or a careful guess."""

from collections.abc import Mapping, Sequence
from typing import Any

import openai
from openai import AsyncOpenAI

from adapters.openai.endpoint import Endpoint
from adapters.openai.errors import CAUGHT, Way, trouble

CAREFUL = 16_384
_KNOWN: Mapping[str, int] = {
    "gpt-5": 272_000,
    "gpt-4.1": 1_000_000,
    "gpt-4o": 128_000,
    "gpt-4-turbo": 128_000,
    "gpt-4": 8_192,
    "gpt-3.5": 16_385,
    "o1": 200_000,
    "o3": 200_000,
    "o4": 200_000,
}
_FIELDS = (
    "max_model_len",  # vLLM
    "loaded_context_length",  # LM Studio
    "context_length",  # routers
    "context_window",
    "max_context_length",
    "n_ctx",
    "n_ctx_train",  # llama.cpp
)
_PATIENCE = 2.0


def known_size(model: str) -> int:
    """By the name of the model; 0 when it is not known."""
    name = model.rpartition("/")[2].casefold()
    return next((size for start, size in _KNOWN.items() if name.startswith(start)), 0)


async def stated_size(client: AsyncOpenAI, endpoint: Endpoint) -> int:
    """By the endpoint's list of models; 0 when it does not say."""
    rows = await listed(client) or ()
    return next((_size(row) for row in rows if row.get("id") == endpoint.model), 0)


async def listed(client: AsyncOpenAI) -> Sequence[Mapping[str, Any]] | None:
    """The endpoint's list of models, empty when it has none; None when it could not be asked."""
    try:
        answer = await client.models.with_raw_response.list(timeout=_PATIENCE)
        found = answer.http_response.json()
    except openai.APIStatusError as error:
        return None if trouble(error).way is Way.UNAVAILABLE else ()
    except CAUGHT:
        return None
    rows = found.get("data") if isinstance(found, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else ()


def _size(row: Mapping[str, Any]) -> int:
    meta = row.get("meta")
    fields = {**(meta if isinstance(meta, dict) else {}), **row}
    sizes = (fields.get(name) for name in _FIELDS)
    return next((size for size in sizes if isinstance(size, int) and size > 0), 0)
