"""One-time links that open a person's conversations on another device.

Nothing is stored for a link until it is used: it says whose it is and how long it is valid, signed
with the installation's secret and the token. That it was used is stored. To open it shows a page
with a button, so that programs that look at links in messages do not use it up.
"""

import hashlib
import hmac
import json
import re
import secrets
import time

from aiohttp import web

from adapters.web import sessions
from adapters.web.history import require_session
from adapters.web.history_shapes import DeviceLink
from adapters.web.middleware import redirect
from adapters.web.operations import gives
from adapters.web.options import STATE, WebOptions
from adapters.web.pages import fill_page
from adapters.web.urls import make_url
from pipeline.domain import LocalizedText
from pipeline.words import language_of, say

_SECONDS = 600
"""How long a link is valid."""
_CODE = re.compile(r"([0-9a-f]{20})\.([0-9]{1,12})\.([0-9a-f]{16})\.([0-9a-f]{64})")
"""Person, expiry in seconds since 1970, a random part and the signature."""


@gives(DeviceLink)
async def make_link(request: web.Request) -> web.Response:
    """POST /api/devices: a link that opens this person's conversations once, on another device."""
    options, person = request.app[STATE].options, require_session(request)
    expires = int(time.time()) + _SECONDS
    said = f"{person.id}.{expires}.{secrets.token_hex(8)}"
    url = make_url(request, f"/devices/{said}.{_sign(options, said)}")
    moment = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(expires))
    link = DeviceLink(url=url, expires=moment)
    return web.json_response(link, headers={"Cache-Control": "no-store"})


async def show_link(request: web.Request) -> web.Response:
    """GET /devices/{code}: a page that asks whether to open the conversations here."""
    is_valid = await _find_person(request) is not None
    return _show(request, "" if is_valid else "web-device-over", 200 if is_valid else 410)


async def use_link(request: web.Request) -> web.Response:
    """POST /devices/{code}: open the conversations on this device, and end the link."""
    state = request.app[STATE]
    person, use = await _find_person(request), json.dumps(secrets.token_hex(8))
    if person is None or await state.ports.cache.claim(_key(request), use) != use:
        return _show(request, "web-device-over", 410)
    before = request.get(sessions.SESSION)
    cookie, _ = sessions.open_session(state.options, person)
    response = redirect("/")
    if before is not None and before.person != person:
        response.headers["Clear-Site-Data"] = '"storage"'  # what the other one has begun to write
    sessions.set_cookie(response, cookie, secure=state.options.secure)
    return response


async def _find_person(request: web.Request) -> str | None:
    """The person of a link; None if it is not ours, too old, or was used."""
    state, match = request.app[STATE], _CODE.fullmatch(request.match_info["code"])
    if match is None:
        return None
    person, expires, _, sign = match.groups()
    said = request.match_info["code"].rpartition(".")[0]
    is_ours = hmac.compare_digest(_sign(state.options, said), sign)
    if not is_ours or int(expires) < time.time():
        return None
    return person if await state.ports.cache.get(_key(request)) is None else None


def _sign(options: WebOptions, said: str) -> str:
    signed = f"web device {said}.{options.token}".encode()
    return hmac.digest(options.secret(), signed, "sha256").hex()


def _key(request: web.Request) -> str:
    code = request.match_info["code"].encode()
    return f"web device {hashlib.sha256(code).hexdigest()}"


def _show(request: web.Request, problem: str, status: int) -> web.Response:
    locale = sessions.read_locale(request)
    words = {
        "lang": language_of(locale),
        "title": say(locale, LocalizedText("web-device-title")),
        "text": say(locale, LocalizedText(problem or "web-device-explained")),
        "open": say(locale, LocalizedText("web-device-open")),
        "hidden": "hidden" if problem else "",
    }
    headers = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}
    text = fill_page("device.html", words)
    return web.Response(text=text, content_type="text/html", status=status, headers=headers)
