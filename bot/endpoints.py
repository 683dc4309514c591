"""Where the language model is reached: at an endpoint of its own, or at the Hub's router."""

from dataclasses import replace
from typing import Any

from bot.settings import OPENAI, Settings
from pipeline.domain import Model
from pipeline.selection.known_models import load_known
from pipeline.selection.policy import Rules, filter_models

_OPENAI_MODEL = "gpt-4.1-mini"
"""OpenAI's own has it; elsewhere it is a guess, which no sentence tells as a fact."""


def read_rules(settings: Settings) -> Rules:
    """The rules on models that hold for the whole installation."""
    return Rules(
        allow=settings.troupe_allow_models,
        deny=settings.troupe_deny_models,
        commercial=settings.troupe_licence == "commercial",
        providers=settings.troupe_providers,
        languages=settings.troupe_languages,
    )


def read_endpoint(settings: Settings) -> Any:  # noqa: ANN401 - Endpoint | None, not imported where it is off
    """Where the language model is reached; None if the rules allow no model of the router.

    HF_TOKEN alone makes the Hub's router the language model.
    """
    from adapters.openai.server import Endpoint  # noqa: PLC0415

    sees = settings.troupe_llm_sees_images
    options: dict[str, Any] = {
        "seconds": settings.troupe_llm_seconds,
        "context": settings.troupe_llm_context,
        "sees_images": None if sees == "auto" else sees,
        "network": settings.network,
    }
    if settings.openai:
        named = settings.troupe_model
        options["may_use"] = lambda _model: not named
        base, key = settings.openai_base_url, settings.openai_api_key
        is_guess = not named and base not in ("", OPENAI)
        model = named or _OPENAI_MODEL
        return Endpoint(model, base, key=key, is_guess=is_guess, **options)
    return read_router(settings, **options)


def read_router(settings: Settings, **options: Any) -> Any:  # noqa: ANN401 - as above
    """The Hub's router as a language model; None if the rules allow no model of it."""
    from adapters.openai.server import Endpoint  # noqa: PLC0415

    rules = replace(read_rules(settings), commercial=False, languages=())
    named = "" if settings.openai else settings.troupe_model

    def may_use(model: str) -> bool:
        return not named and bool(filter_models([Model(model, "", ())], rules))

    models = [named] if named else [*filter(may_use, load_known().router)]
    if not models:
        return None
    return Endpoint(
        models[0],
        f"{settings.hf_router_url}/v1",
        key=settings.hf_token,
        alternatives=tuple(models[1:]),
        may_use=may_use,
        providers=settings.troupe_providers,
        **options,
    )
