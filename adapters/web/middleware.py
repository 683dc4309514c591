"""What every request passes before a handler sees it, and every response before it leaves."""

import hmac
import time
import uuid
from datetime import UTC, datetime
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler
from aiolimiter import AsyncLimiter
from cachetools import LRUCache

from adapters.web.errors import error_response, problem, reword, status_of
from adapters.web.options import STATE, WebOptions, WebState
from adapters.web.sessions import (
    HOLDS_TOKEN,
    OLD_COOKIE,
    SESSION,
    SESSION_COOKIE,
    old_person,
    set_cookie,
)
from pipeline.domain import FileHash
from pipeline.errors import RequestError

log = structlog.get_logger()

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_PUBLIC_PATHS = frozenset({"/healthz", "/readyz", "/login", "/logout", "/api/openapi.json"})
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_MAX_ADDRESSES = 10_000
_TRIES_PER_MINUTE = 10
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer", browsers send forms with origin "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": PAGE_POLICY,
}


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """The headers that every response carries, unless it has its own."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


@web.middleware
async def count_requests(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count requests and measure their time."""
    metrics = request.app[STATE].metrics
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "none"
    began = time.perf_counter()
    status = 500
    try:
        response = await handler(request)
        status = response.status
    except web.HTTPException as error:
        status = error.status
        raise
    else:
        return response
    finally:
        metrics.requests.labels(route, str(status)).inc()
        metrics.seconds.labels(route).observe(time.perf_counter() - began)


@web.middleware
async def report_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The boundary: every error is told in a sentence; a bug is logged with its traceback."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400 or error.content_type == "application/json":  # noqa: PLR2004 - HTTP
            raise
        raise reword(request, error, request.app[STATE].options.max_body >> 20) from error
    except RequestError as error:
        raise error_response(request, status_of(error), error.sentence) from error
    except (UnicodeDecodeError, web.RequestPayloadError) as error:
        raise problem(request, 400, "web-wrong-request") from error
    except TimeoutError as error:
        raise problem(request, 408, "web-too-slow") from error
    except ConnectionResetError:
        raise
    except Exception as error:
        reference = uuid.uuid4().hex[:8]
        log.exception("web request failed", path=request.path, reference=reference)
        raise problem(request, 500, "apology-bug", reference=reference) from error


class Door:
    """Lets in our own hosts and pages, and those who have the token or a session that showed it.

    Wrong tokens are counted per address, whether they come as bearer tokens or at the login.
    """

    def __init__(self) -> None:
        self._tries: LRUCache[str, AsyncLimiter] = LRUCache(_MAX_ADDRESSES)
        self.connections: set[int] = set()
        """The ids of connections that have sent a request."""

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        self.connections.add(id(request.protocol))
        state = request.app[STATE]
        options = state.options
        if _authenticates_itself(request, options):
            return await handler(request)
        if not _is_our_host(request, options):
            raise problem(request, 421, "web-other-host", host=request.host[:100])
        if request.method not in _SAFE_METHODS and not _is_our_origin(request, options):
            raise problem(request, 403, "web-other-origin")
        if request.headers.get("Content-Encoding", "identity") != "identity":
            raise problem(request, 415, "web-compressed")
        secret = await self._find_session(request, state)
        if not await self._is_allowed(request, options):
            if request.path == "/" and request.method in _SAFE_METHODS:
                raise web.HTTPSeeOther("/login")
            raise problem(request, 401, "web-token-missing")
        response = await handler(request)
        if secret and not response.prepared:
            set_cookie(response, secret, secure=options.secure)
            response.del_cookie(OLD_COOKIE)
        return response

    async def check_token(self, request: web.Request, token: str) -> bool:
        """Whether it is the token. Raises 429 when the address has tried too often."""
        limiter = self._tries.setdefault(_address_of(request), AsyncLimiter(_TRIES_PER_MINUTE, 60))
        if not limiter.has_capacity():
            raise problem(request, 429, "web-too-many-tries")
        right = is_same(token.strip(), request.app[STATE].options.token)
        if not right:
            await limiter.acquire()
        return right

    async def _find_session(self, request: web.Request, state: WebState) -> str:
        """Note the session of the request. Returns the secret of a new one, if one was opened."""
        secret = request.cookies.get(SESSION_COOKIE, "")
        session = await state.sessions.find(secret)
        opened = ""
        if session is None and not state.options.token:
            person = old_person(request)
            adopted = person if person and await state.ports.is_known(person) else ""
            if adopted or (request.path == "/" and request.method == "GET"):
                opened = await state.sessions.open(person=adopted)
                session = await state.sessions.find(opened)
        if session is not None:
            request[SESSION] = session
        return opened

    async def _is_allowed(self, request: web.Request, options: WebOptions) -> bool:
        path, session = request.path, request.get(SESSION)
        if not options.token or path in _PUBLIC_PATHS or path.startswith("/page/"):
            return True
        if session is not None and session.signed_in:
            return True
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return False
        request[HOLDS_TOKEN] = await self.check_token(request, token)
        return request[HOLDS_TOKEN]


DOOR = web.AppKey("door", Door)


def is_same(one: str, other: str) -> bool:
    """Compare two secrets in constant time."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def _address_of(request: web.Request) -> str:
    """Where a request comes from; behind our own proxy, what the proxy says last."""
    address = request.remote or ""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if address in ("127.0.0.1", "::1") and request.app[STATE].options.public_url and forwarded:
        return forwarded[-100:].rpartition(",")[2].strip()
    return address


def _authenticates_itself(request: web.Request, options: WebOptions) -> bool:
    """Routes of other adapters, and signed links to files."""
    if any(request.path == route.path for route in options.extra_routes):
        return True
    file, sign = request.match_info.get("hash"), request.query.get("sign")
    if options.signer is None or file is None or sign is None:
        return False
    until = request.query.get("until", "")
    request[HOLDS_TOKEN] = options.signer.holds(FileHash(file), until, sign, datetime.now(UTC))
    return request[HOLDS_TOKEN]


def _is_our_host(request: web.Request, options: WebOptions) -> bool:
    """Against DNS rebinding: somebody else's name that leads to our loopback address."""
    if not options.loopback:
        return True
    host = request.host.lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    known = {*_LOOPBACK_NAMES, options.host.lower(), f"[{options.host.lower()}]"}
    return name in known or (host != "" and host == options.public_host)


def _is_our_origin(request: web.Request, options: WebOptions) -> bool:
    """Programs send no origin; browsers do, and it must be the page itself."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    try:
        netloc = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return netloc in {request.host.lower(), options.public_host} - {""}
