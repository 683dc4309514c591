"""The composition root: create the adapters, pass them to the pipeline and the conversation."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

from adapters.fetch import HttpFetch, Policy
from adapters.files import LocalFiles
from adapters.media import LocalMedia, find_ffmpeg
from adapters.store import Persistence, open_persistence
from adapters.workers import process_workers
from bot import VERSION
from bot.access import ListGate, MessageLimits
from bot.commands import CommandContext, list_commands
from bot.conversation import Conversation
from bot.intake import Intake
from bot.providers import (
    BuiltInPlanner,
    Providers,
    ProviderTools,
    find_closed_places,
    open_providers,
    read_rules,
)
from bot.runner import Runner, Summarization
from bot.settings import Settings, child_environment
from pipeline.domain import LocalizedText, Request, Run
from pipeline.errors import SettingsError
from pipeline.pictures import PictureLoader
from pipeline.ports import Cache, Files, Llm, PlanExample
from pipeline.tools import RunLimits, Tools
from pipeline.words import say

_MEBI = 1 << 20
_DATABASE_SECONDS = 2.0
_RUNS_SEARCHED = 5
"""How many runs of a thread are searched for the last one with tasks."""


@dataclass(slots=True)
class Health:
    """What is down right now. The web page serves it at /readyz."""

    cache: Cache
    """Read to check that the database responds."""
    chats: tuple[str, ...] = ()
    """The platforms of all configured chats."""
    down: dict[str, LocalizedText] = field(default_factory=dict)
    """Why a platform is down."""

    async def check(self) -> tuple[bool, Mapping[str, str]]:
        """Whether messages can be accepted, and what is down, with the reason.

        Not ready: the database does not respond, or every chat platform is down, not counting
        the web page, which serves this check.
        """
        problems = {name: say("en", why) for name, why in self.down.items()}
        platforms = set(self.chats) - {"web"}
        ready = not platforms or not platforms <= self.down.keys()
        try:
            async with asyncio.timeout(_DATABASE_SECONDS):
                await self.cache.get("readyz")
        except Exception as error:  # noqa: BLE001 - the database does not respond, for whatever reason
            problems["database"] = type(error).__name__
            ready = False
        return ready, problems


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is open while the program runs."""

    settings: Settings
    persistence: Persistence
    ports: ProviderTools
    tools: Tools
    llm: Llm | None
    """None if no language model is configured."""
    own_server: str
    """The address of the expert server that the program runs itself; "" if it runs none."""
    conversation: Conversation
    runner: Runner
    health: Health


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open everything that is configured; close it at the end. Raises SettingsError."""
    _make_home(settings)
    async with AsyncExitStack() as stack:
        persistence = await stack.enter_async_context(open_persistence(settings.database_url))
        files = LocalFiles(settings.files_folder)
        await files.prepare()
        ports = await _open_ports(settings, stack, persistence, files)
        providers = await open_providers(settings, stack, ports)
        tools = _bundle_tools(settings, persistence, files, ports, providers)
        conversation, runner = _open_conversation(settings, persistence, tools, providers.llm)
        yield App(
            settings=settings,
            persistence=persistence,
            ports=ports,
            tools=tools,
            llm=providers.llm,
            own_server=providers.own_server,
            conversation=conversation,
            runner=runner,
            health=Health(persistence.cache),
        )


async def _open_ports(
    settings: Settings, stack: AsyncExitStack, persistence: Persistence, files: Files
) -> ProviderTools:
    memory, hosts = settings.troupe_worker_mb * _MEBI, settings.troupe_fetch_hosts
    pool = process_workers(settings.troupe_workers, child_environment(), memory_bytes=memory)
    workers = await stack.enter_async_context(pool)
    policy = Policy(hosts=hosts, allow_private=settings.troupe_fetch_allow_private)
    fetch = await stack.enter_async_context(HttpFetch(policy))

    async def find_examples(request: Request) -> Sequence[PlanExample]:
        return await persistence.store.find_examples(request.thread, reach=settings.troupe_learn)

    async def find_last_run(request: Request) -> Run | None:
        if not request.context.turns:
            return None
        if request.anew or request.rerun:  # the last run may be one of the same message
            return None
        runs = await persistence.store.runs(request.thread, limit=_RUNS_SEARCHED)
        return next((run for run in runs if run.plan.tasks and run.id != request.run), None)

    media = LocalMedia(workers, ffmpeg=find_ffmpeg())
    pictures = PictureLoader(files, media)
    return ProviderTools(
        workers,
        media,
        fetch,
        persistence.cache,
        {},
        find_examples,
        pictures.load,
        find_last_run,
    )


def _make_home(settings: Settings) -> None:
    """Create the home folder, readable by its owner only. Raises SettingsError."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error


def _bundle_tools(
    settings: Settings,
    persistence: Persistence,
    files: Files,
    ports: ProviderTools,
    providers: Providers,
) -> Tools:
    tools = Tools(
        providers.planners,
        providers.responders,
        providers.catalogue,
        providers.experts,
        files,
        ports.media,
        persistence.journal,
        RunLimits(
            parallel=settings.troupe_parallel,
            attempt=settings.troupe_attempt_seconds,
            task=settings.troupe_task_seconds,
            request=settings.troupe_request_seconds,
            replans=settings.troupe_max_replans,
        ),
        read_rules(settings),
        ports.records,
        persistence.store,
        find_closed_places(settings, providers.experts),
        providers.health,
    )
    built_in = BuiltInPlanner(ports.find_examples, tools)
    return replace(tools, planners=(*tools.planners, built_in))


def _open_conversation(
    settings: Settings, persistence: Persistence, tools: Tools, llm: Llm | None
) -> tuple[Conversation, Runner]:
    store, inbox, turns = persistence.store, persistence.inbox, settings.troupe_context_turns
    intake = Intake(
        store,
        tools.files,
        tools.media,
        max_file=settings.troupe_max_file_mb * _MEBI,
        max_text=settings.troupe_max_text,
        turns=turns,
        tail=settings.troupe_context_tail,
    )
    context = CommandContext(store, inbox, tools, list_commands(), VERSION, settings.troupe_learn)
    lists = (settings.troupe_allow, settings.troupe_deny, settings.troupe_admins)
    gate = ListGate(*map(frozenset, lists))
    limits = MessageLimits(settings.troupe_person_per_minute, settings.troupe_channel_per_minute)
    conversation = Conversation(intake, context, gate, limits, settings.troupe_mention)
    summarization = Summarization(store, llm, turns)
    runner = Runner(intake, context, gate, limits, summarization, settings.troupe_patience)
    return conversation, runner
