"""The HTTP server: `POST /models/{id}`, `GET /models`, `GET /health`, in Hugging Face's format."""

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.bounds import Memory, bound_request, receive_whole, serve, trust
from adapters.local.inference import InferenceResponse, error_response, import_table
from adapters.local.loaded_models import InferenceCall
from adapters.local.models_on_disk import ModelFolders, ModelOnDisk
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from adapters.local.pool import ModelPool, open_model_pool
from pipeline.errors import BadInput, ExpertError, ExpertRefused

_BUSY = 429
_BODIES_IN_MEMORY = 8 * MEBIBYTE
"""Of calls together, unless a single one is larger; each is copied for its worker."""


@asynccontextmanager
async def run_server(options: ExpertServerOptions) -> AsyncIterator["ExpertServer"]:
    """Run the expert server until the context exits."""
    async with open_model_pool(options) as pool:
        server = ExpertServer(options, pool)
        app, address = server.build_application(), (options.host, options.port)
        async with serve(app, *address, shutdown_seconds=0.2, cancel_left=True) as (host, port):
            server.base = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
            yield server


class ExpertServer:
    """The HTTP routes. `base` is the server's URL, once it runs."""

    def __init__(self, options: ExpertServerOptions, pool: ModelPool) -> None:
        self.base = ""
        self.pool = pool
        self._options = options
        self._memory = Memory(_BODIES_IN_MEMORY)
        self._folders = ModelFolders(options.folders)
        self._table = import_table(options.table)

    def build_application(self) -> web.Application:
        app = web.Application(
            middlewares=[
                self._answer_errors,
                bound_request(self._options.max_body),
                self._require_token,
            ],
        )
        app.router.add_get("/health", self._get_health)
        app.router.add_get("/models", self._list_models)
        app.router.add_post("/models/{model:.+}", self._run_model)
        return app

    async def _run_model(self, request: web.Request) -> web.Response:
        name, _, kind = request.match_info["model"].partition("/pipeline/")
        model = await asyncio.to_thread(self._folders.find, name)
        if model is None:
            raise ExpertRefused("local-model-unknown", model=name)
        kinds = self._table.list_kinds(model.kind)
        kind = kind or next(iter(kinds), "?")
        if kind not in kinds:
            names = ", ".join(kinds) or "?"
            raise BadInput("local-kind-unfit", model=model.id, task=kind, kinds=names)
        options, media_type = self._options, request.content_type
        whole = receive_whole(request, options.max_body, seconds=options.body_seconds)
        with self.pool.admit():  # before the body is read: there may be too many
            async with whole as content, self._memory.hold(content) as body:
                call = InferenceCall(model=model, kind=kind, media_type=media_type, body=body)
                return _to_http(await self.pool.run(call))

    async def _list_models(self, _request: web.Request) -> web.Response:
        models = await asyncio.to_thread(self._folders.list_models)
        return web.json_response([self._describe(model) for model in models])

    def _describe(self, model: ModelOnDisk) -> dict[str, object]:
        return {
            "id": model.id,
            "pipeline_tag": model.kind,
            "kinds": self._table.list_kinds(model.kind),
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
        memory = {"held_bytes": self.pool.held_bytes, "memory_bytes": self._options.memory_bytes}
        return web.json_response({"status": "ok", "workers": workers, **memory})

    @web.middleware
    async def _answer_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn every error into a status and {"error": text}."""
        try:
            return await handler(request)
        except web.HTTPRequestEntityTooLarge:
            megabytes = str(self._options.max_body // MEBIBYTE)
            return _to_http(error_response(BadInput("local-body-too-large", megabytes=megabytes)))
        except web.HTTPException as error:
            return web.json_response({"error": error.reason}, status=error.status)
        except ExpertError as error:
            return _to_http(error_response(error))

    @web.middleware
    async def _require_token(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        expected = self._options.token
        received = token.encode(errors="replace")
        if expected and not hmac.compare_digest(received, expected.encode()):
            raise ExpertRefused("local-token-refused")
        trust(request)
        return await handler(request)


def _to_http(response: InferenceResponse) -> web.Response:
    headers = {"Retry-After": "1"} if response.status == _BUSY else {}
    if response.unused:
        headers["X-Unused-Parameters"] = " ".join(sorted(response.unused))
    return web.Response(
        status=response.status,
        body=response.body,
        content_type=response.media_type,
        headers=headers,
    )
