"""The composition root: create the adapters, pass them to the pipeline and the conversation."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from adapters.fetch import HttpFetch, Policy
from adapters.files import LocalFiles
from adapters.media import LocalMedia, find_ffmpeg
from adapters.store import Persistence, open_persistence
from adapters.workers import process_workers
from bot.access import ListGate, MessageLimits
from bot.commands import CommandContext
from bot.conversation import Conversation
from bot.intake import Intake
from bot.providers import Ports, open_tools
from bot.runner import Runner, Summarization
from bot.settings import Settings, child_environment
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError
from pipeline.ports import Cache, Llm
from pipeline.tools import Tools
from pipeline.words import say

_MEBI = 1 << 20
_DATABASE_SECONDS = 2.0


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
    ports: Ports
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
        ports = await _open_ports(settings, stack)
        tools, llm, own_server = await open_tools(settings, stack, ports)
        conversation, runner = _open_conversation(settings, ports.persistence, tools, llm)
        yield App(
            settings=settings,
            ports=ports,
            tools=tools,
            llm=llm,
            own_server=own_server,
            conversation=conversation,
            runner=runner,
            health=Health(ports.persistence.cache),
        )


async def _open_ports(settings: Settings, stack: AsyncExitStack) -> Ports:
    enter = stack.enter_async_context
    persistence = await enter(open_persistence(settings.database_url))
    files = LocalFiles(settings.files_folder)
    await files.prepare()
    memory, hosts = settings.troupe_worker_mb * _MEBI, settings.troupe_fetch_hosts
    pool = process_workers(settings.troupe_workers, child_environment(), memory_bytes=memory)
    workers = await enter(pool)
    policy = Policy(hosts=hosts, allow_private=settings.troupe_fetch_allow_private)
    fetch = await enter(HttpFetch(policy))
    return Ports(persistence, files, workers, LocalMedia(workers, ffmpeg=find_ffmpeg()), fetch)


def _make_home(settings: Settings) -> None:
    """Create the home folder, readable by its owner only. Raises SettingsError."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error


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
    context = CommandContext(store, inbox, tools, settings.troupe_learn)
    lists = (settings.troupe_allow, settings.troupe_deny, settings.troupe_admins)
    gate = ListGate(*map(frozenset, lists))
    limits = MessageLimits(settings.troupe_person_per_minute, settings.troupe_channel_per_minute)
    conversation = Conversation(intake, context, gate, limits, settings.troupe_mention)
    summarization = Summarization(store, llm, turns)
    runner = Runner(intake, context, gate, limits, summarization, settings.troupe_patience)
    return conversation, runner
