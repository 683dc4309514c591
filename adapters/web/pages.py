"""The page itself, signing in and out, and what monitors the program."""

import hashlib
import html
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from aiohttp import web
from prometheus_client import generate_latest

from adapters.web.errors import problem
from adapters.web.middleware import DOOR
from adapters.web.options import STATE
from adapters.web.sessions import SESSION_COOKIE, locale_of, old_person, set_cookie
from pipeline.domain import LocalizedText
from pipeline.words import language_of, say

_FOLDER = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_MAX_LOGIN = 4096
"""Bytes that are read of somebody who has not signed in."""


async def index(request: web.Request) -> web.Response:
    """GET /: the chat page."""
    return _serve_part(request, "index.html")


async def static(request: web.Request) -> web.Response:
    """GET /page/{name}: a part of the page."""
    name = request.match_info["name"]
    if name not in _load_parts():
        raise problem(request, 404, "web-unknown-page")
    return _serve_part(request, name)


def _serve_part(request: web.Request, name: str) -> web.Response:
    body = _load_parts()[name]
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    media_type = _TYPES[Path(name).suffix]
    return web.Response(body=body, content_type=media_type, charset="utf-8", headers=headers)


@cache
def _load_parts() -> Mapping[str, bytes]:
    return {part.name: part.read_bytes() for part in _FOLDER.iterdir() if part.suffix in _TYPES}


async def login_form(request: web.Request) -> web.Response:
    """GET /login: where a person enters the token."""
    if not request.app[STATE].options.token:
        raise web.HTTPSeeOther("/")
    return _login_page(request, "")


async def login(request: web.Request) -> web.Response:
    """POST /login: check the token and open a session."""
    state = request.app[STATE]
    try:
        is_right = await request.app[DOOR].check_token(request, await _read_token(request))
    except web.HTTPException as error:
        if error.status != web.HTTPTooManyRequests.status_code:
            raise
        return _login_page(request, "web-too-many-tries", 429)
    if not is_right:
        return _login_page(request, "web-token-wrong", 403)
    person = old_person(request)
    adopted = person if person and await state.ports.is_known(person) else ""
    secret = await state.sessions.open(person=adopted, signed_in=True)
    response = web.Response(status=303, headers={"Location": "/"})
    set_cookie(response, secret, secure=state.options.secure)
    return response


async def logout(request: web.Request) -> web.Response:
    """POST /logout: end the session."""
    await request.app[STATE].sessions.close(request.cookies.get(SESSION_COOKIE, ""))
    response = web.Response(status=303, headers={"Location": "/login"})
    response.del_cookie(SESSION_COOKIE)
    return response


async def _read_token(request: web.Request) -> str:
    """The token in the form; nothing beyond a few kB is read."""
    if (request.content_length or 0) > _MAX_LOGIN:
        raise problem(request, 413, "web-wrong-request")
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > _MAX_LOGIN:
            raise problem(request, 413, "web-wrong-request")
    try:
        fields = dict(parse_qsl(body.decode(), max_num_fields=8))
    except ValueError as error:
        raise problem(request, 400, "web-wrong-request") from error
    return fields.get("token", "")


def _login_page(request: web.Request, problem_id: str, status: int = 200) -> web.Response:
    locale = locale_of(request)
    words = {
        "{lang}": language_of(locale),
        "{sign-in}": say(locale, LocalizedText("web-sign-in")),
        "{label}": say(locale, LocalizedText("web-token-label")),
        "{problem}": say(locale, LocalizedText(problem_id)) if problem_id else "",
    }
    page = _load_parts()["login.html"].decode()
    for placeholder, text in words.items():
        page = page.replace(placeholder, html.escape(text))
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=page, content_type="text/html", status=status, headers=headers)


async def healthz(_request: web.Request) -> web.Response:
    """GET /healthz: the program is alive."""
    return web.json_response({"status": "ok"})


async def readyz(request: web.Request) -> web.Response:
    """GET /readyz: whether the program can take messages, and what is down."""
    ready, down = await request.app[STATE].ports.ready()
    body = {"status": "ready" if ready else "not ready", **({"down": down} if down else {})}
    return web.json_response(body, status=200 if ready else 503)


async def metrics(request: web.Request) -> web.Response:
    """GET /metrics: figures for Prometheus."""
    body = generate_latest(request.app[STATE].metrics.registry)
    return web.Response(body=body, headers={"Content-Type": "text/plain; version=0.0.4"})
