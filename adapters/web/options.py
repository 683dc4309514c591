"""The web adapter's settings, ports and metrics, which its handlers share."""

import asyncio
import ipaddress
import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from aiolimiter import AsyncLimiter
from prometheus_client import CollectorRegistry, Counter, Histogram

from adapters.bounds import STRANGER_SECONDS, Memory
from adapters.chat.links import Signer
from adapters.web.elsewhere import Elsewhere
from adapters.web.health import LOOPBACK_NAMES, HealthPorts
from adapters.web.live_feed import LiveFeed
from adapters.web.owner.ports import OwnerPorts
from adapters.web.run_logs import RunLogs
from pipeline.domain import Incoming, PlanPreview
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import (
    Cache,
    Fetch,
    Files,
    Inbox,
    Listener,
    Notifications,
    RateLimits,
    Setup,
    Store,
)

MEBI = 1 << 20
_COMPLAIN_SECONDS = 60
"""Between two warnings of wrong tokens."""
_SETUPS_PER_MINUTE = 20
"""Steps of the set-up, of all callers together."""
_BODIES_IN_MEMORY = 32 * MEBI
"""Of complete messages together, unless a single one is larger."""
_MOST_RENDERING = 1
"""Passages of conversations at a time, of all who read them: each takes all of a core."""
_MOST_FAILURES = 100
"""Requests that hit a bug and are remembered until the program ends."""
SECRET_BYTES = 32
"""Length of an installation's first secret; one that was renewed is longer."""


class Refused(RequestError):
    """A request is refused with a status and a sentence."""

    def __init__(self, status: int, id: str, **args: str | int) -> None:  # noqa: A002 - the sentence's own word
        super().__init__(id, **args)
        self.status = status


def _make_secret() -> Callable[[], bytes]:
    secret = secrets.token_bytes(SECRET_BYTES)
    return lambda: secret


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """Where the page listens, who may use it, and how much it accepts.

    Sizes in bytes, texts in characters, times in seconds. Raises SettingsError if other machines
    could reach it without a token.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    owner_token: str = field(default="", repr=False)
    """Of who runs the program; "" is nobody's."""
    secret: Callable[[], bytes] = field(default_factory=_make_secret, repr=False)
    """The installation's secret as it is now: it signs the cookies of sessions."""
    public_url: str = ""
    max_text: int = 100_000
    max_files: int = 20
    max_file: int = 50 * MEBI
    max_body: int = 100 * MEBI
    header_seconds: float = 15.0
    stranger_seconds: float = STRANGER_SECONDS
    """For a body that comes before we know its sender."""
    body_seconds: float = 300.0
    check_seconds: float = 1.0
    """After this, a stream checks whether the session that it belongs to has ended."""
    store_seconds: float = 4.0
    """How long a request waits for the database; then it is refused, and nothing is stored."""
    extra_routes: tuple[web.RouteDef, ...] = ()
    """Routes of other adapters (Slack over HTTP), which authenticate their callers themselves."""
    sharing: bool = False
    """Whether people may share conversations with whoever has a link."""
    signer: Signer | None = None
    """Verifies signed links, which open a file to whoever has them."""

    def __post_init__(self) -> None:
        if not self.loopback and not self.token:
            raise SettingsError("web-needs-token")

    @property
    def is_private(self) -> bool:
        """Whether only whoever runs the program can reach the page."""
        return self.loopback and not (self.token or self.owner_token or self.public_url)

    @property
    def can_share(self) -> bool:
        """Whether conversations can be shared."""
        return self.sharing and self.signer is not None

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the page."""
        with suppress(ValueError):
            return ipaddress.ip_address(self.host).is_loopback
        return self.host == "localhost"

    @property
    def local_names(self) -> frozenset[str]:
        """The host names by which this machine itself reaches the page."""
        host = self.host.lower()
        return LOOPBACK_NAMES | {host, f"[{host}]"}

    @property
    def is_secret_renewed(self) -> bool:
        """Whether everybody was signed out once: then credentials that carry no signature end."""
        return len(self.secret()) > SECRET_BYTES

    @property
    def public_host(self) -> str:
        return urlsplit(self.public_url).netloc.lower()

    @property
    def secure(self) -> bool:
        """Whether the page is reached over https."""
        return self.public_url.startswith("https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPorts:
    """The ports that the web adapter uses.

    `plan` plans a message without running it, through the same gate and limits as a run; raises
    RequestError. The page's metrics are added to the registry of `health`.
    """

    files: Files
    store: Store
    inbox: Inbox
    fetch: Fetch
    cache: Cache
    rate_limits: RateLimits
    plan: Callable[[Incoming], Awaitable[PlanPreview]]
    health: HealthPorts
    notifications: Notifications | None = None
    """To the pages that other programs on the same database serve; None: there can be none."""
    elsewhere: Elsewhere | None = None
    """What those programs work on; None: there can be none."""
    setup: Setup | None = None
    """None: nothing can be set up here."""
    owner: OwnerPorts | None = None


class WebMetrics:
    """The metrics of the page and its API."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.requests = Counter(
            "troupe_web_requests",
            "Requests of the web page and API.",
            ("route", "status"),
            registry=registry,
        )
        self.seconds = Histogram(
            "troupe_web_request_seconds",
            "How long requests took.",
            ("route",),
            registry=registry,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedRequest:
    """A request that hit a bug. `trace` is the end of its traceback."""

    reference: str
    at: datetime
    path: str
    error: str
    trace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebState:
    """What the handlers share."""

    options: WebOptions
    ports: WebPorts
    runs: RunLogs
    metrics: WebMetrics
    feed: LiveFeed
    complaints: AsyncLimiter = field(default_factory=lambda: AsyncLimiter(1, _COMPLAIN_SECONDS))
    """Warnings in the log of wrong tokens."""
    setups: AsyncLimiter = field(default_factory=lambda: AsyncLimiter(_SETUPS_PER_MINUTE, 60))
    streams: dict[str, dict[asyncio.Task[Any], web.Request]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    """Open streams of events by person: what sends each, and what it answers."""
    failures: deque[FailedRequest] = field(default_factory=lambda: deque(maxlen=_MOST_FAILURES))
    """The last requests that hit a bug, for the owner."""
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_MOST_RENDERING))
    """Held while a passage of a shared or saved conversation is rendered."""
    memory: Memory = field(default_factory=lambda: Memory(_BODIES_IN_MEMORY))


STATE = web.AppKey("state", WebState)
LISTENER = web.AppKey("listener", Listener)
