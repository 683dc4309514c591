"""The one place where adapters are made and handed to the pipeline and the conversation."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from adapters.fetch import HttpFetch, Policy
from adapters.files import LocalFiles
from adapters.local.keeper import Keeper
from adapters.media import LocalMedia, find_ffmpeg
from adapters.store import Lasting, open_lasting
from adapters.workers import ProcessWorkers, process_workers
from bot import VERSION
from bot.access import ListGate, RateLimits
from bot.commands import Desk, commands
from bot.conversation import Conversation
from bot.experts import Outside, Troupe, engaged, likely, rules
from bot.folding import Folding
from bot.intake import Intake
from bot.settings import Settings, passed_on
from pipeline.domain import Request
from pipeline.errors import SettingsError
from pipeline.planning.batch import vocabulary
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Fetch, Files, Lesson, Lessons, Llm, MediaTools, Taught, TrackRecord
from pipeline.tools import Pace, Tools

_MEBI = 1 << 20


@dataclass(frozen=True, slots=True)
class House:
    """Everything that is open while the program runs. No `llm`: none is configured."""

    settings: Settings
    conversation: Conversation
    tools: Tools
    lasting: Lasting
    files: Files
    fetch: Fetch
    media: MediaTools
    llm: Llm | None
    records: dict[tuple[str, str], TrackRecord]
    keeper: Keeper | None = None


def row_planner(house: House, words: str) -> LlmPlanner:
    """The language model as a planner of rows of files; `words` is the vocabulary. There must be one."""
    assert house.llm is not None
    return LlmPlanner(house.llm, house.tools.catalogue, likely, kinds=vocabulary(words))


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[House]:
    """Open everything the settings name, and close it again. Raises SettingsError."""
    _prepare(settings)
    async with AsyncExitStack() as stack:
        lasting = await stack.enter_async_context(open_lasting(settings.database_url))
        files = LocalFiles(settings.files_folder)
        await files.prepare()
        workers = await stack.enter_async_context(_workers(settings))
        media = LocalMedia(workers, ffmpeg=find_ffmpeg())
        fetch = await stack.enter_async_context(HttpFetch(_policy(settings)))
        records: dict[tuple[str, str], TrackRecord] = {}
        taught = _taught(settings, lasting.lessons)
        outside = Outside(workers, media, fetch, lasting.cache, records, taught)
        troupe = await engaged(settings, stack, outside)
        tools = Tools(
            planners=troupe.planners,
            responders=troupe.responders,
            catalogue=troupe.catalogue,
            experts=troupe.experts,
            files=files,
            media=media,
            journal=lasting.journal,
            pace=_pace(settings),
            rules=rules(settings),
            records=records,
            results=lasting.store,
            closed=troupe.closed,
        )
        yield House(
            settings,
            _conversation(settings, lasting, tools, troupe),
            tools,
            lasting,
            files,
            fetch,
            media,
            troupe.llm,
            records,
            troupe.keeper,
        )


def _workers(settings: Settings) -> AbstractAsyncContextManager[ProcessWorkers]:
    memory = settings.troupe_worker_mb * _MEBI
    return process_workers(settings.troupe_workers, passed_on(), memory_bytes=memory)


def _desk(settings: Settings, lasting: Lasting, tools: Tools, places: tuple[str, ...]) -> Desk:
    return Desk(
        lasting.store,
        lasting.inbox,
        tools.catalogue,
        tools.files,
        commands(),
        places,
        VERSION,
        lasting.lessons,
        settings.troupe_learn,
        tools.rules,
        tools.closed,
    )


def _taught(settings: Settings, lessons: Lessons) -> Taught:
    """What a request may be planned after."""

    async def of(request: Request) -> Sequence[Lesson]:
        return await lessons.taught(request.thread, reach=settings.troupe_learn)

    return of


def _prepare(settings: Settings) -> None:
    """Make the folder for what people said: nobody else's business. Raises SettingsError."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        folder = str(settings.troupe_home)
        raise SettingsError("home-unwritable", folder=folder, problem=str(error)) from error


def _policy(settings: Settings) -> Policy:
    return Policy(
        hosts=settings.troupe_fetch_hosts, allow_private=settings.troupe_fetch_allow_private
    )


def _pace(settings: Settings) -> Pace:
    return Pace(
        parallel=settings.troupe_parallel,
        attempt=settings.troupe_attempt_seconds,
        task=settings.troupe_task_seconds,
        request=settings.troupe_request_seconds,
        streamed=settings.troupe_streamed_planning,
    )


def _conversation(
    settings: Settings, lasting: Lasting, tools: Tools, troupe: Troupe
) -> Conversation:
    intake = Intake(
        lasting.store,
        tools.files,
        tools.media,
        max_file=settings.troupe_max_file_mb * _MEBI,
        max_text=settings.troupe_max_text,
        turns=settings.troupe_context_turns,
        tail=settings.troupe_context_tail,
    )
    places = tuple(place.value for place in troupe.experts)
    desk = _desk(settings, lasting, tools, places)
    gate = ListGate(
        frozenset(settings.troupe_allow),
        frozenset(settings.troupe_deny),
        frozenset(settings.troupe_admins),
    )
    limits = RateLimits(settings.troupe_person_per_minute, settings.troupe_channel_per_minute)
    return Conversation(
        lasting.inbox,
        lasting.seen,
        intake,
        tools,
        desk,
        gate,
        limits,
        Folding(lasting.store, troupe.llm, settings.troupe_context_turns),
        mention=settings.troupe_mention,
        patience=settings.troupe_patience,
    )
