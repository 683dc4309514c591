"""What the web adapter is given and what its handlers share: settings, ports, figures."""

import ipaddress
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from adapters.chat.links import Signer
from adapters.web.run_logs import RunLogs
from adapters.web.sessions import Sessions
from pipeline.domain import FileHash, Incoming, PlanPreview, RunId
from pipeline.errors import SettingsError
from pipeline.ports import Cache, Fetch, Files, Listener, Store

MEBI = 1 << 20


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Where the page listens, who may use it, and how much it takes.

    Sizes in bytes, texts in characters, times in seconds. Raises SettingsError when it would be
    open to others without a token.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    public_url: str = ""
    max_text: int = 100_000
    max_files: int = 20
    max_file: int = 50 * MEBI
    max_body: int = 100 * MEBI
    header_seconds: float = 15.0
    body_seconds: float = 300.0
    extra_routes: tuple[web.RouteDef, ...] = ()
    """Routes of other adapters (Slack over HTTP), which authenticate their callers themselves."""
    signer: Signer | None = None
    """Verifies signed links, which open a file to whoever has them."""

    def __post_init__(self) -> None:
        if not self.loopback and not self.token:
            raise SettingsError("web-needs-token")

    @property
    def loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def public_host(self) -> str:
        return urlsplit(self.public_url).netloc.lower()

    @property
    def secure(self) -> bool:
        """Whether the page is reached over https."""
        return self.public_url.startswith("https://")


async def _ready() -> tuple[bool, Mapping[str, str]]:
    return True, {}


async def _always(*_: object) -> bool:
    return True


async def _never(*_: object) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPorts:
    """What the web adapter stands on.

    `plan` plans a message without running it, through the same gate and limits as a run; raises
    RequestError. `file_path` is where the file store keeps a file. `ready` says whether
    messages can be taken, and what is down ("slack", "database") with the reason.
    `is_kept`: whether a run still exists, or was forgotten. `is_shown_file(person, file)`: whether
    the file belongs to one of the person's conversations. `is_known(person)`: whether somebody
    with this id has conversations here.
    """

    files: Files
    file_path: Callable[[FileHash], Path]
    store: Store
    fetch: Fetch
    cache: Cache
    plan: Callable[[Incoming], Awaitable[PlanPreview]]
    ready: Callable[[], Awaitable[tuple[bool, Mapping[str, str]]]] = _ready
    is_kept: Callable[[RunId], Awaitable[bool]] = _always
    is_shown_file: Callable[[str, FileHash], Awaitable[bool]] = _never
    is_known: Callable[[str], Awaitable[bool]] = _never


class WebMetrics:
    """The figures for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.requests = Counter(
            "troupe_web_requests",
            "Requests of the web page and API.",
            ("route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "troupe_web_request_seconds",
            "How long requests took.",
            ("route",),
            registry=self.registry,
        )
        self.runs = Counter(
            "troupe_web_runs", "Runs followed to their end.", ("end",), registry=self.registry
        )
        self.running = Gauge(
            "troupe_web_runs_under_way", "Runs being followed.", registry=self.registry
        )


@dataclass(frozen=True, slots=True)
class WebState:
    """What every handler needs."""

    options: WebOptions
    ports: WebPorts
    listener: Listener
    runs: RunLogs
    sessions: Sessions
    metrics: WebMetrics


STATE = web.AppKey("state", WebState)
