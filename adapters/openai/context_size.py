"""How many tokens a model's context holds: as its server says, by name, or a careful guess."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI

from adapters.openai.errors import CAUGHT, classify
from pipeline.errors import LlmUnavailable

CAREFUL = 16_384
_OLLAMA_DEFAULT = 4_096
"""What Ollama gives a model on most machines. It cuts a longer prompt at the top, silently."""
_BY_NAME: Mapping[str, int] = {
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
_LOADED_FIELDS = (
    "max_model_len",  # vLLM
    "loaded_context_length",  # LM Studio
    "n_ctx",  # llama.cpp
    "context_length",  # routers
    "context_window",
)
_LIMIT_FIELDS = ("max_context_length", "n_ctx_train")
"""What the model could hold; the server may have loaded it with less."""
_TIMEOUT = 2.0
_IN_REFUSAL = re.compile(r"context (?:length|size)(?: is|:)? \(?(\d{3,7})\b")


def find_known_size(model: str) -> int:
    """By the name of the model; 0 when it is not known."""
    name = model.rpartition("/")[2].casefold()
    return next((size for prefix, size in _BY_NAME.items() if name.startswith(prefix)), 0)


def find_refused_size(error: Exception) -> int:
    """The size that an endpoint names when it refuses a prompt as too long, or 0."""
    match = _IN_REFUSAL.search(error.message) if isinstance(error, openai.APIStatusError) else None
    return int(match[1]) if match else 0


async def find_stated_size(client: AsyncOpenAI, model: str) -> tuple[int, bool]:
    """What the endpoint says, and whether that is final.

    A careful guess where it says nothing; 0 where it could not be asked.
    """
    rows = await list_models(client)
    if rows is None:
        return 0, False
    row = _find_row(rows, model)
    if size := _size_in(row):
        return size, True
    running = (await _get_page(client, "/api/ps")).get("models")
    if isinstance(running, list):  # Ollama, which says it once the model is loaded
        size = _size_in(_find_row(running, model))
        return size or _OLLAMA_DEFAULT, bool(size)
    llama = (await _get_page(client, "/props")).get("default_generation_settings")
    studio = (await _get_page(client, "/api/v0/models")).get("data")
    loaded = _size_in(llama) or _size_in(_find_row(studio, model))
    sizes = (loaded, _size_in(row, _LIMIT_FIELDS))
    return min(filter(None, sizes), default=CAREFUL), True


async def list_models(client: AsyncOpenAI) -> Sequence[Mapping[str, Any]] | None:
    """The rows of the endpoint's list of models; None when it could not be asked."""
    try:
        response = await client.models.with_raw_response.list(timeout=_TIMEOUT)
        page = response.http_response.json()
    except CAUGHT as error:
        is_answered = isinstance(error, openai.APIStatusError)
        return () if is_answered and classify(error)[0] is not LlmUnavailable else None
    rows = page.get("data") if isinstance(page, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else ()


async def _get_page(client: AsyncOpenAI, path: str) -> Mapping[str, Any]:
    """A JSON page beside the API, of this server alone; empty when there is none."""
    try:
        response = await client.get(
            str(client.base_url.copy_with(raw_path=path.encode())),
            cast_to=httpx2.Response,
            options={"timeout": _TIMEOUT},
        )
        page = response.json()
    except CAUGHT:
        return {}
    return page if isinstance(page, dict) else {}


def _find_row(rows: object, model: str) -> object:
    """The row of a model, by id or, at Ollama, by name."""
    names = (model, f"{model}:latest")
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return next((row for row in listed if row.get("id", row.get("name")) in names), {})


def _size_in(row: object, names: Sequence[str] = _LOADED_FIELDS) -> int:
    """The smallest size in a row, or one level below; 0 when there is none."""
    if not isinstance(row, dict):
        return 0
    parts = [part for part in (row, row.get("meta"), row.get("top_provider")) if part]
    sizes = [part.get(name) for part in parts if isinstance(part, dict) for name in names]
    return min((size for size in sizes if type(size) is int and size > 0), default=0)
