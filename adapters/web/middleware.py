"""Middleware: error responses, checks of host and origin, sessions, tokens and headers.

Before these, `adapters.bounds` has bounded the request.
"""

import hmac
import traceback
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import Enum, auto

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.bounds import trust
from adapters.web import sessions
from adapters.web.compression import compress
from adapters.web.health import is_named
from adapters.web.options import MEBI, STATE, FailedRequest, Refused, WebOptions, WebState
from adapters.web.problems import respond_with_problem
from pipeline.domain import FileHash, LocalizedText
from pipeline.errors import NotAllowed, OverLimit, RequestError, StoreUnavailable, cause, is_passing
from pipeline.outage import limit_patience

log = structlog.get_logger()

_PUBLIC_PATHS = frozenset({"/healthz", "/readyz", "/login", "/logout", "/api/openapi.json"})
_PUBLIC_FOLDERS = ("/page/", "/devices/", "/shared/")
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITES = ("same-origin", "none")
"""As browsers say where a request comes from: our own page, or the person."""
_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer", browsers send forms with origin "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "microphone=(self), camera=(self), geolocation=(), payment=(), usb=()",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
}
_TRACE_LENGTH = 6000
"""Characters of a traceback that the owner is shown: its end, which says what went wrong."""
_PATH_LENGTH = 200
_WRONG_PER_MINUTE = 10
"""Wrong tokens, of all callers together, before any other is refused."""
_RETRY_SECONDS = 5
"""After which a request that was refused for a fault that passes may be sent again."""
_STATUS: Mapping[type, int] = {NotAllowed: 403, OverLimit: 429}
"""Statuses of requests that the conversation refuses; any other is 503."""
_MESSAGES = {
    404: "web-unknown-page",
    408: "web-too-slow",
    413: "web-body-too-large",
    415: "web-compressed",
}
"""Our messages for aiohttp's own errors; any other is "web-wrong-request"."""


class TokenKind(Enum):
    """Whose token it is."""

    PAGE = auto()
    """Of all who may use the page."""
    OWNER = auto()


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """The headers that every response carries, unless it has its own."""
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


