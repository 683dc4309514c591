"""Middleware: error responses, checks of host and origin, sessions, tokens and headers."""

import hmac
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime

import structlog
from aiohttp import web
from aiohttp.typedefs import Handler
from aiolimiter import AsyncLimiter

from adapters.web import sessions
from adapters.web.health import LOOPBACK_NAMES, is_named
from adapters.web.options import MEBI, STATE, Refused, WebOptions, WebState
from pipeline.domain import FileHash, LocalizedText
from pipeline.errors import NotAllowed, OverLimit, RequestError, StoreUnavailable, cause
from pipeline.words import say

log = structlog.get_logger()

_PUBLIC_PATHS = frozenset({"/healthz", "/readyz", "/login", "/logout", "/api/openapi.json"})
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TRIES_PER_MINUTE = 10
_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer", browsers send forms with origin "null"
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "media-src 'self' blob:; connect-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
}
_STATUS: Mapping[type, int] = {NotAllowed: 403, OverLimit: 429}
"""Statuses of requests that the conversation refuses; any other is 503."""
_MESSAGES = {404: "web-unknown-page", 413: "web-body-too-large"}
"""Our messages for aiohttp's own errors; any other is "web-wrong-request"."""


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
    metrics.requests.labels(route, str(response.status)).inc()
    return response


async def _respond(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except ConnectionResetError:
        raise
    except Exception as error:  # noqa: BLE001 - a bug is logged where it is explained
        status, sentence = _explain(request, cause(error) or error)
        allowed = error.allowed_methods if isinstance(error, web.HTTPMethodNotAllowed) else ()
        headers = {"Allow": ", ".join(sorted(allowed))} if allowed else None
    body = {"error": say(sessions.locale_of(request), sentence)}
    if "reference" in sentence.args:
        body["reference"] = str(sentence.args["reference"])
    return web.json_response(body, status=status, headers=headers)


def _explain(request: web.Request, error: Exception) -> tuple[int, LocalizedText]:  # noqa: PLR0911 - one an error
    """The status and the sentence of an error; a bug is logged with its traceback."""
    match error:
        case Refused():
            return error.status, error.sentence
        case StoreUnavailable():
            log.error("message not stored", why=str(error))
            return 503, error.sentence
        case RequestError():
            return _STATUS.get(type(error), 503), error.sentence
        case web.HTTPMethodNotAllowed():
            return 405, LocalizedText("web-wrong-method", {"method": request.method})
        case web.HTTPException():
            limit = request.app[STATE].options.max_body // MEBI
            message = _MESSAGES.get(error.status, "web-wrong-request")
            return error.status, LocalizedText(message, {"limit": limit})
        case web.RequestPayloadError():
            return 400, LocalizedText("web-wrong-request")
        case TimeoutError():
            return 408, LocalizedText("web-too-slow")
        case _:
            reference = uuid.uuid4().hex[:8]
            log.error("web request failed", path=request.path, reference=reference, exc_info=error)
            return 500, LocalizedText("apology-bug", {"reference": reference})


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Check host and origin; require the token, or a session that signed in with it."""
    state = request.app[STATE]
    options = state.options
    if _authenticates_itself(request, options):
        return await handler(request)
    if not _is_our_host(request, options):
        raise Refused(421, "web-other-host", host=request.host[:100])
    if request.method not in _SAFE_METHODS and not _is_our_origin(request, options):
        raise Refused(403, "web-other-origin")
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise Refused(415, "web-compressed")
    new_secret = await _resume_session(request, state)
    if not await _is_allowed(request, state):
        if request.path == "/" and request.method in _SAFE_METHODS:
            return redirect("/login")
        raise Refused(401, "web-token-missing")
    response = await handler(request)
    if new_secret and not response.prepared:
        sessions.set_cookie(response, new_secret, secure=options.secure)
    return response


def redirect(address: str) -> web.Response:
    return web.Response(status=303, headers={"Location": address})


async def check_token(request: web.Request, token: str) -> bool:
    """Whether the token is right. Raises Refused after too many wrong ones from an address.

    Wrong bearer tokens and wrong logins are counted together.
    """
    state = request.app[STATE]
    limiter = state.tries.setdefault(_address_of(request), AsyncLimiter(_TRIES_PER_MINUTE, 60))
    if not limiter.has_capacity():
        raise Refused(429, "web-too-many-tries")
    received, expected = token.strip().encode(errors="replace"), state.options.token.encode()
    is_right = hmac.compare_digest(received, expected)
    if not is_right:
        await limiter.acquire()
    return is_right


async def _resume_session(request: web.Request, state: WebState) -> str:
    """Attach the session to the request. Returns the secret of a new one, "" for an old one."""
    cache, new_secret = state.ports.cache, ""
    session = await sessions.find_session(cache, request.cookies.get(sessions.SESSION_COOKIE, ""))
    if session is None and not state.options.token:
        person = await sessions.find_old_person(request, state.ports.store)
        if person or (request.path == "/" and request.method == "GET"):
            new_secret, session = await sessions.open_session(cache, person=person)
    if session is not None:
        request[sessions.SESSION] = session
    return new_secret


async def _is_allowed(request: web.Request, state: WebState) -> bool:
    path, session = request.path, request.get(sessions.SESSION)
    if not state.options.token or path in _PUBLIC_PATHS or path.startswith("/page/"):
        return True
    if session is not None and session.signed_in:
        return True
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    request[sessions.HOLDS_TOKEN] = scheme.lower() == "bearer" and await check_token(request, token)
    return request[sessions.HOLDS_TOKEN]


def _address_of(request: web.Request) -> str:
    """The caller's address; behind a local proxy, the last one that the proxy reports."""
    address = request.remote or ""
    forwarded = request.headers.get("X-Forwarded-For", "")
    if address in ("127.0.0.1", "::1") and request.app[STATE].options.public_url and forwarded:
        return forwarded[-100:].rpartition(",")[2].strip()
    return address


def _authenticates_itself(request: web.Request, options: WebOptions) -> bool:
    """Whether no other check is needed: routes of other adapters, and signed links to files."""
    if any(request.path == route.path for route in options.extra_routes):
        return True
    file, sign = request.match_info.get("hash"), request.query.get("sign")
    if options.signer is None or file is None or sign is None:
        return False
    until = request.query.get("until", "")
    request[sessions.HOLDS_TOKEN] = options.signer.is_valid(
        FileHash(file), until, sign, datetime.now(UTC)
    )
    return request[sessions.HOLDS_TOKEN]


def _is_our_host(request: web.Request, options: WebOptions) -> bool:
    """Guard against DNS rebinding: a foreign name that resolves to our loopback address."""
    known = LOOPBACK_NAMES | {options.host.lower(), f"[{options.host.lower()}]"}
    is_public = request.host.lower() == options.public_host != ""
    return not options.loopback or is_named(request.host, known) or is_public


def _is_our_origin(request: web.Request, options: WebOptions) -> bool:
    """Programs send no origin; browsers do, and it must be that of our page."""
    site = request.headers.get("Sec-Fetch-Site", "none")
    origin = request.headers.get("Origin")
    own = {request.host.lower(), options.public_host} - {""}
    is_own = origin is None or origin.lower().partition("://")[2] in own
    return is_own and site in ("same-origin", "none")
