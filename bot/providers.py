"""Open the providers of models, one function each. Only what is configured is imported."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from math import inf
from typing import Any

from bot.embedded import detect_language, has_embedded, read_document, read_text
from bot.endpoints import read_endpoint, read_router, read_rules
from bot.nearby import find_served_model
from bot.own_server import find_own_options
from bot.places import EMBEDDED, HOSTED, LLM, LOCAL, PLACES
from bot.planners import add_planners
from bot.ports import Ports
from bot.settings import Settings
from pipeline.codec import register_places
from pipeline.domain import Place
from pipeline.ports import Catalogue, Expert, Llm, read_clock
from pipeline.response.plain import PlainResponder
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.curated import load_known_models
from pipeline.selection.health import PlaceHealth
from pipeline.tools import RunLimits, Tools, detect_nothing, read_plain_text


@dataclass(slots=True, kw_only=True)
class Opening:
    """Opens providers one after the other. Each imports its SDK only when it is configured."""

    settings: Settings
    """With the address of the language model that OPENAI_BASE_URL=auto stands for, once found."""
    stack: AsyncExitStack
    ports: Ports
    experts: dict[Place, Expert] = field(default_factory=dict)
    catalogues: list[Catalogue] = field(default_factory=list)
    health: PlaceHealth = field(default_factory=PlaceHealth)
    llm: Llm | None = None
    """The controller; none if TROUPE_CONTROLLER is off, or no model of the router may be used."""
    own_server: str = ""
    """The address of our own expert server, if it runs."""

    def add(self, expert: Expert, catalogue: Catalogue) -> None:
        """Add what runs the models of a place, and what lists them."""
        self.experts[expert.place] = expert
        self.catalogues.append(catalogue)

    async def open_llm(self) -> None:
        """Open the language model, also as an expert if its place is enabled."""
        if not self.settings.language_model:
            return
        endpoint = read_endpoint(self.settings)
        if endpoint is None:
            return
        await self._open_endpoint(endpoint)

    async def _open_endpoint(self, endpoint: Any) -> None:  # noqa: ANN401 - as in `read_endpoint`
        from adapters.media.table_engine import DuckTables  # noqa: PLC0415 - see the class
        from adapters.openai.catalogue import OpenAiCatalogue  # noqa: PLC0415 - see the class
        from adapters.openai.expert import OpenAiExpert  # noqa: PLC0415 - see the class
        from adapters.openai.llm import OpenAiLlm  # noqa: PLC0415 - see the class
        from adapters.openai.server import open_server  # noqa: PLC0415 - see the class
        from adapters.openai.spare_llm import SpareLlm  # noqa: PLC0415 - see the class

        server = await self.stack.enter_async_context(open_server(endpoint))
        if LLM in self.settings.troupe_places:
            reads = has_embedded() and EMBEDDED in self.settings.troupe_places
            reader = partial(read_document, self.ports.workers) if reads else None
            tables = DuckTables(self.ports.workers)
            expert = OpenAiExpert(server, reader, self.ports.media, tables)
            self.add(expert, OpenAiCatalogue(server))
        if self.settings.troupe_controller == "auto":
            llm = OpenAiLlm(server, health=self.health)
            spared = self.settings.spare_model
            self.llm = SpareLlm(llm, self._open_router) if spared else llm

    async def _open_router(self) -> Any:  # noqa: ANN401 - OpenAiLlm | None, as above
        from adapters.openai.llm import OpenAiLlm  # noqa: PLC0415 - see the class
        from adapters.openai.server import open_server  # noqa: PLC0415 - see the class

        sees = False if self.settings.troupe_llm_sees_images is False else None
        seconds = self.settings.troupe_llm_seconds
        network = self.settings.network
        endpoint = read_router(self.settings, seconds=seconds, sees_images=sees, network=network)
        if endpoint is None:
            return None
        return OpenAiLlm(await self.stack.enter_async_context(open_server(endpoint)))

    async def open_hosted(self) -> None:
        """Open the providers behind the Hub's router, and the live catalogue of their models."""
        if not self.settings.hf_token:
            return
        from adapters.huggingface.catalogue import HubCatalogue, keep_fresh  # noqa: PLC0415 - see the class
        from adapters.huggingface.hosted import open_hosted_expert  # noqa: PLC0415 - see the class
        from adapters.huggingface.hub import open_hub  # noqa: PLC0415 - see the class

        token, router = self.settings.hf_token, self.settings.hf_router_url
        enter = self.stack.enter_async_context
        network = self.settings.network
        hosted = open_hosted_expert(router, self.ports.fetch, token=token, network=network)
        expert = await enter(hosted)
        hub = open_hub(self.settings.hf_endpoint, token=token, router=router, network=network)
        catalogue = HubCatalogue(
            await enter(hub),
            self.ports.persistence.cache,
            known=load_known_models([HOSTED]),
            clock=read_clock,
            keep=timedelta(hours=self.settings.troupe_catalogue_hours),
            health=self.health,
        )
        live = keep_fresh(catalogue, self.ports.persistence.leases)
        self.add(expert, await enter(live))

    async def open_local(self) -> None:
        """Open the expert server that is set, or start our own if it can run."""
        settings, options = self.settings, await find_own_options(self.settings)
        if options is not None:
            from adapters.local.server import run_server  # noqa: PLC0415 - half a second

            server = await self.stack.enter_async_context(run_server(options))
            self.own_server = server.base
            await self._open_server(server.base, options.token, at_once=options.workers)
        elif settings.troupe_experts_url:
            await self._open_server(settings.troupe_experts_url, settings.troupe_experts_token)

    async def _open_server(self, base: str, token: str, *, at_once: float = inf) -> None:
        """Open an expert server, which is asked `at_once` jobs, and its catalogue."""
        from adapters.local.client import DIALECT, ServedCatalogue  # noqa: PLC0415
        from adapters.wire.expert import open_wire_expert  # noqa: PLC0415

        network = self.settings.network
        wire = open_wire_expert(base, DIALECT, token=token, at_once=at_once, network=network)
        known = load_known_models([LOCAL])
        served = ServedCatalogue(
            base, token=token, known=known, network=network, health=self.health
        )
        self.add(await self.stack.enter_async_context(wire), served)
        if self.settings.seeks_model:
            self.settings = await find_served_model(self.settings, base, token)
            await self.open_llm()

    async def open_embedded(self) -> None:
        """Open the experts that run in our own worker processes, if their extra is installed."""
        if not has_embedded():
            return
        from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models  # noqa: PLC0415

        listed = ListedCatalogue(embedded_models().values())
        self.add(EmbeddedExpert(self.ports.workers), listed)

    def bundle_tools(self) -> Tools:
        """What was opened, without a language model that plans and answers."""
        settings, ports = self.settings, self.ports
        order = [place for place in settings.troupe_places if place in self.experts]
        detect = partial(detect_language, ports.workers)
        configured = {*self.experts, *({LLM} if settings.language_model else ())}
        return Tools(
            planners=(),
            responders=(PlainResponder(),),
            candidates=Candidates(
                JoinedCatalogue(self.catalogues, places=order, health=self.health),
                read_rules(settings),
                ports.records,
            ),
            experts={place: self.experts[place] for place in order},
            files=ports.files,
            media=ports.media,
            journal=ports.persistence.journal,
            limits=RunLimits(
                parallel=settings.troupe_parallel,
                attempt=settings.troupe_attempt_seconds,
                task=settings.troupe_task_seconds,
                request=settings.troupe_request_seconds,
                replans=settings.troupe_max_replans,
            ),
            results=ports.persistence.store,
            closed=frozenset(configured - {*settings.troupe_places}),
            health=self.health,
            read_text=partial(read_text, ports.workers) if has_embedded() else read_plain_text,
            detect_language=detect if has_embedded() else detect_nothing,
        )


OpenProvider = Callable[[Opening], Awaitable[None]]
"""Adds a provider to what is opened, if the settings say so."""
PROVIDERS: tuple[OpenProvider, ...] = (
    Opening.open_llm,
    Opening.open_hosted,
    Opening.open_local,
    Opening.open_embedded,
)


async def open_tools(
    settings: Settings,
    stack: AsyncExitStack,
    ports: Ports,
    providers: Sequence[OpenProvider],
) -> tuple[Tools, Opening]:
    """Open everything that is configured, each provider by its function.

    Returns also what was opened: the controller, if there is one, and our own expert server.
    """
    opening = Opening(settings=settings, stack=stack, ports=ports)
    for open_provider in providers:
        await open_provider(opening)
    register_places((*PLACES, *opening.experts))
    llm, tools = opening.llm, opening.bundle_tools()
    return add_planners(tools, llm, settings, ports.persistence.store), opening
