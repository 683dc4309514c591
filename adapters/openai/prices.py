"""What the endpoint says that its models cost. Most say nothing."""

import math
from collections.abc import Mapping
from typing import Any

from pipeline.domain import Price
from pipeline.ports import Usage

_MILLION = 1_000_000


def price_of(row: Mapping[str, Any]) -> Price | None:
    """Out of a row of the endpoint's list, in either of the two forms that are known; None where it tells none, or several.

    OpenRouter tells dollars for a token (`pricing.prompt`, `pricing.completion`), Hugging Face's router dollars for a million of them
    at each provider (`providers[].pricing.input`, `.output`).
    """
    if isinstance(pricing := row.get("pricing"), dict):
        return _price(pricing.get("prompt"), pricing.get("completion"), _MILLION)
    providers = row.get("providers")
    rows = providers if isinstance(providers, list) else ()
    listed = [one.get("pricing") for one in rows if isinstance(one, dict)]
    prices = {
        _price(one.get("input"), one.get("output")) for one in listed if isinstance(one, dict)
    }
    return prices.pop() if len(prices) == 1 and all(listed) else None


def cost(price: Price | None, used: Usage | None) -> float | None:
    """What a call cost in US dollars; None where the price or the tokens are not known."""
    if price is None or used is None or min(used.prompt_tokens, used.completion_tokens) < 0:
        return None
    return price.of(used.prompt_tokens, used.completion_tokens)


def _price(prompt: object, completion: object, times: float = 1) -> Price | None:
    try:
        price = Price(
            round(float(str(prompt)) * times, 9), round(float(str(completion)) * times, 9)
        )
    except ValueError:
        return None
    return price if all(0 <= part < math.inf for part in (price.prompt, price.completion)) else None
