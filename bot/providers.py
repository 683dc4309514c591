"""The controller and the experts that the settings name. Only what is configured is imported."""

import asyncio
import importlib.util
import os
import secrets
import sys
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.local.catalogue import open_served_catalogue
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from bot.settings import LOOPBACK, Settings, child_environment
from pipeline.domain import LocalizedText, Place, PlanPart, Request, TaskKind
from pipeline.errors import SettingsError
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import (
    Cache,
    Catalogue,
    Expert,
    Fetch,
    FindExamples,
    Llm,
    MediaTools,
    Planner,
    Records,
    Responder,
    Workers,
)
from pipeline.response import LlmResponder, PlainResponder
from pipeline.selection import JoinedCatalogue, ListedCatalogue, Rules
from pipeline.task_kinds import KINDS
from pipeline.words import say

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


@dataclass(frozen=True, slots=True)
class Providers:
    """Those who plan, act and answer."""

    planners: tuple[Planner, ...]
    responders: tuple[Responder, ...]
    catalogue: Catalogue
    experts: Mapping[Place, Expert]
    llm: Llm | None
    closed: frozenset[Place] = frozenset()
    """Places that are set up, but left out of TROUPE_PLACES."""
    own_server: str = ""
    """The address of the expert server that the program runs itself."""


@dataclass(frozen=True, slots=True)
class ProviderTools:
    """The ports that experts and catalogues work with."""

    workers: Workers
    media: MediaTools
    fetch: Fetch
    cache: Cache
    records: Records
    find_examples: FindExamples


@dataclass(frozen=True, slots=True)
class _BuiltInPlanner:
    """The embedded planner, loaded on first use: numpy would be a fifth of the start."""

    find_examples: FindExamples
    name: str = "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        await asyncio.to_thread(load_planner)
        from adapters.embedded.planner import EmbeddedPlanner  # noqa: PLC0415 - see above

        async with aclosing(EmbeddedPlanner(self.find_examples).plan(request)) as parts:
            async for part in parts:
                yield part


def load_planner() -> None:
    """Load what the embedded planner needs; blocks for a moment."""
    importlib.import_module("adapters.embedded.planner")


async def open_providers(
    settings: Settings, stack: AsyncExitStack, ports: ProviderTools
) -> Providers:
    """Open everything the settings name; what is built in stands in for the language model."""
    experts: dict[Place, Expert] = {}
    catalogues: list[Catalogue] = []
    llm = None
    if settings.controller:
        llm = await _controller(settings, stack, ports.cache, experts, catalogues)
    if settings.hf_token:
        await _hosted(settings, stack, ports, experts, catalogues)
    own_server = await _own(settings, stack, experts, catalogues)
    if settings.troupe_experts_url:
        base, token = settings.troupe_experts_url, settings.troupe_experts_token
        experts[Place.LOCAL] = await _server(base, token, stack, catalogues)
    if all(importlib.util.find_spec(name) for name in EMBEDDED):
        _embedded(ports, experts, catalogues)
    order = [Place(place) for place in settings.troupe_places if Place(place) in experts]
    catalogue = JoinedCatalogue(catalogues, places=order)
    own_planner, own_responder = _BuiltInPlanner(ports.find_examples), PlainResponder()
    return Providers(
        (_planner(settings, ports, llm, catalogue), own_planner) if llm else (own_planner,),
        (LlmResponder(llm), own_responder) if llm else (own_responder,),
        catalogue,
        {place: experts[place] for place in order},
        llm,
        find_closed_places(settings, experts),
        own_server,
    )


def find_closed_places(settings: Settings, experts: Collection[Place]) -> frozenset[Place]:
    """The places that are set up and left out all the same."""
    set_up = {*experts, *({Place.LLM} if settings.controller else ())}
    return frozenset(place for place in set_up if place.value not in settings.troupe_places)


def _planner(
    settings: Settings, ports: ProviderTools, llm: Llm, catalogue: Catalogue
) -> LlmPlanner:
    return LlmPlanner(
        llm,
        catalogue,
        rank_kinds,
        rules=rules_of(settings),
        records=ports.records,
        choosing=settings.troupe_selection != "ranked",
        find_examples=ports.find_examples,
        thorough=settings.troupe_selection == "thorough",
    )


def row_planner(llm: Llm | None, catalogue: Catalogue, words: str) -> LlmPlanner:
    """The language model as a planner of rows in a vocabulary. There must be one."""
    assert llm is not None
    from bot.evaluation.taskbench import vocabulary  # noqa: PLC0415 - only for rows

    return LlmPlanner(llm, catalogue, rank_kinds, kinds=vocabulary(words))


def rules_of(settings: Settings) -> Rules:
    """Which models this installation allows."""
    return Rules(
        allow=settings.troupe_allow_models,
        deny=settings.troupe_deny_models,
        commercial=settings.troupe_licence == "commercial",
        providers=settings.troupe_providers,
        languages=settings.troupe_languages,
    )


def rank_kinds(request: Request) -> Sequence[TaskKind]:
    """All kinds, as likely as the built-in planner finds them."""
    from adapters.embedded.planner import likely_kinds  # noqa: PLC0415 - see above

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
        open_client,
    )

    endpoint = Endpoint(
        settings.troupe_model,
        settings.openai_base_url,
        settings.openai_api_key,
        seconds=settings.troupe_llm_seconds,
        context=settings.troupe_llm_context,
        sees_images=settings.troupe_llm_sees_images,
    )
    client = await stack.enter_async_context(open_client(endpoint))
    if Place.LLM in settings.troupe_places:
        experts[Place.LLM] = OpenAiExpert(client, endpoint)
        catalogues.append(OpenAiCatalogue(client, endpoint))
    return OpenAiLlm(client, endpoint, cache)


