"""One app in several workspaces: OAuth, one address and one socket for all of them."""

import base64
import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qs, urlencode

import aiohttp
from aiohttp import web
from yarl import URL

from tests.servers.loopback import listen
from tests.servers.slack.calls import APP_TOKEN, SIGNING_SECRET
from tests.servers.slack.faults import Faults
from tests.servers.slack.server import SlackServer
from tests.servers.slack.socket import SocketMode
from tests.servers.slack.workspace import ANNA, APP, Json, furnished

CLIENT_ID, CLIENT_SECRET = "1234.5678", "client-secret-0123456789abcdef"
_WITHOUT_TEAM = {"auth.test", "auth.teams.list"}
"""What an organisation's token may call without saying for which workspace."""


@dataclass
class Installed:
    """What somebody allowed: a token for a workspace or, with `org_wide`, an organisation."""

    token: str
    place: str
    org_wide: bool
    is_lost: bool = False


@dataclass
class SlackApp:
    """Plays Slack for an app that is distributed: `async with SlackApp() as app`."""

    redirect_urls: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    """What the app's manifest has."""
    violations: list[str] = field(default_factory=list)
    workspaces: dict[str, SlackServer] = field(default_factory=dict)
    installed: list[Installed] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    """What a browser was led to at the end of an installation."""
    cookies: dict[str, str] = field(default_factory=dict)
    """Those of the last installation."""
    rotates_tokens: bool = False
    """Whether the app's tokens expire, and come with others that renew them."""
    app_token: str = APP_TOKEN
    signing_secret: str = SIGNING_SECRET
    base: str = ""
    _codes: dict[str, tuple[Installed, str]] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.socket = SocketMode(Faults(), self.violations, self._notice)

    @property
    def api(self) -> str:
        return f"{self.base}/api/"

    @property
    def authorize_url(self) -> str:
        return f"{self.base}/oauth/v2/authorize"

    async def __aenter__(self) -> Self:
        self._open = contextlib.AsyncExitStack()
        await self._open.__aenter__()
        await self._open.enter_async_context(self._listening())
        return self

    async def __aexit__(self, *trouble: object) -> None:
        await self._open.__aexit__(None, None, None)

    async def add(self, team: str, enterprise: str = "") -> SlackServer:
        """Another workspace, in which the app is not installed yet."""
        place = enterprise or team  # a bot has one id in all of an organisation
        space = furnished(f"U0{place}", f"B0{place}")
        server = SlackServer(violations=self.violations, space=space)
        server.space.team, server.space.enterprise, server.space.bot_token = team, enterprise, ""
        server.space.begin_ids_at(len(self.workspaces) * 100_000)
        server.calls.granted = self.scopes
        server.calls.methods["auth.teams.list"] = lambda _: self._teams(enterprise)
        server.delivery.socket = self.socket
        self.workspaces[team] = await self._open.enter_async_context(server)
        return server

    async def install(self, url: str, place: str, *, keeps_cookies: bool = True) -> tuple[int, str]:
        """A person opens the install link and allows it for a workspace or an organisation.

        The status and text of the last page.
        """
        jar = aiohttp.DummyCookieJar()
        async with aiohttp.ClientSession(cookie_jar=jar) as browser:
            async with browser.get(url, allow_redirects=False) as page:
                if page.status != 302:
                    return page.status, await page.text()
                cookies = {name: each.value for name, each in page.cookies.items()}
                there = page.headers["Location"]
            async with browser.get(there, params={"allow": place}, allow_redirects=False) as page:
                if page.status != 302:
                    return page.status, await page.text()
                back = page.headers["Location"]
        self.opened.append(back)
        self.cookies = cookies
        return await self.browse(back, cookies if keeps_cookies else {})

    async def browse(self, url: str, cookies: dict[str, str]) -> tuple[int, str]:
        """Open a page as a browser that has these cookies. Its status and text."""
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as browser,
            browser.get(URL(url, encoded=True), headers=sent) as page,
        ):
            return page.status, await page.text()

    def lose(self, place: str) -> None:
        """The token of a place is revoked, without a word."""
        for each in self.installed:
            if each.place == place:
                each.is_lost = True

    def uninstall(self, place: str, event: str = "app_uninstalled") -> None:
        """Somebody removes the app; it is told so in the same moment."""
        self.lose(place)
        servers = [each for each in self.workspaces.values() if self._is_in(each, place)]
        told = {"type": event, "event_ts": servers[0].space.next_ts()}
        lost = {"tokens": {"oauth": [], "bot": [servers[0].space.bot_user]}}
        tokens = lost if event == "tokens_revoked" else {}
        servers[0].people.tell({**told, **tokens})

    def token(self, place: str) -> str:
        return next(each.token for each in reversed(self.installed) if each.place == place)

    def _is_in(self, server: SlackServer, place: str) -> bool:
        return place in (server.space.team, server.space.enterprise)

    def _teams(self, enterprise: str) -> Json:
        spaces = [each.space for each in self.workspaces.values()]
        teams = [{"id": each.team, "name": each.team} for each in spaces]
        here = [t for t, s in zip(teams, spaces, strict=True) if s.enterprise == enterprise]
        return {"teams": here, "response_metadata": {"next_cursor": ""}}

    def _notice(self) -> None:
        for each in self.workspaces.values():
            each._notice()  # noqa: SLF001 - a part of it

    @contextlib.asynccontextmanager
    async def _listening(self) -> AsyncIterator[None]:
        app = web.Application(client_max_size=256 * 1024**2)
        app.router.add_get("/oauth/v2/authorize", self._authorize)
        app.router.add_post("/api/oauth.v2.access", self._access)
        app.router.add_post("/api/apps.connections.open", self._connect)
        app.router.add_route("*", "/api/{method}", self._call)
        app.router.add_get("/link/{ticket}", self.socket.connect)
        async with listen(app) as self.base:
            self.socket.base = self.base
            try:
                yield
            finally:
                await self.socket.close()

    async def _authorize(self, request: web.Request) -> web.Response:
        """The page on which a person chooses a workspace and presses Allow."""
        asked = request.query
        problems = [
            *(["invalid_client_id"] if asked.get("client_id") != CLIENT_ID else []),
            *(["bad_redirect_uri"] if asked.get("redirect_uri") not in self.redirect_urls else []),
            *(["invalid_scope"] if set(asked.get("scope", "").split(",")) - self.scopes else []),
            *(["no state"] if not asked.get("state") else []),
        ]
        if problems:
            return web.Response(status=400, text=", ".join(problems))
        if asked["allow"] == "nowhere":
            answer = {"error": "access_denied", "state": asked["state"]}
        else:
            code = f"code-{next(self._numbers)}"
            self._codes[code] = self._grant(asked["allow"]), asked["redirect_uri"]
            answer = {"code": code, "state": asked["state"]}
        raise web.HTTPFound(f"{asked['redirect_uri']}?{urlencode(answer)}")

    def _grant(self, place: str) -> Installed:
        org_wide = place not in self.workspaces
        token = f"xoxb-{next(self._numbers)}-{place}-{'secret' * 3}"
        return Installed(token, place, org_wide)

    async def _access(self, request: web.Request) -> web.Response:
        form = {name: str(value) for name, value in (await request.post()).items()}
        scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
        client = base64.b64decode(encoded).decode() if scheme == "Basic" else ""
        code, redirect = form.get("code", ""), form.get("redirect_uri", "")
        granted, expected = self._codes.get(code, (None, ""))
        if client.partition(":")[0] != CLIENT_ID:
            return _refuse("invalid_client_id")
        if client != f"{CLIENT_ID}:{CLIENT_SECRET}":
            return _refuse("bad_client_secret")
        if granted is None or code in self._used:
            return _refuse("code_already_used" if code in self._used else "invalid_code")
        if redirect != expected:
            return _refuse("bad_redirect_uri")
        self._used.add(code)
        self._install(granted)
        return web.json_response(self._access_answer(granted))

    def _install(self, granted: Installed) -> None:
        self.installed.append(granted)
        for each in self.workspaces.values():
            if self._is_in(each, granted.place):
                each.space.bot_token, each.space.org_wide = granted.token, granted.org_wide

    def _access_answer(self, granted: Installed) -> Json:
        servers = [each for each in self.workspaces.values() if self._is_in(each, granted.place)]
        enterprise = servers[0].space.enterprise
        rotation = {"refresh_token": "xoxe-1-refresh", "expires_in": 43200}
        return {
            **(rotation if self.rotates_tokens else {}),
            "ok": True,
            "app_id": APP,
            "authed_user": {"id": ANNA},
            "scope": ",".join(sorted(self.scopes)),
            "token_type": "bot",
            "access_token": granted.token,
            "bot_user_id": servers[0].space.bot_user,
            "team": None if granted.org_wide else {"id": granted.place, "name": granted.place},
            "enterprise": {"id": enterprise, "name": "Org"} if enterprise else None,
            "is_enterprise_install": granted.org_wide,
        }

    async def _connect(self, request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bearer {self.app_token}":
            return _refuse("invalid_auth")
        return web.json_response({"ok": True, **self.socket.address({})})

    async def _call(self, request: web.Request) -> web.StreamResponse:
        """Pass a call to the workspace of its token; an organisation's must name one."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        installed = next((each for each in self.installed if each.token == token), None)
        if installed is None:
            return _refuse("invalid_auth")
        if installed.is_lost:
            return _refuse("account_inactive")
        places = [each for each in self.workspaces.values() if self._is_in(each, installed.place)]
        if installed.org_wide:
            team = await _named_team(request)
            method = request.match_info["method"]
            if team is None and method not in _WITHOUT_TEAM:
                self.violations.append(f"{method}: an organisation's token without team_id")
            places = [each for each in places if team in (None, each.space.team)]
        return await places[0].calls.answer(request)


async def _named_team(request: web.Request) -> str | None:
    if request.content_type == "application/json":
        body = await request.json() if await request.text() else {}
        return body.get("team_id") or request.query.get("team_id")
    if request.content_type == "application/x-www-form-urlencoded":
        return parse_qs(await request.text()).get("team_id", [request.query.get("team_id")])[0]
    return request.query.get("team_id")


def _refuse(error: str) -> web.Response:
    return web.json_response({"ok": False, "error": error})
