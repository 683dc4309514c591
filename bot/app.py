"""The composition root: adapters are made here and handed to the pipeline and the conversation."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

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
from bot.providers import Providers, ProviderTools, open_providers, rules_of
from bot.runner import Runner, Summarization
from bot.settings import Settings, child_environment
from pipeline.domain import LocalizedText, Request
from pipeline.errors import SettingsError
from pipeline.ports import (
    Cache,
    Fetch,
    Files,
    Llm,
    MediaTools,
    PlanExample,
    TrackRecord,
    Workers,
)
from pipeline.tools import RunLimits, Tools
from pipeline.words import say

_MEBI = 1 << 20
_DATABASE_SECONDS = 2.0


@dataclass(slots=True)
class Health:
    """What is down at the moment. The web page's /readyz shows it."""

    cache: Cache
    """Asked to see whether the database answers."""
    chats: tuple[str, ...] = ()
    """The platforms that are to be listened to."""
    down: dict[str, LocalizedText] = field(default_factory=dict)
    """Why a platform is down."""

    async def check(self) -> tuple[bool, Mapping[str, str]]:
        """Whether messages can be taken, and what is down, with the reason.

        Not ready: the database does not answer, or every chat platform is down. The page that
        tells so is no platform.
        """
        problems = {name: say("en", why) for name, why in self.down.items()}
        platforms = set(self.chats) - {"web"}
        ready = not platforms or not platforms <= self.down.keys()
        try:
            async with asyncio.timeout(_DATABASE_SECONDS):
                await self.cache.get("readyz")
        except Exception as error:  # noqa: BLE001 - whatever it is, the database does not answer
            problems["database"] = type(error).__name__
            ready = False
        return ready, problems


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is open while the program runs. No `llm`: none is configured."""

    settings: Settings
    conversation: Conversation
    runner: Runner
    tools: Tools
    persistence: Persistence
    files: Files
    fetch: Fetch
    media: MediaTools
    workers: Workers
    llm: Llm | None
    records: dict[tuple[str, str], TrackRecord]
    health: Health
    own_server: str
    """The address of the expert server that the program runs itself."""


@asynccontextmanager
async def open_app(settings: Settings) -> AsyncIterator[App]:
    """Open everything the settings name, and close it again. Raises SettingsError."""
    _make_home(settings)
    async with AsyncExitStack() as stack:
        persistence = await stack.enter_async_context(open_persistence(settings.database_url))
        files = LocalFiles(settings.files_folder)
        await files.prepare()
        workers = await stack.enter_async_context(
            process_workers(
                settings.troupe_workers,
                child_environment(),
                memory_bytes=settings.troupe_worker_mb * _MEBI,
            )
        )
        media = LocalMedia(workers, ffmpeg=find_ffmpeg())
        policy = Policy(
            hosts=settings.troupe_fetch_hosts, allow_private=settings.troupe_fetch_allow_private
        )
        fetch = await stack.enter_async_context(HttpFetch(policy))
        records: dict[tuple[str, str], TrackRecord] = {}

        async def find_examples(request: Request) -> Sequence[PlanExample]:
            reach = settings.troupe_learn
            return await persistence.store.find_examples(request.thread, reach=reach)

        ports = ProviderTools(workers, media, fetch, persistence.cache, records, find_examples)
        providers = await open_providers(settings, stack, ports)
        tools = _tools(settings, persistence, providers, files, media, records)
        conversation, runner = _conversation(settings, persistence, tools, providers)
        yield App(
            settings=settings,
            conversation=conversation,
            runner=runner,
            tools=tools,
            persistence=persistence,
            files=files,
            fetch=fetch,
            media=media,
            workers=workers,
            llm=providers.llm,
            records=records,
            health=Health(persistence.cache),
            own_server=providers.own_server,
        )


def _make_home(settings: Settings) -> None:
    """The folder for what people said is nobody else's business. Raises SettingsError."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error


def _tools(
    settings: Settings,
    persistence: Persistence,
    providers: Providers,
    files: Files,
    media: MediaTools,
    records: dict[tuple[str, str], TrackRecord],
) -> Tools:
    return Tools(
        planners=providers.planners,
        responders=providers.responders,
        catalogue=providers.catalogue,
        experts=providers.experts,
        files=files,
        media=media,
        journal=persistence.journal,
        limits=RunLimits(
            parallel=settings.troupe_parallel,
            attempt=settings.troupe_attempt_seconds,
            task=settings.troupe_task_seconds,
            request=settings.troupe_request_seconds,
        ),
        rules=rules_of(settings),
        records=records,
        results=persistence.store,
        closed=providers.closed,
    )


def _conversation(
    settings: Settings, persistence: Persistence, tools: Tools, providers: Providers
) -> tuple[Conversation, Runner]:
    intake = Intake(
        persistence.store,
        tools.files,
        tools.media,
        max_file=settings.troupe_max_file_mb * _MEBI,
        max_text=settings.troupe_max_text,
        turns=settings.troupe_context_turns,
        tail=settings.troupe_context_tail,
    )
    context = CommandContext(
        persistence.store,
        persistence.inbox,
        tools,
        list_commands(),
        VERSION,
        settings.troupe_learn,
    )
    lists = (settings.troupe_allow, settings.troupe_deny, settings.troupe_admins)
    gate = ListGate(*map(frozenset, lists))
    limits = MessageLimits(settings.troupe_person_per_minute, settings.troupe_channel_per_minute)
    conversation = Conversation(
        persistence.inbox,
        persistence.seen,
        intake,
        tools,
        context,
        gate,
        limits,
        settings.troupe_mention,
    )
    runner = Runner(
        persistence.inbox,
        intake,
        tools,
        context,
        gate,
        limits,
        Summarization(persistence.store, providers.llm, settings.troupe_context_turns),
        settings.troupe_patience,
    )
    return conversation, runner
