"""The Hub's API (`/api/models`, model cards), the router with hf-inference and language models
behind it, and a provider with a queue.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.servers.experts import ExpertServer, Fault
from tests.servers.experts.faults import played
from tests.servers.hub.files import Repositories
from tests.servers.hub.providers import Providers
from tests.servers.hub.rows import Row
from tests.servers.loopback import listen
from tests.servers.openai import RouterServer

_LISTED = ("pipeline_tag", "downloads", "likes", "private", "tags")
"""What it says of each model unless it is told what to expand."""


@dataclass
class HubServer:
    """Lists its rows as the Hub does, goes wrong when told to, and keeps what it was asked."""

    rows: list[Row] = field(default_factory=list)
    cards: dict[str, str] = field(default_factory=dict)
    experts: ExpertServer = field(default_factory=ExpertServer)
    providers: Providers = field(default_factory=Providers)
    asked: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    base: str = ""
    chat: RouterServer = field(default_factory=RouterServer)
    """The router's language models."""
    prices: object = None
    """What the router's list of language models says instead."""
    fault: Fault | None = None
    """What every question to the API goes wrong with."""
    one_fault: Fault | None = None
    """What every question about a single model goes wrong with."""
    card_fault: Fault | None = None
    repositories: Repositories = field(default_factory=Repositories)
    """The files of models."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Old names of models → new ones, or addresses elsewhere."""

    def application(self) -> web.Application:
        app = self.experts.application()
        app.router.add_routes(self.providers.routes())
        app.router.add_get("/api/whoami-v2", self._whoami)
        app.router.add_get("/api/models", self._list)
        app.router.add_get("/v1/models", self._prices)
        app.router.add_post("/v1/{path:.+}", self.chat.answer)
        app.router.add_routes(self.repositories.routes())
        app.router.add_get("/api/models/{model:.+}", self._one)
        app.router.add_get("/{model:.+}/raw/main/README.md", self._card)
        return app

    async def _list(self, request: web.Request) -> web.StreamResponse:
        if wrong := await self._wrong(request):
            return wrong
        asked = request.query
        found = [
            row
            for row in self.rows
            if asked.get("pipeline_tag", row["pipeline_tag"]) == row["pipeline_tag"]
            and asked.get("search", "").lower() in row["id"].lower()
            and ("inference_provider" not in asked or row["inferenceProviderMapping"])
        ]
        found.sort(key=lambda row: -row["downloads"])
        kept = {"id", *asked.getall("expand", _LISTED)}
        rows = [{name: row[name] for name in row if name in kept} for row in found]
        return web.json_response(rows[: int(asked.get("limit", "1000"))])

    async def _whoami(self, request: web.Request) -> web.StreamResponse:
        if wrong := await self._wrong(request):
            return wrong
        if request.headers.get("Authorization") == "Bearer hf_refused":
            return web.json_response(
                {"error": "Invalid credentials in Authorization header"}, status=401
            )
        return web.json_response({"type": "user", "name": "ann"})

    async def _prices(self, request: web.Request) -> web.Response:
        if self.prices is not None:
            return web.json_response(self.prices)
        return await self.chat.list_models(request)

    async def _one(self, request: web.Request) -> web.StreamResponse:
        if wrong := await self._wrong(request):
            return wrong
        if self.one_fault:
            return await played(self.one_fault, request)
        if new := self.renamed.get(request.match_info["model"]):
            there = new if "://" in new else f"/api/models/{new}"
            return web.Response(status=307, headers={"Location": there})
        for row in self.rows:
            if row["id"] == request.match_info["model"]:
                listed = row["inferenceProviderMapping"]
                if not isinstance(listed, list):  # a row that nobody can read
                    return web.json_response(row)
                mapping = {each["provider"]: dict(each) for each in listed}
                for each in mapping.values():
                    each.pop("provider")
                more = self.repositories.describe(row["id"]) if "blobs" in request.query else {}
                return web.json_response({**row, "inferenceProviderMapping": mapping, **more})
        missing = {"X-Error-Code": "RepoNotFound", "X-Error-Message": "Repository not found"}
        return web.json_response({"error": "Repository not found"}, status=404, headers=missing)

    async def _card(self, request: web.Request) -> web.StreamResponse:
        if wrong := await self._wrong(request):
            return wrong
        if self.card_fault:
            return await played(self.card_fault, request)
        card = self.cards.get(request.match_info["model"])
        if card is None:
            return web.Response(status=404, text="Entry not found")
        return web.Response(text=card)

    async def _wrong(self, request: web.Request) -> web.StreamResponse | None:
        self.asked.append(str(request.rel_url))
        self.tokens.add(request.headers.get("Authorization", ""))
        return await played(self.fault, request) if self.fault else None


@asynccontextmanager
async def hub_at_work(
    server: HubServer | None = None, *, port: int = 0
) -> AsyncIterator[HubServer]:
    """The server at work on loopback, at `base`."""
    server = server or HubServer()
    async with listen(server.application(), port) as server.base:
        yield server
