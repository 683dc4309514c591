"""Lists of language models as servers write them at /v1/models: what they see, cost and offer.

Read by everybody who asks such a server: the endpoint, the router's prices, servers nearby.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.domain import Price

Row = Mapping[str, Any]
TYPICAL_TOKENS = (5_800, 600)
"""Of prompt and reply in a typical request: 4,300 and 300 for its plan, the rest for its answer."""
_MILLION = 1_000_000
_SIGHT = frozenset({"image", "vision"})


def read_rows(page: object) -> list[Row]:
    """The rows of a list of models; empty for any other page."""
    match page:
        case {"data": list(rows)}:
            return [row for row in rows if isinstance(row, dict)]
        case _:
            return []


def find_sight(documents: Iterable[object]) -> bool | None:
    """Whether a model takes pictures, by what servers say of it; None if they do not say."""
    answers = (sees for document in documents if (sees := _read_sight(document)) is not None)
    return next(answers, None)


def _read_sight(document: object) -> bool | None:
    match document:
        case {"architecture": {"input_modalities": list(inputs)}}:  # routers, llama.cpp
            return any(value in _SIGHT for value in inputs if isinstance(value, str))
        case {"modalities": {"vision": bool(sees)}}:  # llama.cpp
            return sees
        case {"capabilities": {"vision": bool(sees)}}:  # Mistral
            return sees
        case {"capabilities": list(skills)}:  # Ollama
            return "vision" in skills
        case {"type": "vlm" | "llm" as kind}:  # LM Studio
            return bool(kind == "vlm")
        case _:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A model at one of a router's providers. `context` in tokens, 0 if unknown."""

    model: str
    provider: str
    price: Price | None
    context: int
    is_structured: bool
    """Whether replies follow a JSON schema."""
    is_seeing: bool

    @property
    def id(self) -> str:
        """How the router is asked for the model at this provider."""
        return f"{self.model}:{self.provider}"

    @property
    def cost(self) -> float:
        """Of a typical request in US dollars; unknown prices count as the highest."""
        return self.price.of(*TYPICAL_TOKENS) if self.price else math.inf


def list_offers(rows: Iterable[Row], providers: Sequence[str] = ()) -> Iterator[Offer]:
    """The live offers in a router's list; only of these providers if any are given.

    For the form of the list see hub-docs, docs/inference-providers/hub-api.md.
    """
    for row in rows:
        entries = row.get("providers")
        for entry in entries if isinstance(entries, list) else ():
            offer = _parse_offer(row, entry) if isinstance(entry, dict) else None
            if offer and (not providers or offer.provider in providers):
                yield offer


def _parse_offer(row: Row, entry: Row) -> Offer | None:
    """A provider's offer of a row's model; None if it is not live."""
    match row, entry:
        case {"id": str(model)}, {"provider": str(provider), "status": "live"}:
            size = entry.get("context_length")
            return Offer(
                model=model,
                provider=provider,
                price=parse_price(entry),
                context=size if type(size) is int and size > 0 else 0,
                is_structured=entry.get("supports_structured_output") is True,
                is_seeing=bool(find_sight([row])),
            )
        case _:
            return None


def parse_price(row: Row) -> Price | None:
    """The price in a row of a list of models, or of a router's provider.

    OpenRouter counts in dollars per token, Hugging Face's router in dollars per million tokens.
    """
    match row.get("pricing"):
        case {"prompt": prompt, "completion": completion}:
            parts, unit = (prompt, completion), _MILLION
        case {"input": prompt, "output": completion}:
            parts, unit = (prompt, completion), 1
        case _:
            return None
    try:
        price = [round(float(part) * unit, 9) for part in parts]
    except (TypeError, ValueError):
        return None
    return Price(*price) if all(0 <= part < math.inf for part in price) else None
