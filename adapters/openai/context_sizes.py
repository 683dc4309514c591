"""How many tokens a model's context holds, as servers of all kinds state it."""

from collections.abc import Iterator, Sequence

from adapters.model_list import Row

CAREFUL_SIZE = 16_384
"""Assumed where nothing is known."""
OPENAI_SIZE = 128_000
"""What each of OpenAI's current models holds at least. Its API does not say."""
OLLAMA_SIZE = 4_096
"""What Ollama gives a model on most machines. It cuts a longer prompt at the top, silently."""
_SIZE_FIELDS = (
    *("context_length", "context_window"),  # routers; Ollama
    *("n_ctx", "n_ctx_train"),  # llama.cpp
    *("loaded_context_length", "max_context_length"),  # LM Studio
    "max_model_len",  # vLLM
    "max_input_tokens",  # litellm
)
"""Fields of lists and pages in which servers state the size."""


def find_sizes(pages: Sequence[object], model: str) -> Iterator[int]:
    """All sizes that these pages of a server state for a model, at any depth.

    {"data": [{"id": "m", "meta": {"n_ctx": 8192}}]} gives 8192 for the model "m".
    """
    left = list(pages)
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict) and _is_about(value, model):
            sizes = (value.get(name) for name in _SIZE_FIELDS)
            yield from (size for size in sizes if type(size) is int and size > 0)
            left += value.values()


def _is_about(row: Row, model: str) -> bool:
    """Whether a row is not another model's, by id or, at Ollama, by name."""
    name = row.get("id", row.get("name"))
    return not isinstance(name, str) or name in (model, f"{model}:latest")
