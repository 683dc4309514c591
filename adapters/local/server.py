"""The HTTP server: `POST /models/{id}`, `GET /models`, `GET /health`, in Hugging Face's format."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.local.inference import KindTable, error_response, import_table
from adapters.local.loaded_models import ModelCall
from adapters.local.models_on_disk import ModelFolders, ModelOnDisk
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from adapters.local.pool import ModelPool, open_model_pool
from pipeline.errors import BadInput, ExpertError, ExpertRefused


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A running server and its address."""

    base: str
    pool: ModelPool


@asynccontextmanager
async def run_server(options: ExpertServerOptions) -> AsyncIterator[RunningServer]:
    """The expert server, until the block is left."""
    async with open_model_pool(options) as pool:
        table = import_table(options.table)
        routes = _Routes(options, pool, ModelFolders(options.folders), table)
        runner = web.AppRunner(
            routes.build_application(),
            access_log=None,
            handler_cancellation=True,
            shutdown_timeout=1,
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, options.host, options.port).start()
            host, port = runner.addresses[0][:2]
            name = f"[{host}]" if ":" in host else host
            yield RunningServer(f"http://{name}:{port}", pool)
        finally:
            await runner.cleanup()


@dataclass(frozen=True, slots=True)
class _Routes:
    """The routes and what they need."""

    options: ExpertServerOptions
    pool: ModelPool
    folders: ModelFolders
    table: KindTable

    def build_application(self) -> web.Application:
        app = web.Application(
            client_max_size=self.options.max_body,
            middlewares=[self._answer_errors, self._require_token],
        )
        app.router.add_get("/health", self._get_health)
        app.router.add_get("/models", self._list_models)
        app.router.add_post("/models/{model:.+}", self._run_model)
        return app

    async def _run_model(self, request: web.Request) -> web.Response:
        name, _, kind = request.match_info["model"].partition("/pipeline/")
        model = await asyncio.to_thread(self.folders.find, name)
        if model is None:
            raise ExpertRefused("local-model-unknown", model=name)
        kind = kind or model.kind
        self._check_kind(model, kind)
        call = ModelCall(
            model=model,
            family=self.table.kinds[kind].family,
            kind=kind,
            media_type=request.content_type,
            body=await request.read(),
        )
        if request.headers.get("x-wait-for-model", "true").lower() == "false":
            self.pool.require_loaded(call)
        reply = await self.pool.run(call)
        return web.Response(status=reply.status, body=reply.body, content_type=reply.media_type)

    def _check_kind(self, model: ModelOnDisk, kind: str) -> None:
        if kind and kind not in self.table.kinds:
            raise BadInput("local-kind-unknown", task=kind)
        kinds = self._list_kinds(model)
        if kind not in kinds:
            names = ", ".join(kinds) or "?"
            raise BadInput("local-kind-unfit", model=model.id, task=kind or "?", kinds=names)

    def _list_kinds(self, model: ModelOnDisk) -> Sequence[str]:
        if model.kind not in self.table.kinds:
            return ()
        return [kind for kind in self.table.find_siblings(model.kind) if model.can_do(kind)]

    async def _list_models(self, _request: web.Request) -> web.Response:
        models = await asyncio.to_thread(self.folders.list_models)
        return web.json_response([self._describe(model) for model in models])

    def _describe(self, model: ModelOnDisk) -> dict[str, object]:
        return {
            "id": model.id,
            "pipeline_tag": model.kind,
            "kinds": list(self._list_kinds(model)),
            "bytes": model.weight_bytes,
            "loaded": self.pool.is_loaded(model.id),
            "revision": model.revision,
            "license": model.licence,
            "languages": list(model.languages),
        }

    async def _get_health(self, _request: web.Request) -> web.Response:
        workers = [
            {"pid": worker.pid, "waiting": self.pool.count_users(worker)}
            for worker in self.pool.workers
        ]
        document = {
            "status": "ok",
            "workers": workers,
            "held_bytes": self.pool.held_bytes,
            "memory_bytes": self.options.memory_bytes,
        }
        return web.json_response(document)

    @web.middleware
    async def _answer_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Every error becomes a status and {"error": words}."""
        try:
            return await handler(request)
        except web.HTTPRequestEntityTooLarge:
            megabytes = str(self.options.max_body // MEBIBYTE)
            return _to_response(BadInput("local-body-too-large", megabytes=megabytes))
        except web.HTTPException as error:
            return web.json_response({"error": error.reason}, status=error.status)
        except ExpertError as error:
            return _to_response(error)

    @web.middleware
    async def _require_token(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        expected = self.options.token
        if expected and not hmac.compare_digest(token.encode(), expected.encode()):
            raise ExpertRefused("local-token-refused")
        return await handler(request)


def _to_response(error: ExpertError) -> web.Response:
    status, content = error_response(error)
    response = web.Response(status=status, body=content.body, content_type=content.media_type)
    if (after := getattr(error, "retry_after", None)) is not None:
        response.headers["Retry-After"] = str(round(after) or 1)
    return response
