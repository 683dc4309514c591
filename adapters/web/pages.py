"""The page itself, signing in, and what watches the program."""

import hashlib
import html
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from aiohttp import web
from aiolimiter import AsyncLimiter
from prometheus_client import generate_latest

from adapters.web.guards import SESSION, same, session_of
from adapters.web.persons import locale_of, remember
from adapters.web.refusals import refused
from adapters.web.state import STATE
from pipeline.domain import Sentence
from pipeline.words import say, spoken

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_YEAR = 365 * 24 * 3600
TRIES = web.AppKey("tries", AsyncLimiter)
"""Tries at the token: ten a minute."""


async def index(request: web.Request) -> web.Response:
    """GET /: the chat page."""
    response = _static(request, "index.html")
    remember(request, response, secure=request.app[STATE].options.secure)
    return response


async def static(request: web.Request) -> web.Response:
    """GET /page/{name}: a part of the page."""
    name = request.match_info["name"]
    if name not in _parts():
        raise refused(request, 404, "web-unknown-page")
    return _static(request, name)


def _static(request: web.Request, name: str) -> web.Response:
    body = _parts()[name]
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    media_type = _TYPES[Path(name).suffix]
    return web.Response(body=body, content_type=media_type, charset="utf-8", headers=headers)


@cache
def _parts() -> Mapping[str, bytes]:
    return {each.name: each.read_bytes() for each in _FOLDER.iterdir() if each.suffix in _TYPES}


async def login_form(request: web.Request) -> web.Response:
    """GET /login: where a person shows the token."""
    if not request.app[STATE].options.token:
        raise web.HTTPSeeOther("/")
    return _login(request, "")


async def login(request: web.Request) -> web.Response:
    """POST /login: the token, once; a cookie remembers that it was right."""
    options = request.app[STATE].options
    if not request.app[TRIES].has_capacity():
        return _login(request, "web-too-many-tries", 429)
    form = await request.post()
    if not same(str(form.get("token", "")).strip(), options.token):
        await request.app[TRIES].acquire()
        return _login(request, "web-token-wrong", 403)
    response = web.Response(status=303, headers={"Location": "/"})
    response.set_cookie(
        SESSION,
        session_of(options.token),
        max_age=_YEAR,
        httponly=True,
        samesite="Lax",
        secure=options.secure,
    )
    return response


def _login(request: web.Request, problem: str, status: int = 200) -> web.Response:
    locale = locale_of(request)
    said = {
        "{lang}": spoken(locale),
        "{sign-in}": say(locale, Sentence("web-sign-in")),
        "{label}": say(locale, Sentence("web-token-label")),
        "{problem}": say(locale, Sentence(problem)) if problem else "",
    }
    page = _parts()["login.html"].decode()
    for place, words in said.items():
        page = page.replace(place, html.escape(words))
    return web.Response(
        text=page, content_type="text/html", status=status, headers={"Cache-Control": "no-store"}
    )


async def healthz(_request: web.Request) -> web.Response:
    """GET /healthz: the program is alive."""
    return web.json_response({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """GET /readyz: the program can take messages."""
    ready = await request.app[STATE].ports.ready()
    return web.json_response(
        {"status": "ready" if ready else "not ready"}, status=200 if ready else 503
    )


async def metrics(request: web.Request) -> web.Response:
    """GET /metrics: figures for Prometheus."""
    body = generate_latest(request.app[STATE].figures.registry)
    return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4"})
