"""Open the controller and the experts. Only what is configured is imported.

A provider is a function in `PROVIDERS` that adds an expert and a catalogue to the `Opening`.
"""

import asyncio
import importlib.util
import os
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from adapters.local.catalogue import ServedCatalogue
from adapters.local.options import ExpertServerOptions
from adapters.media.table_engine import DuckTables
from adapters.store import Persistence
from bot.environment import child_environment
from bot.places import EMBEDDED, HOSTED, LLM, LOCAL, PLACES
from bot.settings import Settings
from pipeline.codec import register_places
from pipeline.domain import (
    OWNER,
    Blob,
    LocalizedText,
    Model,
    Noticed,
    Place,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Run,
    Task,
    TaskId,
    TaskKind,
    Type,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import WorkerLost
from pipeline.pictures import PictureLoader
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import (
    Catalogue,
    Expert,
    Fetch,
    Files,
    FindExamples,
    Job,
    Llm,
    MediaTools,
    PlanExample,
    Store,
    TrackRecord,
    Workers,
)
from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.curated import load_known_models
from pipeline.selection.health import PlaceHealth
from pipeline.selection.known_models import load_known
from pipeline.selection.policy import Rules, filter_models
from pipeline.task_kinds import KINDS, list_requirements
from pipeline.tools import RunLimits, Tools, detect_nothing, read_plain_text
from pipeline.words import say

EMBEDDED_MODULES = (
    "cv2",
    "espeakng_loader",
    "formualizer",
    "imageio_ffmpeg",
    "lxml",
    "matplotlib",
    "onnxruntime",
    "pocketsphinx",
    "pypdf",
    "pypdfium2",
    "rapidocr",
    "sklearn",
    "vaderSentiment",
    "vobject",
)
"""The modules that the extra [embedded] installs."""
_OPENAI_MODEL = "gpt-4.1-mini"
_DETECTED_CHARACTERS, _DETECTION_SECONDS = 5_000, 10.0
_RUNS_SEARCHED = 5
"""How many runs of a thread are searched for the last one with tasks."""


def has_embedded() -> bool:
    """Whether the extra [embedded] is installed."""
    return all(importlib.util.find_spec(name) for name in EMBEDDED_MODULES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """What is open whatever is configured, for the providers and the chats."""

    persistence: Persistence
    files: Files
    workers: Workers
    media: MediaTools
    fetch: Fetch
    records: dict[tuple[str, str], TrackRecord] = field(default_factory=dict)
    """Recent track records of models; refreshed in the background."""


@dataclass(frozen=True, slots=True)
class BuiltInPlanner:
    """The embedded planner, imported on first use: numpy takes a fifth of the start-up time.

    Leaves out tasks that cannot run here and those that depend on them, and says why.
    """

    find_examples: FindExamples
    tools: Tools
    """To find out what can run."""
    name: str = "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        planner = (await asyncio.to_thread(load_planner)).EmbeddedPlanner(self.find_examples)
        reasons, dropped, proposed = list[LocalizedText](), set[TaskId](), False
        async with aclosing(planner.plan(request)) as parts:
            async for part in parts:
                if not isinstance(part, Proposed):
                    yield part
                elif reason := await self._explain_missing(part.task, request, dropped):
                    dropped.add(part.task.id)
                    reasons += [reason] if reason not in reasons else []
                else:
                    proposed = True
                    yield part
        if dropped and not proposed:
            text = "\n".join(say(request.person.locale, reason) for reason in reasons)
            yield Replied(text, is_refusal=True, sentence=reasons[0].id)
            return
        for reason in reasons:
            yield Noticed(reason)

    async def _explain_missing(
        self, task: Task, request: Request, dropped: Collection[TaskId]
    ) -> LocalizedText | None:
        """Why a task cannot run here; None if it can."""
        candidates = self.tools.candidates
        if not await candidates.shortlist(task.kind, request, task=task, limit=1):
            missing = await self.tools.explain_missing(task.kind, task)
            return _tell_owner(missing) if OWNER in request.person.roles else missing
        if task.needs.isdisjoint(dropped):
            return None
        return LocalizedText("plan-needs-dropped", {"kind": task.kind.name})


def _tell_owner(missing: LocalizedText) -> LocalizedText:
    """Why a task cannot run here, with the line of `.env` that mends it, if one does."""
    names = str(missing.args.get("enabled_by", "")).split(" / ")
    setting = next(filter(str.isidentifier, names), None)
    if missing.id != "not-possible-here" or not setting:
        return missing
    return LocalizedText("not-possible-owner", {**missing.args, "setting": setting})


def load_planner() -> ModuleType:
    """Import the embedded planner's package. Blocks the first time."""
    return importlib.import_module("adapters.embedded.planner")


async def open_tools(
    settings: Settings,
    stack: AsyncExitStack,
    ports: Ports,
    providers: Sequence["OpenProvider"],
) -> tuple[Tools, Llm | None, str]:
    """Open everything that is configured, each provider by its function.

    Returns also the controller, if there is one, and the address of our own expert server, or "".
    """
    opening = Opening(settings, stack, ports)
    for open_provider in providers:
        await open_provider(opening)
    register_places((*PLACES, *opening.experts))
    llm, tools = opening.llm, opening.bundle_tools()
    return _add_planners(tools, llm, settings, ports.persistence.store), llm, opening.own_server


def _add_planners(tools: Tools, llm: Llm | None, settings: Settings, store: Store) -> Tools:
    """The tools with what plans and answers: a language model first, what is built in last."""

    async def find_examples(request: Request) -> Sequence[PlanExample]:
        return await store.find_examples(request.thread, reach=settings.troupe_learn)

    async def find_last_run(request: Request) -> Run | None:
        if not request.context.turns:
            return None
        if request.anew or request.rerun:  # the last run may be one of the same message
            return None
        runs = await store.runs(request.thread, limit=_RUNS_SEARCHED)
        return next((run for run in runs if run.plan.tasks and run.id != request.run), None)

    built_in = BuiltInPlanner(find_examples, tools)
    if llm is None:
        return replace(tools, planners=(built_in,))
    load_pictures = PictureLoader(tools.files, tools.media).load
    planner = LlmPlanner(
        llm,
        tools.candidates,
        selection=settings.troupe_selection,
        find_examples=find_examples,
        requirements=partial(_name_requirements, tools),
        load_pictures=load_pictures,
    )
    responder = LlmResponder(llm, load_pictures, find_last_run)
    return replace(tools, planners=(planner, built_in), responders=(responder, *tools.responders))


def _name_requirements(tools: Tools, kind: TaskKind) -> str:
    """In English, the settings that would make a kind possible; "" if none would, or it passes."""
    if tools.find_closed(kind):
        return ""
    match list_requirements(kind, tools.experts, tools.closed):
        case LocalizedText() as text:
            return say("en", text)
        case needs:
            return needs or ""


def read_rules(settings: Settings) -> Rules:
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
        return Endpoint(named or _OPENAI_MODEL, base, key=key, **options)
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


@dataclass(slots=True)
class Opening:
    """Opens providers one after the other. Each imports its SDK only when it is configured."""

    settings: Settings
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
        from adapters.openai.catalogue import OpenAiCatalogue  # noqa: PLC0415 - see the class
        from adapters.openai.expert import OpenAiExpert  # noqa: PLC0415 - see the class
        from adapters.openai.llm import OpenAiLlm, SpareLlm  # noqa: PLC0415 - see the class
        from adapters.openai.server import open_server  # noqa: PLC0415 - see the class

        endpoint = read_endpoint(self.settings)
        if endpoint is None:
            return
        server = await self.stack.enter_async_context(open_server(endpoint))
        if LLM in self.settings.troupe_places:
            reads = self._has_embedded and EMBEDDED in self.settings.troupe_places
            reader = partial(_read_document, self.ports.workers) if reads else None
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
        from adapters.huggingface.catalogue import open_live_catalogue  # noqa: PLC0415 - see the class
        from adapters.huggingface.hosted import open_hosted_expert  # noqa: PLC0415 - see the class
        from adapters.huggingface.hub import open_hub  # noqa: PLC0415 - see the class

        token, router = self.settings.hf_token, self.settings.hf_router_url
        enter = self.stack.enter_async_context
        network = self.settings.network
        hosted = open_hosted_expert(router, self.ports.fetch, token=token, network=network)
        expert = await enter(hosted)
        hub = open_hub(self.settings.hf_endpoint, token=token, router=router, network=network)
        live = open_live_catalogue(
            await enter(hub),
            self.ports.persistence.cache,
            known=load_known_models([HOSTED]),
            clock=lambda: datetime.now(UTC),
            keep=timedelta(hours=self.settings.troupe_catalogue_hours),
            health=self.health,
        )
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
        from adapters.local.client import DIALECT  # noqa: PLC0415
        from adapters.wire.expert import open_wire_expert  # noqa: PLC0415

        network = self.settings.network
        wire = open_wire_expert(base, DIALECT, token=token, at_once=at_once, network=network)
        known = load_known_models([LOCAL])
        served = ServedCatalogue(
            base, token=token, known=known, network=network, health=self.health
        )
        self.add(await self.stack.enter_async_context(wire), served)

    @property
    def _has_embedded(self) -> bool:
        return has_embedded()

    async def open_embedded(self) -> None:
        """Open the experts that run in our own worker processes, if their extra is installed."""
        if not self._has_embedded:
            return
        from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models  # noqa: PLC0415

        listed = ListedCatalogue(embedded_models().values())
        self.add(EmbeddedExpert(self.ports.workers), listed)

    def bundle_tools(self) -> Tools:
        """What was opened, without a language model that plans and answers."""
        settings, ports = self.settings, self.ports
        order = [place for place in settings.troupe_places if place in self.experts]
        detect = partial(_detect_language, ports.workers)
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
            read_text=partial(_read_text, ports.workers) if self._has_embedded else read_plain_text,
            detect_language=detect if self._has_embedded else detect_nothing,
        )


OpenProvider = Callable[[Opening], Awaitable[None]]
"""Adds a provider to what is opened, if the settings say so."""
PROVIDERS: tuple[OpenProvider, ...] = (
    Opening.open_llm,
    Opening.open_hosted,
    Opening.open_local,
    Opening.open_embedded,
)


async def _read_text(workers: Workers, file: Blob) -> str:
    """The text of a document or a picture, as our own experts read it. Raises ExpertError."""
    text, _ = await _read_document(workers, file, "")
    return text


async def _read_document(workers: Workers, file: Blob, locale: str) -> tuple[str, str]:
    """The same, with a note on what was not read."""
    from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models  # noqa: PLC0415

    slot, name = "document", "document-to-text"
    if file.type is Type.IMAGE:
        slot, name = "image", "optical-character-recognition"
    job = Job(KINDS[name], embedded_models()[name], {slot: (file,)}, locale=locale)
    output = await EmbeddedExpert(workers).run(job)
    return as_text(output.slots["text"]), output.note


async def _detect_language(workers: Workers, text: str) -> str:
    """The code of the language that a text is written in; "" if it cannot be told."""
    from adapters.embedded.languages import find_text_language  # noqa: PLC0415 - an extra

    with suppress(TimeoutError, WorkerLost):
        beginning = text[:_DETECTED_CHARACTERS]
        return await workers.run(find_text_language, beginning, seconds=_DETECTION_SECONDS)
    return ""


async def find_own_options(settings: Settings) -> ExpertServerOptions | None:
    """Options for our own expert server; None if it is off or has nothing to serve."""
    if settings.troupe_experts_url or settings.troupe_experts == "off":
        return None
    if LOCAL not in settings.troupe_places or not is_local_installed():
        return None
    from adapters.local.models_on_disk import ModelFolders  # noqa: PLC0415 - half a second

    folders = list_model_folders(settings)
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


def is_local_installed() -> bool:
    """Whether the extra [local] is installed. Imports nothing."""
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


def list_model_folders(settings: Settings) -> tuple[Path, ...]:
    from adapters.local.models_on_disk import find_hub_cache  # noqa: PLC0415 - as above

    return (settings.home.absolute() / "models", find_hub_cache())
