"""Hugging Face's router: lists each model with its providers, as hub-docs' hub-api.md has it, and
refuses what it and the providers refuse.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.servers.openai.server import Asked, OpenAiServer

Row = dict[str, Any]
_STRICT = ("cerebras", "groq")
"""Providers that refuse fields they do not know."""
_UNKNOWN = ("prompt_cache_key", "chat_template_kwargs")
_MAX_SCHEMA = 5_000
"""Characters that Cerebras takes as a schema."""


def offer(
    provider: str,
    price: tuple[float, float] | None = (0.25, 0.69),
    *,
    structured: bool | None = True,
    status: str = "live",
    context: int = 131_072,
) -> Row:
    """A provider of a model. The price is in dollars per million tokens; None: not stated."""
    row: Row = {"provider": provider, "status": status, "is_model_author": False}
    if structured is not None:
        probed = {"first_token_latency_ms": 525.8, "throughput": 34.6, "supports_tools": True}
        row |= {"context_length": context, "supports_structured_output": structured, **probed}
    if price:
        row["pricing"] = {"input": price[0], "output": price[1]}
    return row


def served(model: str, *offers: Row, sees: bool = False) -> Row:
    """A model of the list."""
    return {
        "id": model,
        "object": "model",
        "created": 1_776_837_885,
        "owned_by": model.partition("/")[0],
        "architecture": {
            "input_modalities": ["text", "image"] if sees else ["text"],
            "output_modalities": ["text"],
        },
        "providers": list(offers),
    }


def list_served() -> list[Row]:
    """Some of what the router served in August 2026; prices and sizes are made up."""
    return [
        served(
            "moonshotai/Kimi-K3", offer("together", (1.2, 4.0)), offer("baseten", None), sees=True
        ),
        served(
            "google/gemma-4-31B-it",
            offer("novita", (0.14, 0.4), structured=False),
            offer("cerebras", (0.2, 0.6)),
            sees=True,
        ),
        served(
            "openai/gpt-oss-120b",
            offer("groq", (0.15, 0.6), structured=False),
            offer("cerebras", (0.25, 0.69)),
            offer("fireworks-ai", None),
            offer("ovhcloud", (0.05, 0.1), status="error"),
            offer("featherless-ai", None, structured=None),
        ),
        served("openai/gpt-oss-20b", offer("groq", (0.1, 0.5), structured=False)),
    ]


@dataclass
class RouterServer(OpenAiServer):
    """Serves what its list says. A token without credit gets 402."""

    models: list[Row] = field(default_factory=list_served)
    has_credit: bool = True

    def refusal(self, asked: Asked) -> web.Response | None:
        if not asked.key.startswith("hf_"):
            return _refuse(401, "Invalid username or password.")
        if not self.has_credit:
            return _refuse(402, "You have exceeded your monthly included credits.")
        if asked.path.endswith("/chat/completions") and (refusal := self._misfit(asked)):
            return refusal
        return super().refusal(asked)

    def _misfit(self, asked: Asked) -> web.Response | None:
        """The refusal of what the model or its provider does not do."""
        name = str(asked.body["model"])
        model, _, provider = name.partition(":")
        row = next((row for row in self.models if row["id"] == model), None)
        live = [each for each in row["providers"] if each["status"] == "live"] if row else []
        chosen = next((each for each in live if provider in ("", each["provider"])), None)
        if row is None or chosen is None:
            return _refuse(
                400,
                f"The requested model '{name}' is not supported by any provider you have enabled.",
                type="invalid_request_error",
                param="model",
                code="model_not_supported",
            )
        if asked.images and "image" not in row["architecture"]["input_modalities"]:
            return _refuse(400, f"{model} is not a multimodal model")
        form = asked.body.get("response_format", {}).get("type")
        if form == "json_schema" and not chosen.get("supports_structured_output"):
            return _refuse(400, "response_format json_schema is not supported for this model")
        if chosen["provider"] in _STRICT and (refusal := _refuse_strictly(asked.body, model)):
            return refusal
        if "Kimi-K3" in model and asked.body.get("temperature", 1) != 1:
            return _refuse(400, "invalid temperature: only 1 is allowed for this model")
        return None


def _refuse_strictly(body: Row, model: str) -> web.Response | None:
    """What Cerebras and Groq answer to fields and values of others."""
    for name in _UNKNOWN:
        if name in body:
            return _refuse(422, f"body.{name}: property 'body.{name}' is unsupported")
    if "gpt-oss" in model and body.get("reasoning_effort", "low") not in ("low", "medium", "high"):
        return _refuse(400, "reasoning_effort must be one of low, medium, high")
    if len(json.dumps(body.get("response_format", {}))) > _MAX_SCHEMA:
        return _refuse(400, "response_format: the schema is too long")
    return None


def _refuse(status: int, message: str, **fields: str) -> web.Response:
    error: Mapping[str, str] | str = {"message": message, **fields} if fields else message
    return web.json_response({"error": error}, status=status)