async def _hosted(
    settings: Settings,
    stack: AsyncExitStack,
    ports: ProviderTools,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> None:
    """The providers behind the Hub's router, and the live Hub that says what they serve."""
    from adapters.huggingface import (  # noqa: PLC0415 - not loaded where it is not configured
        load_known_models,
        open_hosted_expert,
        open_hub,
        open_live_catalogue,
    )

    token = settings.hf_token
    hosted = open_hosted_expert(settings.hf_router_url, ports.fetch, token=token)
    experts[Place.HOSTED] = await stack.enter_async_context(hosted)
    hub = open_hub(settings.hf_endpoint, token=token, router=settings.hf_router_url)
    pages = await stack.enter_async_context(hub)
    live = open_live_catalogue(
        pages,
        ports.cache,
        known=load_known_models([Place.HOSTED]),
        clock=lambda: datetime.now(UTC),
        keep=timedelta(hours=settings.troupe_catalogue_hours),
    )
    catalogues.append(await stack.enter_async_context(live))


async def _own(
    settings: Settings,
    stack: AsyncExitStack,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> str:
    """An expert server beside the bot, where one can run; its address."""
    options = await own_options(settings)
    if options is None:
        return ""
    from adapters.local.server import run_server  # noqa: PLC0415 - half a second, only for those who use it

    server = await stack.enter_async_context(run_server(options))
    experts[Place.LOCAL] = await _server(server.base, options.token, stack, catalogues)
    return server.base


async def _server(
    base: str, token: str, stack: AsyncExitStack, catalogues: list[Catalogue]
) -> Expert:
    """An expert server, and what it has."""
    from adapters.huggingface import load_known_models, open_wire_expert  # noqa: PLC0415 - as above

    wire = open_wire_expert(base, place=Place.LOCAL, token=token)
    known = load_known_models([Place.LOCAL])
    served = open_served_catalogue(base, token=token, known=known)
    catalogues.append(await stack.enter_async_context(served))
    return await stack.enter_async_context(wire)


def _embedded(
    ports: ProviderTools,
    experts: dict[Place, Expert],
    catalogues: list[Catalogue],
) -> None:
    from adapters.embedded.experts import (  # noqa: PLC0415 - an extra
        EmbeddedExpert,
        embedded_models,
    )

    experts[Place.EMBEDDED] = EmbeddedExpert(ports.workers, ports.media)
    catalogues.append(ListedCatalogue(embedded_models()))


async def own_options(settings: Settings) -> ExpertServerOptions | None:
    """How the program is to run a server of its own; None when it is not to, or could not."""
    if settings.troupe_experts_url or settings.troupe_experts == "off":
        return None
    if Place.LOCAL.value not in settings.troupe_places or not is_installed():
        return None
    from adapters.local.models_on_disk import ModelFolders  # noqa: PLC0415 - half a second, only for those who use it

    folders = model_folders(settings)
    if not await asyncio.to_thread(ModelFolders(folders).list_models):
        return None
    threads = max(1, (os.cpu_count() or 2) // 2)
    return ExpertServerOptions(
        folders=folders,
        workers=1,
        threads=threads,
        token=secrets.token_urlsafe(32),
        environment=child_environment(),
    )


def is_installed() -> bool:
    """Whether the extra [local] is. Imports nothing."""
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


def model_folders(settings: Settings) -> tuple[Path, ...]:
    """Where models are looked for."""
    from adapters.local.models_on_disk import find_hub_cache  # noqa: PLC0415 - as above

    return (settings.home.absolute() / "models", find_hub_cache())


@dataclass(frozen=True, slots=True)
class ServeArguments:
    """What was asked for on the command line."""

    folders: tuple[Path, ...]
    host: str
    port: int
    memory_mb: int
    workers: int
    device: str


async def serve_experts(settings: Settings, wanted: ServeArguments) -> None:
    """Serve until told to stop. Raises SettingsError."""
    from adapters.local.server import run_server  # noqa: PLC0415 - as above
    from bot.serve import stop_on_sigterm  # noqa: PLC0415

    options = _options(settings, wanted)
    stop_on_sigterm()
    async with run_server(options) as server:
        folders = ", ".join(map(str, options.folders))
        text = LocalizedText("local-serving", {"address": server.base, "folders": folders})
        sys.stderr.write(say("en", text) + "\n")
        await asyncio.Event().wait()


def _options(settings: Settings, wanted: ServeArguments) -> ExpertServerOptions:
    if importlib.util.find_spec("torch") is None:
        raise SettingsError("local-extra-missing", extra="local")
    if wanted.host not in LOOPBACK and not settings.troupe_experts_token:
        raise SettingsError("local-token-missing", host=wanted.host)
    return ExpertServerOptions(
        folders=wanted.folders or model_folders(settings),
        host=wanted.host,
        port=wanted.port,
        memory_bytes=wanted.memory_mb * MEBIBYTE,
        workers=wanted.workers,
        threads=max(1, (os.cpu_count() or 1) // wanted.workers),
        device=wanted.device,
        token=settings.troupe_experts_token,
        environment=child_environment(),
    )
