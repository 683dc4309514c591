"""What the web adapter is given: its settings, and the ports it stands on."""

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web

from pipeline.domain import Incoming, RunId, Sketch
from pipeline.errors import SettingsError
from pipeline.links import Signer
from pipeline.ports import Fetch, Files, Store

MEBI = 1 << 20


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Where the page listens, who may use it, and how much it takes. Sizes in bytes, texts in characters.

    Raises SettingsError when it would be open to others without a token.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str = field(default="", repr=False)
    public_url: str = ""
    max_text: int = 100_000
    max_files: int = 20
    max_file: int = 50 * MEBI
    max_body: int = 100 * MEBI
    extra_routes: tuple[web.RouteDef, ...] = ()
    """Routes of other adapters (Slack over HTTP), which check their callers themselves."""
    signer: Signer | None = None
    """Whose signed links to files are open to whoever has them."""

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


async def always_ready() -> bool:
    """For programs that have nothing to wait for."""
    return True


async def always_kept(run: RunId) -> bool:  # noqa: ARG001 - the port's
    """For programs in which nothing is forgotten."""
    return True


@dataclass(frozen=True, slots=True)
class WebPorts:
    """What the web adapter stands on. `plan` makes the plan of a message and does nothing else; it raises RequestError.

    `kept` tells whether a run is there still: what was forgotten is no longer shown from memory either.
    """

    files: Files
    store: Store
    fetch: Fetch
    plan: Callable[[Incoming], Awaitable[Sketch]]
    ready: Callable[[], Awaitable[bool]] = always_ready
    kept: Callable[[RunId], Awaitable[bool]] = always_kept
