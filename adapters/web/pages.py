"""The page, and signing in and out."""

import asyncio
import html
import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from urllib.parse import parse_qsl

from aiohttp import web

from adapters.bounds import read_body
from adapters.web import sessions
from adapters.web.middleware import TokenKind, check_token, redirect
from adapters.web.options import STATE, Refused
from adapters.web.page_files import find_tag, serve_index, serve_page_file
from pipeline.domain import LocalizedText
from pipeline.words import FOLDER as WORDS_FOLDER
from pipeline.words import language_of, say

FOLDER = Path(__file__).parent / "page"
"""The page's static files."""
_NO_NAMES = frozenset({"", ".", ".."})
"""Parts of an address that lead out of the folder."""
_PAGE_WORDS = re.compile(r"page(-[a-z]{1,20})?")
"""The names of the files with sentences of the page."""
_MAX_LOGIN = 4096
"""Largest login form, in bytes."""
_MAX_LOGIN_FIELDS = 8
"""The form has one; a browser may add some."""


async def index(request: web.Request) -> web.Response:
    """GET /: the chat page."""
    return await serve_index(request, FOLDER / "index.html", await _find_tag())


async def part(request: web.Request) -> web.Response:
    """GET /page/{path}, GET /page/{tag}/{path}: a part of the page."""
    parts = request.match_info["path"].split("/")
    if not _NO_NAMES.isdisjoint(parts):
        raise web.HTTPNotFound
    return await serve_page_file(request, FOLDER.joinpath(*parts), keep=await _is_current(request))


async def words(request: web.Request) -> web.Response:
    """GET /page/words/{language}/{name}.ftl: sentences of the page, if need be in English.

    With the tag of the page's files before `words`, too.
    """
    name = request.match_info["name"]
    if _PAGE_WORDS.fullmatch(name):
        for language in (language_of(request.match_info["language"]), "en"):
            path = WORDS_FOLDER / language / f"{name}.ftl"
            if await asyncio.to_thread(path.is_file):
                return await serve_page_file(request, path, keep=await _is_current(request))
    raise web.HTTPNotFound


async def _find_tag() -> str:
    return await find_tag(FOLDER, WORDS_FOLDER)


async def _is_current(request: web.Request) -> bool:
    """Whether an address has the tag of the page's files as they are now."""
    tag = request.match_info.get("tag")
    return tag is not None and tag == await _find_tag()


async def login_form(request: web.Request) -> web.Response:
    """GET /login: where a person enters the page's token or the owner's."""
    options = request.app[STATE].options
    if not (options.token or options.owner_token):
        return redirect("/")
    return _login_page(request, "")


async def login(request: web.Request) -> web.Response:
    """POST /login: check the token and open a session."""
    state = request.app[STATE]
    token = await _read_token(request)
    try:
        kind = await check_token(request, token)
    except Refused as error:
        return _login_page(request, error.sentence.id, error.status)
    if kind is None:
        return _login_page(request, "web-token-wrong", 403)
    before = request.get(sessions.SESSION)
    person = before.person if before else await sessions.find_old_person(request)
    cookie, _ = sessions.open_session(state.options, person, is_owner=kind is TokenKind.OWNER)
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
    locale = sessions.read_locale(request)
    words = {
        "lang": language_of(locale),
        "sign_in": say(locale, LocalizedText("web-sign-in")),
        "label": say(locale, LocalizedText("web-token-label")),
        "problem": say(locale, LocalizedText(problem)) if problem else "",
    }
    text = fill_page("login.html", words)
    headers = {"Cache-Control": "no-store"}
    return web.Response(text=text, content_type="text/html", status=status, headers=headers)


def fill_page(name: str, words: Mapping[str, str]) -> str:
    """One of the page's HTML files with words, which are escaped, in place of its `$names`."""
    page = Template((FOLDER / name).read_text(encoding="utf-8"))
    return page.substitute({word: html.escape(text) for word, text in words.items()})
