"""The server: `POST /models/{id}`, `GET /models`, `GET /health`, as Hugging Face's inference has it."""

import asyncio
import hmac
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.local.options import MEBIBYTE, Options
from adapters.local.pool import Call, Pool, pool_at_work
from adapters.local.refusals import refused
from adapters.local.shelf import Entry, Shelf
from adapters.local.table import Table, named_table
from pipeline.errors import BadInput, ExpertError, ExpertRefused


@dataclass(frozen=True, slots=True)
class ExpertsAtWork:
    """A running server, and where it is."""

    base: str
    pool: Pool


@asynccontextmanager
async def experts_at_work(options: Options) -> AsyncIterator[ExpertsAtWork]:
    """The expert server, until the block is left."""
    async with pool_at_work(options) as pool:
        house = _House(options, pool, Shelf(options.folders), named_table(options.table))
        runner = web.AppRunner(
            house.application(), access_log=None, handler_cancellation=True, shutdown_timeout=1
        )
        await runner.setup()
        try:
            await _site(runner, options).start()
            host, port = runner.addresses[0][:2]
            name = f"[{host}]" if ":" in host else host
            yield ExpertsAtWork(f"http://{name}:{port}", pool)
        finally:
            await runner.cleanup()


def _site(runner: web.AppRunner, options: Options) -> web.BaseSite:
    if options.listening < 0:
        return web.TCPSite(runner, options.host, options.port)
    return web.SockSite(runner, socket.socket(fileno=options.listening))


@dataclass(frozen=True, slots=True)
class _House:
    """What the routes stand on."""

    options: Options
    pool: Pool
    shelf: Shelf
    table: Table

    def application(self) -> web.Application:
        app = web.Application(
            client_max_size=self.options.max_body, middlewares=[self._told, self._guarded]
        )
        app.router.add_get("/health", self._health)
        app.router.add_get("/models", self._models)
        app.router.add_post("/models/{model:.+}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.Response:
        model, _, named = request.match_info["model"].partition("/pipeline/")
        entry = self.shelf.find(model)
        if entry is None:
            raise ExpertRefused("local-model-unknown", model=model)
        kind = named or entry.tag
        self._check(entry, kind)
        family = self.table.rows[kind].family
        call = Call(entry, family, kind, request.content_type, await request.read())
        if request.headers.get("x-wait-for-model", "true").lower() == "false":
            self.pool.ask_for(call)
        reply = await self.pool.answer(call)
        return web.Response(status=reply.status, body=reply.body, content_type=reply.media_type)

    def _check(self, entry: Entry, kind: str) -> None:
        if kind and kind not in self.table.rows:
            raise BadInput("local-kind-unknown", task=kind)
        kinds = self._kinds(entry)
        if kind not in kinds:
            can = ", ".join(kinds) or "?"
            raise BadInput("local-kind-unfit", model=entry.id, task=kind or "?", kinds=can)

    def _kinds(self, entry: Entry) -> Sequence[str]:
        if entry.tag not in self.table.rows:
            return ()
        return [kind for kind in self.table.siblings(entry.tag) if entry.can(kind)]

    async def _models(self, _request: web.Request) -> web.Response:
        entries = await asyncio.to_thread(self.shelf.all)
        return web.json_response([self._described(entry) for entry in entries])

    def _described(self, entry: Entry) -> dict[str, object]:
        return {
            "id": entry.id,
            "pipeline_tag": entry.tag,
            "kinds": list(self._kinds(entry)),
            "bytes": entry.weight_bytes,
            "loaded": self.pool.loaded(entry.id),
            "revision": entry.revision,
            "license": entry.licence,
            "languages": list(entry.languages),
        }

    async def _health(self, _request: web.Request) -> web.Response:
        workers = [{"pid": one.pid, "waiting": one.waiting} for one in self.pool.workers]
        document = {
            "status": "ok",
            "workers": workers,
            "held_bytes": self.pool.held_bytes,
            "memory_bytes": self.options.memory_bytes,
        }
        return web.json_response(document)

    @web.middleware
    async def _told(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """What goes wrong becomes a status and {"error": words}."""
        try:
            return await handler(request)
        except web.HTTPRequestEntityTooLarge:
            megabytes = str(self.options.max_body // MEBIBYTE)
            return _refusal(BadInput("local-body-too-large", megabytes=megabytes))
        except web.HTTPException as error:
            return web.json_response({"error": error.reason}, status=error.status)
        except ExpertError as error:
            return _refusal(error)

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        wanted = self.options.token
        if wanted and not hmac.compare_digest(given.encode(), wanted.encode()):
            raise ExpertRefused("local-token-refused")
        return await handler(request)


def _refusal(error: ExpertError) -> web.Response:
    status, answer = refused(error)
    response = web.Response(status=status, body=answer.body, content_type=answer.media_type)
    if (after := getattr(error, "retry_after", None)) is not None:
        response.headers["Retry-After"] = str(round(after) or 1)
    return response
