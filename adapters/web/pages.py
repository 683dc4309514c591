"""The page itself, signing in and out, and what monitors the program."""

import html
from mimetypes import guess_type
from pathlib import Path
from string import Template

from aiohttp import web
from prometheus_client import generate_latest

from adapters.web import sessions
from adapters.web.middleware import check_token, redirect
from adapters.web.options import STATE, Refused
from pipeline.domain import LocalizedText
from pipeline.words import language_of, say

_FOLDER = Path(__file__).parent / "page"
_MAX_LOGIN = 4096
"""Bytes that are read of somebody who has not signed in."""


async def index(_request: web.Request) -> web.FileResponse:
    """GET /: the chat page."""
    return _serve_part("index.html")


async def part(request: web.Request) -> web.FileResponse:
    """GET /page/{name}: a part of the page."""
    return _serve_part(request.match_info["name"])


def _serve_part(name: str) -> web.FileResponse:
    path = _FOLDER / name
    if path.parent != _FOLDER or not path.is_file():
        raise Refused(404, "web-unknown-page")
    media_type = guess_type(name)[0] or "application/octet-stream"
    return web.FileResponse(path, headers={"Content-Type": f"{media_type}; charset=utf-8"})


async def login_form(request: web.Request) -> web.Response:
    """GET /login: where a person enters the token."""
    if not request.app[STATE].options.token:
        return redirect("/")
    return _login_page(request, "")


async def login(request: web.Request) -> web.Response:
    """POST /login: check the token and open a session."""
    state = request.app[STATE]
    token = await _read_token(request)
    try:
        is_right = await check_token(request, token)
    except Refused as error:
        return _login_page(request, error.sentence.id, error.status)
    if not is_right:
        return _login_page(request, "web-token-wrong", 403)
    person = await sessions.find_old_person(request, state.ports.store)
    secret, _ = await sessions.open_session(state.ports.cache, person=person, signed_in=True)
    response = redirect("/")
    sessions.set_cookie(response, secret, secure=state.options.secure)
    return response


async def logout(request: web.Request) -> web.Response:
    """POST /logout: end the session."""
    await sessions.close_session(
        request.app[STATE].ports.cache, request.cookies.get(sessions.SESSION_COOKIE, "")
    )
    response = redirect("/login")
    response.del_cookie(sessions.SESSION_COOKIE)
    return response


async def _read_token(request: web.Request) -> str:
    """The token in the form; nothing beyond a few kB is read."""
    try:
        form = await request.clone(client_max_size=_MAX_LOGIN).post()
    except web.HTTPRequestEntityTooLarge as error:
        raise Refused(413, "web-wrong-request") from error
    except (ValueError, LookupError) as error:
        raise Refused(400, "web-wrong-request") from error
    return str(form.get("token", ""))


def _login_page(request: web.Request, problem: str, status: int = 200) -> web.Response:
    locale = sessions.locale_of(request)
    words = {
        "lang": language_of(locale),
        "sign_in": say(locale, LocalizedText("web-sign-in")),
        "label": say(locale, LocalizedText("web-token-label")),
        "problem": say(locale, LocalizedText(problem)) if problem else "",
    }
    page = Template((_FOLDER / "login.html").read_text(encoding="utf-8"))
    text = page.substitute({name: html.escape(word) for name, word in words.items()})
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=text, content_type="text/html", status=status, headers=headers)


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
