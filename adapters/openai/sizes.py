"""How much the context of a model holds: as the endpoint says, as is known by its name, or a careful guess."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI

from adapters.openai.endpoint import Endpoint
from adapters.openai.errors import CAUGHT, Way, trouble

CAREFUL = 16_384
OLLAMA = 4_096
"""What Ollama gives a model on most machines. It cuts what is longer, from the top, without a word."""
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
    "n_ctx",  # llama.cpp
    "context_length",  # routers
    "context_window",
)
_AT_MOST = ("max_context_length", "n_ctx_train")
"""What the model could hold; the server may have loaded it with less."""
_PATIENCE = 2.0
_NAMED = re.compile(r"context (?:length|size)(?: is|:)? \(?(\d{3,7})\b")


def known_size(model: str) -> int:
    """By the name of the model; 0 when it is not known."""
    name = model.rpartition("/")[2].casefold()
    return next((size for start, size in _KNOWN.items() if name.startswith(start)), 0)


async def stated_size(client: AsyncOpenAI, endpoint: Endpoint) -> tuple[int, bool]:
    """As the endpoint says, or a careful guess when it does not, 0 when it could not be asked; and whether that is its last word."""
    rows = await listed(client)
    if rows is None:
        return 0, False
    row = next((row for row in rows if row.get("id") == endpoint.model), {})
    if size := _size(row):
        return size, True
    running = (await _asked(client, "/api/ps")).get("models")
    if isinstance(running, list):
        size = _running(running, endpoint.model)
        return size or OLLAMA, bool(size)
    sizes = (await _loaded(client, endpoint.model), _size(row, _AT_MOST))
    return min(filter(None, sizes), default=CAREFUL), True


def refused_size(error: Exception | None) -> int:
    """The size that an endpoint names when it refuses what is too long; 0 when it names none."""
    told = _NAMED.search(error.message) if isinstance(error, openai.APIStatusError) else None
    return int(told[1]) if told else 0


def _running(rows: Sequence[Any], model: str) -> int:
    """What Ollama tells of a model that it has loaded; 0 while it has not."""
    names = (model, f"{model}:latest")
    found = [row for row in rows if isinstance(row, dict) and row.get("name") in names]
    return _size(found[0]) if found else 0


async def _loaded(client: AsyncOpenAI, model: str) -> int:
    """What llama.cpp and LM Studio tell elsewhere: with how large a context the model was loaded. 0: they do not say."""
    props = await _asked(client, "/props")
    settings = props.get("default_generation_settings")
    if isinstance(settings, dict) and (size := _size(settings)):
        return size
    rows = (await _asked(client, "/api/v0/models")).get("data")
    found = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return next((_size(row) for row in found if row.get("id") == model), 0)


async def _asked(client: AsyncOpenAI, path: str) -> Mapping[str, Any]:
    """A page beside the API, of this server alone; empty when there is none."""
    try:
        answer = await client.get(
            str(client.base_url.copy_with(raw_path=path.encode())),
            cast_to=httpx2.Response,
            options={"timeout": _PATIENCE},
        )
        found = answer.json()
    except CAUGHT:
        return {}
    return found if isinstance(found, dict) else {}


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


def _size(row: Mapping[str, Any], names: Sequence[str] = _FIELDS) -> int:
    """The smallest size that is told, here or one level below."""
    inner = (row.get("meta"), row.get("top_provider"))
    parts = [row, *(part for part in inner if isinstance(part, dict))]
    sizes = (part.get(name) for part in parts for name in names)
    return min((size for size in sizes if type(size) is int and size > 0), default=0)
