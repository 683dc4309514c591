"""The controller and the experts, as the settings engage them. What is not configured is not even imported."""

import importlib.util
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from adapters.embedded.planner import EmbeddedPlanner, likely_kinds
from adapters.huggingface import (
    hosted_expert,
    hub,
    inference_wire,
    known_models,
    live_catalogue,
    priced_catalogue,
)
from adapters.local.catalogue import Ready, served_catalogue
from adapters.local.keeper import Keeper, KeptExpert, own_server
from bot.owning import own_options
from bot.settings import Settings
from pipeline.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.domain import Place, Request, TaskKind
from pipeline.planning.planner import LlmPlanner
from pipeline.policy import Rules
from pipeline.ports import (
    Cache,
    Catalogue,
    Expert,
    Fetch,
    Llm,
    MediaTools,
    Planner,
    Records,
    Responder,
    Taught,
    Workers,
)
from pipeline.response import LlmResponder, PlainResponder
from pipeline.table import KINDS

EMBEDDED = (
    "cv2",
    "docx",
    "espeakng_loader",
    "imageio_ffmpeg",
    "onnxruntime",
    "pocketsphinx",
    "pypdf",
    "pypdfium2",
    "rapidocr",
    "sklearn",
    "vaderSentiment",
)
"""What the extra [embedded] brings, by the names under which it is imported."""


_PATIENCE = 3.0
"""Seconds for which the first request waits for an expert server that is just beginning."""


@dataclass(frozen=True, slots=True)
class Troupe:
    """Those who plan, act and answer."""

    planners: tuple[Planner, ...]
    responders: tuple[Responder, ...]
    catalogue: Catalogue
    experts: Mapping[Place, Expert]
    llm: Llm | None
    closed: frozenset[Place] = frozenset()
    """Places that are set up, but left out of TROUPE_PLACES."""
    keeper: Keeper | None = None
    """Of the expert server that the program runs itself."""


@dataclass(frozen=True, slots=True)
class Outside:
    """The ports that experts and catalogues work with."""

    workers: Workers
    media: MediaTools
    fetch: Fetch
    cache: Cache
    records: Records
    taught: Taught


async def engaged(settings: Settings, stack: AsyncExitStack, outside: Outside) -> Troupe:
    """Everybody the settings name; the built-in planner and responder stand in for the language model."""
    experts: dict[Place, Expert] = {}
    catalogues: list[Catalogue] = []
    llm = None
    if settings.controller:
        llm = await _controller(settings, stack, outside.cache, experts, catalogues)
    if settings.hf_token:
        await _hosted(settings, stack, outside, experts, catalogues)
    keeper = await _own(settings, stack, experts, catalogues)
    if settings.troupe_experts_url:
        base, token = settings.troupe_experts_url, settings.troupe_experts_token
        experts[Place.LOCAL] = await _served(base, token, stack, catalogues)
    if all(importlib.util.find_spec(name) for name in EMBEDDED):
        _embedded(outside, experts, catalogues)
    order = [Place(place) for place in settings.troupe_places if Place(place) in experts]
    catalogue = JoinedCatalogue(catalogues, places=order)
    own_planner, own_responder = EmbeddedPlanner(outside.taught), PlainResponder()
    return Troupe(
        (_planner(settings, outside, llm, catalogue), own_planner) if llm else (own_planner,),
        (LlmResponder(llm), own_responder) if llm else (own_responder,),
        catalogue,
        {place: experts[place] for place in order},
        llm,
        closed_places(settings, experts),
        keeper,
    )


def closed_places(settings: Settings, experts: Collection[Place]) -> frozenset[Place]:
    """The places that are set up and left out all the same."""
    set_up = {*experts, *({Place.LLM} if settings.controller else ())}
    return frozenset(place for place in set_up if place.value not in settings.troupe_places)


