"""The composition root: create the adapters, pass them to the pipeline and the conversation."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import inf
from typing import Any

from stamina.instrumentation import set_on_retry_hooks

from adapters.chat.links import Signer
from adapters.chat.ports import ChatPorts
from adapters.chat.retrying import log_retry
from adapters.fetch import HttpFetch, Policy
from adapters.files import LocalFiles
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from adapters.store import Persistence, open_persistence
from adapters.web import WebChat, WebOptions, WebPorts
from adapters.workers.pool import process_workers
from bot.access import ListGate, MessageLimits
from bot.commands.context import CommandContext
from bot.conversation import Conversation, DetectLocale
from bot.home import open_home
from bot.intake import Intake
from bot.message_files import FileReceiver
from bot.metrics import Metrics
from bot.monitoring import Monitor
from bot.nearby import find_server
from bot.providers import Ports, has_embedded, open_tools
from bot.runner import Runner
from bot.secret import derive_link_key, load_installation_secret
from bot.settings import Settings, child_environment, find_locale
from bot.summarization import Summarization
from bot.thread_log import ThreadLog
from pipeline.domain import Incoming, LocalizedText, PlanPreview
from pipeline.errors import cause
from pipeline.outage import limit_patience
from pipeline.ports import Chat, Llm, Workers
from pipeline.tools import Tools, detect_nothing
from pipeline.words import say

_MEBI = 1 << 20
_PROBE_TIMEOUT, _PROBE_PATIENCE = 3.0, 1.0
_PROBE_SECONDS = 1.0
"""How long the result of the probes counts: anybody may ask for it."""


@dataclass(slots=True)
class Health:
    """What is down right now. The web page serves it at /readyz."""

    probes: Mapping[str, Callable[[], Awaitable[None]]]
    """By name: raises if messages cannot be kept there."""
    chats: tuple[str, ...] = ()
    """The platforms of all configured chats."""
    down: dict[str, LocalizedText] = field(default_factory=dict)
    """Why a platform is down."""
    _broken: dict[str, str] = field(default_factory=dict)
    """What the probes found last."""
    _probed_at: float = -inf
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def check(self) -> tuple[bool, Mapping[str, str]]:
        """Whether messages can be accepted, and what is down, with the reason.

        Not ready: messages cannot be written and read back, or every chat platform is down, not
        counting the web page, which serves this check.
        """
        async with self._probing:  # whoever asks at the same time gets the same answer
            if time.monotonic() - self._probed_at > _PROBE_SECONDS:
                self._broken = await self._probe()
                self._probed_at = time.monotonic()
        platforms = set(self.chats) - {"web"}
        is_reached = not platforms or not platforms <= self.down.keys()
        problems = {name: say("en", why) for name, why in self.down.items()} | self._broken
        return is_reached and not self._broken, problems

    async def _probe(self) -> dict[str, str]:
        async with asyncio.TaskGroup() as group:
            problems = {
                name: group.create_task(_find_problem(probe)) for name, probe in self.probes.items()
            }
        return {name: problem for name, task in problems.items() if (problem := task.result())}


async def _find_problem(probe: Callable[[], Awaitable[None]]) -> str:
    """Why a probe fails; "" if it does not."""
    try:
        with limit_patience(_PROBE_PATIENCE):
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await probe()
    except TimeoutError:
        return say("en", LocalizedText("store-gone"))
    except Exception as error:  # noqa: BLE001 - nothing can be kept, for whatever reason
        known = cause(error)
        return say("en", known.sentence) if known else type(error).__name__
    return ""


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


@asynccontextmanager
async def open_app(
    settings: Settings, workers: Workers | None = None, *, starting: float = 0.0
) -> AsyncIterator[App]:
    """Open everything that is configured; close it at the end. Raises SettingsError.

    `workers` run what is heavy; by default a pool of processes is started for it. `starting`: for
    how many seconds a database that is away is waited for.
    """
    settings = await find_server(settings)
    open_home(settings)
    set_on_retry_hooks([log_retry])
    async with AsyncExitStack() as stack:
        persistence = await stack.enter_async_context(
            open_persistence(settings.database_url, starting=starting)
        )
        ports = await _open_ports(settings, stack, persistence, workers)
        tools, llm, own_server = await open_tools(settings, stack, ports)
        metrics, health = Metrics(), Health(_list_probes(settings, ports))
        conversation, runner = _open_conversation(settings, ports.persistence, tools, llm)
        runner.metrics = metrics
        monitor = Monitor(
            settings=settings,
            ports=ports,
            tools=tools,
            runner=runner,
            metrics=metrics,
            down=health.down,
            check=health.check,
        )
        metrics.registry.register(monitor)
        yield App(
            settings=settings,
            ports=ports,
            tools=tools,
            llm=llm,
            own_server=own_server,
            conversation=conversation,
            runner=runner,
            health=health,
            monitor=monitor,
        )


def _list_probes(settings: Settings, ports: Ports) -> Mapping[str, Callable[[], Awaitable[None]]]:
    files = LocalFiles(settings.files_folder)
    return {"database": ports.persistence.probe.check, "files": files.check}


async def _open_ports(
    settings: Settings, stack: AsyncExitStack, persistence: Persistence, workers: Workers | None
) -> Ports:
    enter = stack.enter_async_context
    files = LocalFiles(settings.files_folder, outage=persistence.outage)
    await files.prepare()
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
    settings: Settings, persistence: Persistence, tools: Tools, llm: Llm | None
) -> tuple[Conversation, Runner]:
    store, inbox, turns = persistence.store, persistence.inbox, settings.troupe_context_turns
    receiver = FileReceiver(tools.files, tools.media, settings.troupe_max_file_mb * _MEBI)
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
    limits = MessageLimits(settings.troupe_person_per_minute, settings.troupe_channel_per_minute)
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
    )
    return conversation, runner


def open_chats(app: App) -> list[Chat]:
    """Open every configured chat. Only their SDKs are imported."""
    settings = app.settings
    secret = partial(load_installation_secret, settings.home / "secret")
    token = settings.troupe_web_token
    signer = Signer(settings.troupe_public_url, lambda: derive_link_key(secret(), token))
    ports = ChatPorts(
        ledger=app.ports.persistence.ledger,
        files=app.tools.files,
        media=app.tools.media,
        sign=lambda file, run: signer.link(file, run, datetime.now(UTC)),
        fetch=app.ports.fetch,
        chat_log=app.ports.persistence.store,
        cache=app.ports.persistence.cache,
        interactions=app.ports.persistence.interactions,
        outage=app.ports.persistence.outage,
    )
    chats: list[Chat] = []
    routes: tuple[Any, ...] = ()
    if settings.slack:
        from adapters.slack import SlackChat  # noqa: PLC0415 - not imported where it is off

        slack = SlackChat(read_slack_access(settings), ports, oauth=read_slack_oauth(app))
        chats.append(slack)
        routes = slack.routes()
    if settings.discord:
        from adapters.discord import Addresses, DiscordChat  # noqa: PLC0415

        addresses = Addresses(*settings.discord_addresses)
        discord = DiscordChat(
            settings.discord_token,
            ports,
            addresses,
            max_download=settings.troupe_max_file_mb * _MEBI,
            network=settings.network,
        )
        chats.append(discord)
    if settings.web:
        chats.append(_open_web(app, secret, signer, routes))
    return chats


def open_console(app: App) -> Chat:
    from adapters.console import ConsoleChat  # noqa: PLC0415 - imports rich

    folder = app.settings.home / "answers"
    return ConsoleChat(
        app.tools.files, folder=folder, ledger=app.ports.persistence.ledger, language=find_locale()
    )


def _open_web(
    app: App, secret: Callable[[], bytes], signer: Signer, routes: tuple[Any, ...]
) -> WebChat:
    settings = app.settings
    options = WebOptions(
        host=settings.troupe_web_host,
        port=settings.troupe_web_port,
        token=settings.troupe_web_token,
        secret=secret,
        public_url=settings.troupe_public_url,
        max_text=settings.troupe_max_text,
        max_file=settings.troupe_max_file_mb * _MEBI,
        extra_routes=routes,
        signer=signer,
    )

    async def plan(message: Incoming) -> PlanPreview:
        return await app.conversation.preview(message, chat)

    ports = WebPorts(
        files=app.tools.files,
        file_path=LocalFiles(settings.files_folder).path,
        store=app.ports.persistence.store,
        inbox=app.ports.persistence.inbox,
        fetch=app.ports.fetch,
        cache=app.ports.persistence.cache,
        plan=plan,
        ready=app.health.check,
        sample=app.monitor.sample,
        registry=app.monitor.metrics.registry,
    )
    chat = WebChat(options, ports)
    return chat


def read_slack_access(settings: Settings) -> Any:  # noqa: ANN401 - a SlackAccess, not imported where it is off
    from adapters.slack import SlackAccess  # noqa: PLC0415

    return SlackAccess(
        bot_token=settings.slack_bot_token,
        app_token=settings.slack_app_token,
        signing_secret=settings.slack_signing_secret,
        api_url=settings.slack_api_base_url,
        http=settings.slack_mode == "http",
        ping_interval=settings.slack_ping_interval,
        file_hosts=frozenset(settings.slack_file_hosts),
        max_download=settings.troupe_max_file_mb * _MEBI,
        network=settings.network,
    )


def read_slack_oauth(app: App) -> Any:  # noqa: ANN401 - a SlackOAuth or None, as above
    """The settings for several workspaces, if there is no bot token for one."""
    from adapters.slack import SlackOAuth  # noqa: PLC0415

    settings = app.settings
    if not settings.slack_oauth:
        return None
    return SlackOAuth(
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret,
        public_url=settings.troupe_public_url,
        secret_key=settings.troupe_secret_key,
        installations=app.ports.persistence.installations,
        authorize_url=settings.slack_authorize_url,
    )
