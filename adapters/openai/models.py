"""Language models as servers list them: what they see, cost and offer, and how they are asked."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.domain import Price
from pipeline.ports import Prompt
from pipeline.selection.curated import is_chat_model
from pipeline.selection.known_models import ChatFamily, find_chat_family, load_known, matches_any

Row = Mapping[str, Any]

TYPICAL_TOKENS = (5_800, 600)
"""Of prompt and reply in a typical request: 4,300 and 300 for its plan, the rest for its answer."""
_MILLION = 1_000_000
_SIGHT = frozenset({"image", "vision"})

_THOUGHT_FIELDS = frozenset({"chat_template_kwargs", "reasoning_effort"})
_SAMPLING_FIELDS = frozenset({"temperature", "top_p"})
_PLAIN = ChatFamily("*", {}, {})


def list_fields(model: str, prompt: Prompt, *, are_thoughts_stopped: bool = False) -> Row:
    """The fields for temperature and effort as this model understands them.

    `are_thoughts_stopped`: it shall not think, since it says nothing else.
    """
    family = find_chat_family(model) or _PLAIN
    own = family.low if prompt.effort == "low" else family.medium
    thoughtless = load_known().thoughtless if are_thoughts_stopped else {}
    fields = {"temperature": prompt.temperature, **own, **thoughtless}
    dropped = set() if prompt.effort or are_thoughts_stopped else set(_THOUGHT_FIELDS)
    if prompt.temperature is None:
        dropped |= _SAMPLING_FIELDS
    return {
        name: value
        for name, value in fields.items()
        if name not in dropped and value not in (None, "default")
    }


def leaves_thoughts_open(model: str) -> bool:
    """Whether a model, by its name, streams thoughts without "<think>" if its server lets it."""
    return matches_any(model, load_known().unopened)


def is_seeing_by_name(model: str) -> bool | None:
    """Whether a model of OpenAI's own API takes pictures; None if its name does not tell."""
    return matches_any(model, load_known().seeing) or None


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


def choose_offer(
    offers: Sequence[Offer], names: Sequence[str], may_use: Callable[[str], bool], failed: str
) -> Offer | None:
    """The cheapest offer of the first of these models, else of another that may be used.

    Of others, of the general one that most providers run: what many serve, many use. Preferred are
    offers other than the one that failed, then those with JSON schemas. A name is a model's, or an
    offer's id.
    """
    common = Counter(offer.model for offer in offers)

    def rank(offer: Offer) -> tuple[bool, bool, bool, int, float, str]:
        places = [at for at, name in enumerate(names) if name in (offer.model, offer.id)]
        place = places[0] if places else -common[offer.model]
        is_failed = offer.id == failed
        return not places, is_failed, not offer.is_structured, place, offer.cost, offer.id

    fit = [
        offer
        for offer in offers
        if {offer.model, offer.id} & {*names}
        or (may_use(offer.model) and is_chat_model(offer.model))
    ]
    return min(fit, key=rank, default=None)


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