@web.middleware
async def answer_request(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Count and time requests, and answer every error with a sentence."""
    metrics = request.app[STATE].metrics
    resource = request.match_info.route.resource
    route = resource.canonical if resource else "none"
    with metrics.seconds.labels(route).time():
        response = await _respond(request, handler)
        await compress(request, response)
    metrics.requests.labels(route, str(response.status)).inc()
    return response


async def _respond(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ConnectionError:  # the reader left
        raise
    except Exception as error:  # noqa: BLE001 - a bug is logged where it is explained
        status, sentence = _explain(request, cause(error) or error)
        allowed = error.allowed_methods if isinstance(error, web.HTTPMethodNotAllowed) else ()
        headers = {"Allow": ", ".join(sorted(allowed))} if allowed else {}
        if is_passing(error):
            headers["Retry-After"] = str(_RETRY_SECONDS)
    return respond_with_problem(request, status, sentence, headers=headers)


def _explain(request: web.Request, error: Exception) -> tuple[int, LocalizedText]:  # noqa: PLR0911 - one an error
    """The status and the sentence of an error; a bug is logged with its traceback."""
    match error:
        case Refused():
            return error.status, error.sentence
        case StoreUnavailable():
            log.error("request not stored", why=str(error))
            return 503, error.sentence
        case RequestError():
            return _STATUS.get(type(error), 503), error.sentence
        case web.HTTPMethodNotAllowed():
            return 405, LocalizedText("web-wrong-method", {"method": request.method})
        case web.HTTPException():
            max_body = request.app[STATE].options.max_body
            is_most = max(request.content_length or 0, request.content.total_bytes) > max_body
            limit = max_body // MEBI if is_most else 0
            message = _MESSAGES.get(error.status, "web-wrong-request")
            return error.status, LocalizedText(message, {"limit": limit})
        case web.RequestPayloadError():
            return 400, LocalizedText("web-wrong-request")
        case _:
            reference = uuid.uuid4().hex[:8]
            trace = "".join(traceback.format_exception(error))[-_TRACE_LENGTH:]
            failure = FailedRequest(
                reference=reference,
                at=datetime.now(UTC),
                path=request.path[:_PATH_LENGTH],
                error=type(error).__name__,
                trace=trace,
            )
            request.app[STATE].failures.append(failure)
            log.error("web request failed", path=request.path, reference=reference, exc_info=error)
            return 500, LocalizedText("apology-bug", {"reference": reference})


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Check host and origin; require the token, or a session that signed in with it."""
    state = request.app[STATE]
    options = state.options
    if _is_route_of_others(request, options) or _has_signed_link(request, options):
        return await handler(request)
    with limit_patience(options.store_seconds):
        return await _guard(request, handler, state)


async def _guard(request: web.Request, handler: Handler, state: WebState) -> web.StreamResponse:
    options = state.options
    if not _is_our_host(request, options):
        raise Refused(421, "web-other-host", host=request.host[:100])
    if not _is_our_origin(request, options):
        raise Refused(403, "web-other-origin")
    new_cookie = await _resume_session(request, options)
    if not await _is_allowed(request, state):
        if request.path == "/" and request.method in _SAFE_METHODS:
            return redirect("/login")
        raise Refused(401, "web-token-missing")
    response = await handler(request)
    if new_cookie and not response.prepared:
        sessions.set_cookie(response, new_cookie, secure=options.secure)
    return response


def redirect(address: str) -> web.Response:
    return web.Response(status=303, headers={"Location": address})


async def check_token(request: web.Request, token: str) -> TokenKind | None:
    """Which token it is. Raises Refused for a wrong one after too many wrong ones.

    Wrong ones are counted for all callers and programs together. The right one is always taken:
    nobody can lock others out, and no address needs to be believed.
    """
    state = request.app[STATE]
    received = token.strip().encode(errors="replace")
    known = {TokenKind.PAGE: state.options.token, TokenKind.OWNER: state.options.owner_token}
    for kind, expected in known.items():
        if expected and hmac.compare_digest(received, expected.encode()):
            return kind
    limits, key = state.ports.rate_limits, "web wrong tokens"
    if await limits.reserve(key, most=_WRONG_PER_MINUTE, seconds=60, patience=0) is None:
        if state.complaints.has_capacity():
            await state.complaints.acquire()
            log.warning("many wrong tokens", path=request.path, remote=request.remote)
        raise Refused(429, "web-too-many-tries")
    return None


async def _resume_session(request: web.Request, options: WebOptions) -> str:
    """Attach the session to the request. Returns the cookie of a new one, "" for an old one.

    Without a token, a browser that opens the page gets a session at once.
    """
    session = await sessions.find_session(request)
    if session is not None:
        request[sessions.SESSION] = request[sessions.SHOWN_SESSION] = session
    is_current = session is not None and session.signed_in
    if options.token or is_current:
        return ""
    person = session.person if session else await sessions.find_old_person(request)
    if not person and (request.path != "/" or request.method != "GET"):
        return ""
    cookie, session = sessions.open_session(options, person)
    request[sessions.SESSION] = session
    return cookie


async def _is_allowed(request: web.Request, state: WebState) -> bool:
    path, session, options = request.path, request.get(sessions.SESSION), state.options
    if path in _PUBLIC_PATHS or path.startswith(_PUBLIC_FOLDERS):
        return True
    is_inside = not options.token or (session is not None and session.signed_in)
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and (options.owner_token or not is_inside):
        kind = await check_token(request, token)
        request[sessions.HOLDS_TOKEN] = is_right = kind is not None
        request[sessions.HOLDS_OWNER_TOKEN] = kind is TokenKind.OWNER
        is_inside = is_inside or is_right
    if is_inside:
        trust(request)
    return is_inside


def _is_route_of_others(request: web.Request, options: WebOptions) -> bool:
    """Whether another adapter answers, which authenticates its callers itself."""
    return any(request.path == route.path for route in options.extra_routes)


def _has_signed_link(request: web.Request, options: WebOptions) -> bool:
    """Whether this is a link that we signed; its handler asks whether its run was forgotten."""
    file = request.match_info.get("hash")
    if options.signer is None or file is None or "sign" not in request.query:
        return False
    run = options.signer.find_run(FileHash(file), request.query, datetime.now(UTC))
    if run is None:
        return False
    request[sessions.LINKED_RUN] = run
    trust(request)
    return True


def _is_our_host(request: web.Request, options: WebOptions) -> bool:
    """Guard against DNS rebinding: a foreign name that resolves to our loopback address."""
    is_public = request.host.lower() == options.public_host != ""
    return not options.loopback or is_named(request.host, options.local_names) or is_public


def _is_our_origin(request: web.Request, options: WebOptions) -> bool:
    """Programs send no origin; browsers do, and it must be that of our page.

    From other sites people may come by a link, but no page there may ask us for anything: even if
    it cannot read the answer, it could work us hard, or learn from how long that takes.
    """
    site = request.headers.get("Sec-Fetch-Site", "none")
    if request.method in _SAFE_METHODS:
        fetched = {request.headers.get(name) for name in ("Sec-Fetch-Mode", "Sec-Fetch-Dest")}
        return site in _OWN_SITES or fetched == {"navigate", "document"}
    origin = request.headers.get("Origin")
    own = {request.host.lower(), options.public_host} - {""}
    is_own = origin is None or origin.lower().partition("://")[2] in own
    return is_own and site in _OWN_SITES
