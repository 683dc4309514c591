"""The small HTTP server: the routes of an expert server over aiohttp, on one machine."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from aiohttp import web
from aiohttp.typedefs import Handler

from adapters.bounds import bound_request, receive_whole, serve, trust
from adapters.local.inference import InferenceResponse
from adapters.local.options import ExpertServerOptions
from adapters.local.pool import ModelPool, open_model_pool
from adapters.local.routes import ExpertRoutes, WireRequest, list_headers, refuse_body


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
    """The HTTP server. `base` is its URL, once it runs."""

    def __init__(self, options: ExpertServerOptions, pool: ModelPool) -> None:
        self.base = ""
        self.pool = pool
        self._options = options
        self._routes = ExpertRoutes(options, pool)

    def build_application(self) -> web.Application:
        bounds = bound_request(self._options.max_body)
        app = web.Application(middlewares=[self._answer_errors, bounds])
        app.router.add_route("*", "/{path:.*}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.Response:
        options = self._options
        asked = WireRequest(
            method=request.method,
            path=request.path,
            authorization=request.headers.get("Authorization", ""),
            media_type=request.content_type,
            body=receive_whole(request, options.max_body, seconds=options.body_seconds),
            trust=partial(trust, request),
        )
        return _to_http(await self._routes.answer(asked))

    @web.middleware
    async def _answer_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn aiohttp's errors into a status and {"error": text}."""
        try:
            return await handler(request)
        except web.HTTPRequestEntityTooLarge:
            return _to_http(refuse_body(self._options.max_body))
        except web.HTTPException as error:
            return web.json_response({"error": error.reason}, status=error.status)


def _to_http(response: InferenceResponse) -> web.Response:
    return web.Response(
        status=response.status,
        body=response.body,
        content_type=response.media_type,
        headers=list_headers(response),
    )