def _planner(settings: Settings, outside: Outside, llm: Llm, catalogue: Catalogue) -> LlmPlanner:
    return LlmPlanner(
        llm,
        catalogue,
        likely,
        early=settings.troupe_streamed_planning,
        rules=rules(settings),
        records=outside.records,
        choosing=settings.troupe_selection != "ranked",
        taught=outside.taught,
        thorough=settings.troupe_selection == "thorough",
    )


def rules(settings: Settings) -> Rules:
    """Which models this installation allows."""
    return Rules(
        allow=settings.troupe_allow_models,
        deny=settings.troupe_deny_models,
        commercial=settings.troupe_licence == "commercial",
        providers=settings.troupe_providers,
        languages=settings.troupe_languages,
    )


def likely(request: Request) -> Sequence[TaskKind]:
    """All kinds, as likely as the built-in planner finds them."""
    return [KINDS[name] for name in likely_kinds(request, len(KINDS))]


async def _controller(
    settings: Settings,
    stack: AsyncExitStack,
    cache: Cache,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> Llm:
    """The language model; it is an expert, too."""
    from adapters.openai import (  # noqa: PLC0415 - not loaded where it is not configured
        Endpoint,
        OpenAiCatalogue,
        OpenAiExpert,
        OpenAiLlm,
        connected,
    )

    endpoint = Endpoint(
        settings.troupe_model,
        settings.openai_base_url,
        settings.openai_api_key,
        seconds=settings.troupe_llm_seconds,
        context=settings.troupe_llm_context,
        sees_images=settings.troupe_llm_sees_images,
    )
    client = await stack.enter_async_context(connected(endpoint))
    if Place.LLM in settings.troupe_places:
        experts[Place.LLM] = OpenAiExpert(client, endpoint)
        catalogues.append(OpenAiCatalogue(client, endpoint))
    return OpenAiLlm(client, endpoint, cache)


async def _hosted(
    settings: Settings,
    stack: AsyncExitStack,
    outside: Outside,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> None:
    """The providers behind the Hub's router, and the live Hub that says what they serve."""
    token = settings.hf_token
    hosted = hosted_expert(settings.hf_router_url, outside.fetch, token=token)
    experts[Place.HOSTED] = await stack.enter_async_context(hosted)
    pages = await stack.enter_async_context(hub(settings.hf_endpoint, token=token))
    live = live_catalogue(
        pages,
        outside.cache,
        known=known_models([Place.HOSTED]),
        clock=lambda: datetime.now(UTC),
        keep=timedelta(hours=settings.troupe_catalogue_hours),
    )
    served = await stack.enter_async_context(live)
    priced = priced_catalogue(served, settings.hf_router_url, token=token)
    catalogues.append(await stack.enter_async_context(priced))


async def _own(
    settings: Settings,
    stack: AsyncExitStack,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> Keeper | None:
    """An expert server as a child of the program, where one can run; nothing waits for it to begin."""
    options = await own_options(settings)
    if options is None:
        return None
    keeper = await stack.enter_async_context(own_server(options))
    ready = partial(keeper.decided, _PATIENCE)
    wire = await _served(keeper.base, keeper.options.token, stack, catalogues, ready)
    experts[Place.LOCAL] = KeptExpert(wire, keeper)
    return keeper


async def _served(
    base: str,
    token: str,
    stack: AsyncExitStack,
    catalogues: list[Catalogue],
    ready: Ready | None = None,
) -> Expert:
    """An expert server, and what it has."""
    wire = inference_wire(base, place=Place.LOCAL, token=token)
    known = known_models([Place.LOCAL])
    served = served_catalogue(base, token=token, known=known, ready=ready)
    catalogues.append(await stack.enter_async_context(served))
    return await stack.enter_async_context(wire)


def _embedded(
    outside: Outside,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> None:
    from adapters.embedded.experts import (  # noqa: PLC0415 - an extra
        EmbeddedExpert,
        embedded_models,
    )

    experts[Place.EMBEDDED] = EmbeddedExpert(outside.workers, outside.media)
    catalogues.append(ListedCatalogue(embedded_models()))
