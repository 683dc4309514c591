"""Models as the Hub's API lists them."""

from collections.abc import Mapping
from typing import Any

Row = Mapping[str, Any]


def row(  # noqa: PLR0913 - a builder
    id_: str,
    tag: str,
    *providers: str,
    downloads: int = 100,
    licence: str = "apache-2.0",
    languages: tuple[str, ...] = ("en",),
    status: str = "live",
    task: str = "",
    **more: Any,
) -> Row:
    """A row of `GET /api/models` with `expand`; providers in the shape that lists have."""
    return {
        "id": id_,
        "pipeline_tag": tag,
        "downloads": downloads,
        "likes": downloads // 10,
        "gated": False,
        "private": False,
        "sha": f"sha-{id_}",
        "tags": [f"license:{licence}", *languages],
        "cardData": {"license": licence, "language": list(languages)},
        "safetensors": {"parameters": {"F32": 1000, "BF16": 10}, "total": 1010},
        "inferenceProviderMapping": [
            {
                "provider": provider,
                "providerId": f"{provider}/{id_.rpartition('/')[2]}",
                "status": status,
                "task": task or tag,
            }
            for provider in providers
        ],
        **more,
    }
