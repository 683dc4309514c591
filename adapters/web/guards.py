"""What every request passes before it is looked at, and every answer before it leaves."""

import hashlib
import hmac
import time
import uuid
from datetime import UTC, datetime
from urllib.parse import urlsplit

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.web.options import WebOptions
from adapters.web.refusals import refusal, refused, reworded, status_of
from adapters.web.state import STATE
from pipeline.domain import FileHash
from pipeline.errors import RequestError

log = structlog.get_logger()

SESSION = "troupe_session"
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_WITHOUT_TOKEN = frozenset({"/healthz", "/readyz", "/login"})
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with none, browsers send forms with the origin "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": PAGE_POLICY,
}


async def with_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """The headers that every answer carries, unless it has its own."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


@web.middleware
async def counted(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count requests and their time."""
    figures = request.app[STATE].figures
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
        figures.requests.labels(route, str(status)).inc()
        figures.seconds.labels(route).observe(time.perf_counter() - began)


@web.middleware
async def worded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The boundary: whatever goes wrong is told in a sentence, bugs are logged with their traceback."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400 or error.content_type == "application/json":  # noqa: PLR2004 - HTTP
            raise
        raise reworded(request, error, request.app[STATE].options.max_body >> 20) from error
    except RequestError as error:
        raise refusal(request, status_of(error), error.sentence) from error
    except ConnectionResetError:
        raise
    except Exception as error:
        reference = uuid.uuid4().hex[:8]
        log.exception("web request broke", path=request.path, reference=reference)
        raise refused(request, 500, "apology-bug", reference=reference) from error


@web.middleware
async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Our own hosts, our own pages, and those who have the token."""
    options = request.app[STATE].options
    if _checks_itself(request, options):
        return await handler(request)
    if not _host_is_ours(request, options):
        raise refused(request, 421, "web-other-host", host=request.host[:100])
    if request.method not in _SAFE and not _origin_is_ours(request, options):
        raise refused(request, 403, "web-other-origin")
    if not _may_enter(request, options):
        if request.path == "/" and request.method in _SAFE:
            raise web.HTTPSeeOther("/login")
        raise refused(request, 401, "web-token-missing")
    return await handler(request)


def session_of(token: str) -> str:
    """What the cookie of somebody holds who has shown the token."""
    return hashlib.sha256(b"troupe session\n" + token.encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two secrets are the same, in the same time wherever they differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _checks_itself(request: web.Request, options: WebOptions) -> bool:
    """Routes of other adapters, and signed links to files."""
    if request.path in {route.path for route in options.extra_routes}:
        return True
    file, sign = request.match_info.get("hash"), request.query.get("sign")
    if options.signer is None or file is None or sign is None:
        return False
    until = request.query.get("until", "")
    return options.signer.holds(FileHash(file), until, sign, datetime.now(UTC))


def _host_is_ours(request: web.Request, options: WebOptions) -> bool:
    """Against DNS rebinding: a name of somebody else that leads to our loopback address."""
    if not options.loopback:
        return True
    host = request.host.lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    known = {*_LOOPBACK_NAMES, options.host.lower(), f"[{options.host.lower()}]"}
    return name in known or (host != "" and host == options.public_host)


def _origin_is_ours(request: web.Request, options: WebOptions) -> bool:
    """Programs send no origin; browsers do, and it must be the page itself."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() in {request.host.lower(), options.public_host} - {""}


def _may_enter(request: web.Request, options: WebOptions) -> bool:
    if not options.token or request.path in _WITHOUT_TOKEN or request.path.startswith("/page/"):
        return True
    scheme, _, shown = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and same(shown.strip(), options.token):
        return True
    return same(request.cookies.get(SESSION, ""), session_of(options.token))
