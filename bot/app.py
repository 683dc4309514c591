"""The composition root: create the adapters, pass them to the pipeline and the conversation."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from stamina.instrumentation import set_on_retry_hooks

from adapters.chat.retrying import log_retry
from adapters.fetch import HttpFetch, Policy
from adapters.files import FileStore, open_files
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from adapters.store import Persistence, open_persistence, serving
from adapters.workers.pool import process_workers
from bot.access import ListGate
from bot.commands.context import CommandContext
from bot.conversation import Conversation, DetectLocale
from bot.embedded import has_embedded
from bot.environment import child_environment
from bot.gauges import Gauges
from bot.health import Health
from bot.home import open_home
from bot.intake import Intake
from bot.message_files import FileReceiver
from bot.metrics import Metrics
from bot.monitoring import Monitor
from bot.nearby import find_server, warn_without_server
from bot.ports import Ports
from bot.providers import PROVIDERS, OpenProvider, open_tools
from bot.rate_limits import MessageLimits
from bot.replicas import Replicas
from bot.runner import Runner
from bot.settings import Settings
from bot.summarization import Summarization
from bot.thread_log import ThreadLog
from bot.traces import open_traces
from pipeline.ports import Llm, Sharing, Workers
from pipeline.tools import Tools, detect_nothing

_MEBI = 1 << 20


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
    monitor: Monitor
    replicas: Replicas


@asynccontextmanager
async def open_app(
    settings: Settings,
    workers: Workers | None = None,
    *,
    starting: float = 0.0,
    serves: bool = False,
    providers: Sequence[OpenProvider] = PROVIDERS,
) -> AsyncIterator[App]:
    """Open everything that is configured; close it at the end. Raises SettingsError.

    `workers` run what is heavy; by default a pool of processes is started for it. `starting`: for
    how many seconds a database or a bucket that is away is waited for. `serves`: whether messages
    are taken from the inbox; a program that may not is refused before anything else is opened.
    `providers` open the places.
    """
    settings = await find_server(settings)
    open_home(settings)
    set_on_retry_hooks([log_retry])
    sharing = Sharing(settings.troupe_lease_seconds, settings.troupe_runs)
    async with AsyncExitStack() as stack:
        persistence = await stack.enter_async_context(
            open_persistence(settings.database_url, starting=starting, sharing=sharing)
        )
        replicas = Replicas(settings=settings, persistence=persistence)
        if serves:
            await stack.enter_async_context(serving(settings.database_url))
            await stack.enter_async_context(replicas.take_part())
        opening = open_files(
            settings.files_place,
            persistence.outage,
            starting=starting,
            old=settings.files_old_place,
        )
        files = await stack.enter_async_context(opening)
        ports = await _open_ports(settings, stack, persistence, files, workers)
        tools, opened = await open_tools(settings, stack, ports, providers)
        settings, llm = opened.settings, opened.llm
        warn_without_server(settings)
        probes = {"database": persistence.probe.check, "files": ports.files.check}
        metrics, health = Metrics(), Health(probes)
        conversation, runner = _open_conversation(settings, persistence, tools, llm, metrics)
        runner.traces = await open_traces(stack)
        monitor = Monitor(
            settings=settings,
            ports=ports,
            tools=tools,
            runner=runner,
            metrics=metrics,
            health=health,
        )
        metrics.registry.register(Gauges(monitor))
        yield App(
            settings=settings,
            ports=ports,
            tools=tools,
            llm=llm,
            own_server=opened.own_server,
            conversation=conversation,
            runner=runner,
            health=health,
            monitor=monitor,
            replicas=replicas,
        )


async def _open_ports(
    settings: Settings,
    stack: AsyncExitStack,
    persistence: Persistence,
    files: FileStore,
    workers: Workers | None,
) -> Ports:
    enter = stack.enter_async_context
    if workers is None:
        memory = settings.troupe_worker_mb * _MEBI
        pool = process_workers(settings.troupe_workers, child_environment(), memory_bytes=memory)
        workers = await enter(pool)
    hosts, allow_private = settings.troupe_fetch_hosts, settings.troupe_fetch_allow_private
    policy = Policy(hosts=hosts, allow_private=allow_private)
    fetch = await enter(HttpFetch(policy, network=settings.network))
    return Ports(
        persistence=persistence,
        files=files,
        workers=workers,
        media=LocalMedia(workers, ffmpeg=find_ffmpeg),
        fetch=fetch,
    )


def _open_conversation(
    settings: Settings, persistence: Persistence, tools: Tools, llm: Llm | None, metrics: Metrics
) -> tuple[Conversation, Runner]:
    store, inbox, turns = persistence.store, persistence.inbox, settings.troupe_context_turns
    receiver = FileReceiver(tools.files, tools.media, settings.max_file)
    thread_log = ThreadLog(
        store=store,
        receiver=receiver,
        max_text=settings.troupe_max_text,
        turns=turns,
        tail=settings.troupe_context_tail,
        listen=settings.troupe_listen,
    )
    intake = Intake(store, thread_log, receiver)
    lists = (settings.troupe_allow, settings.troupe_deny, settings.troupe_admins)
    context = CommandContext(
        store=store,
        inbox=inbox,
        tools=tools,
        gate=ListGate(*map(frozenset, lists)),
        learn=settings.troupe_learn,
    )
    limits = MessageLimits(
        persistence.rate_limits,
        settings.troupe_person_per_minute,
        settings.troupe_channel_per_minute,
    )
    detect: DetectLocale = detect_nothing
    if has_embedded():
        from adapters.embedded.languages import detect_locale  # noqa: PLC0415 - an extra

        detect = detect_locale
    mention = settings.troupe_mention
    conversation = Conversation(
        intake=intake, context=context, limits=limits, mention=mention, detect_locale=detect
    )
    summarization = Summarization(store, llm, turns)
    patience = settings.troupe_patience
    runner = Runner(
        intake=intake,
        context=context,
        limits=limits,
        summarization=summarization,
        listener=conversation,
        patience=patience,
        outage=persistence.outage,
        metrics=metrics,
        keeps_prompts=settings.troupe_keep_prompts == "on",
    )
    return conversation, runner
