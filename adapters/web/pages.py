"""Handlers for browsers: the page, files, login and logout."""

import asyncio
import codecs
import html
import re
from pathlib import Path
from string import Template
from urllib.parse import parse_qsl, quote

from aiohttp import web

from adapters.bounds import read_body
from adapters.web import sessions
from adapters.web.middleware import check_token, redirect
from adapters.web.options import STATE, Refused
from adapters.web.run_logs import PLATFORM
from pipeline.domain import FileHash, LocalizedText, RunId
from pipeline.text.names import clean_file_name, sniff
from pipeline.words import language_of, say

FOLDER = Path(__file__).parent / "page"
"""The page's static files."""
_MAX_LOGIN = 4096
"""Largest login form, in bytes."""
_MAX_LOGIN_FIELDS = 8
_HEAD = 8192
_FAMILIES = frozenset({"image", "audio", "video"})
_DOWNLOAD = "application/octet-stream"
_ASK_AGAIN = "private, no-cache"
"""A browser shows what it has kept only to whom we would still show it."""
_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
_SANDBOX = f"{_POLICY}; sandbox"


async def index(_request: web.Request) -> web.FileResponse:
    """GET /: the chat page."""
    return web.FileResponse(FOLDER / "index.html")


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
    before = request.get(sessions.SESSION)
    person = before.person if before else await sessions.find_old_person(request)
    cookie, _ = sessions.open_session(state.options, person)
    response = redirect("/")
    sessions.set_cookie(response, cookie, secure=state.options.secure)
    return response


async def logout(request: web.Request) -> web.Response:
    """POST /logout: end the session."""
    await sessions.end_session(request)
    response = redirect("/login")
    response.del_cookie(sessions.SESSION_COOKIE)
    return response


async def _read_token(request: web.Request) -> str:
    """The token in the login form. Raises Refused."""
    try:
        body = await read_body(request, _MAX_LOGIN)
        form = dict(parse_qsl(body.decode(), max_num_fields=_MAX_LOGIN_FIELDS))
    except web.HTTPRequestEntityTooLarge as error:
        raise Refused(413, "web-wrong-request") from error
    except ValueError as error:
        raise Refused(400, "web-wrong-request") from error
    return form.get("token", "")


def _login_page(request: web.Request, problem: str, status: int = 200) -> web.Response:
    locale = sessions.locale_of(request)
    words = {
        "lang": language_of(locale),
        "sign_in": say(locale, LocalizedText("web-sign-in")),
        "label": say(locale, LocalizedText("web-token-label")),
        "problem": say(locale, LocalizedText(problem)) if problem else "",
    }
    page = Template((FOLDER / "login.html").read_text(encoding="utf-8"))
    text = page.substitute({name: html.escape(word) for name, word in words.items()})
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=text, content_type="text/html", status=status, headers=headers)


# --- files: shown if that is harmless, else downloaded ---


async def serve_file(request: web.Request) -> web.StreamResponse:
    """GET /files/{hash}/{name}: a file of the caller's conversations, or the range asked for."""
    ports, file = request.app[STATE].ports, FileHash(request.match_info["hash"])
    person = f"{PLATFORM}:{sessions.person_of(request).id}"
    linked_by = request.get(sessions.LINKED_RUN)
    if linked_by is not None:
        may_have = await ports.store.is_file_of(RunId(linked_by), file)
    else:
        holds_token = request.get(sessions.HOLDS_TOKEN, False)
        may_have = holds_token or await ports.store.is_shown_file(person, file)
    path = ports.file_path(file)
    if not may_have or not await asyncio.to_thread(path.is_file):
        raise Refused(404, "web-unknown-file")
    media_type = await asyncio.to_thread(_sniff_path, path)
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": _disposition(media_type, request.match_info["name"]),
        "Content-Security-Policy": _POLICY if media_type == "application/pdf" else _SANDBOX,
        "Cache-Control": _ASK_AGAIN,
    }
    return web.FileResponse(path, headers=headers)


def _sniff_path(path: Path) -> str:
    with path.open("rb") as opened:
        return sniff_media_type(opened.read(_HEAD))


def sniff_media_type(head: bytes) -> str:
    """The media type to serve a file with, by its first bytes alone.

    A file that could run code in a browser is served as a download.
    """
    if media_type := sniff(head):
        is_shown = media_type.partition("/")[0] in _FAMILIES or media_type == "application/pdf"
        return media_type if is_shown else _DOWNLOAD
    return "text/plain; charset=utf-8" if _is_plain_text(head) else _DOWNLOAD


def _is_plain_text(head: bytes) -> bool:
    """Whether this is UTF-8 text, but not HTML or XML."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < _HEAD)
    except UnicodeDecodeError:
        return False
    return "\0" not in text and not text.lstrip("\ufeff \t\r\n").startswith("<")


def _disposition(media_type: str, name: str) -> str:
    kind = "attachment" if media_type == _DOWNLOAD else "inline"
    safe = clean_file_name(name)
    ascii_name = re.sub(r"[^A-Za-z0-9 ._-]", "_", safe)
    return f"{kind}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(safe, safe='')}"
