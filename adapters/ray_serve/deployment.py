"""The deployment: a replica is a pool of models that answers by the expert server's routes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from ray import serve
from ray.serve.config import BackpressureConfig
from starlette.requests import Request
from starlette.responses import Response

from adapters.bounds import Spool, spool
from adapters.local.models_on_disk import ModelFolders
from adapters.local.options import ExpertServerOptions
from adapters.local.pool import open_model_pool
from adapters.local.routes import ExpertRoutes, WireRequest, list_headers
from pipeline.errors import BadInput

_AT_ONCE = 2
"""Requests that a replica takes for each worker. So one waits while another runs; more wait in the
proxies, for the replica that is free first."""
_WAITING = 256
"""Requests that wait in a proxy; more are told that it is busy."""
_BUSY = BackpressureConfig(status_code=429, retry_after_s=1)
_CHECK_EVERY = 5.0
_CHECK_SECONDS = 10.0
"""How long a check of a replica may take; after three that failed it is replaced."""
_ENDING_SECONDS = 10.0
"""How long a replica that is no longer wanted may finish its requests."""

ReadOptions = Callable[[], ExpertServerOptions]
"""Returns the options of a replica, on its own machine. Raises an error if it must not start."""


def bind_experts(read_options: ReadOptions, *, workers: int) -> Any:  # noqa: ANN401 - Ray's
    """The application for Ray Serve. Each replica has so many workers."""
    make_deployment = serve.deployment(
        max_ongoing_requests=_AT_ONCE * workers,
        max_queued_requests=_WAITING,
        backpressure_config=_BUSY,
        health_check_period_s=_CHECK_EVERY,
        health_check_timeout_s=_CHECK_SECONDS,
        graceful_shutdown_timeout_s=_ENDING_SECONDS,
    )
    return make_deployment(Experts).bind(read_options)


class Experts:
    """A replica. Ray Serve calls it with every request, and asks every few seconds how it is."""

    def __init__(self, read_options: ReadOptions) -> None:
        self._options = read_options()
        self._seat = _count_seats(self._options)
        self._open = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._routes: ExpertRoutes | None = None
        self.__del__ = self._open.aclose  # Ray awaits it at the end; no method, which Python calls

    async def __call__(self, request: Request) -> Response:
        routes = await self._open_routes()
        asked = WireRequest(
            method=request.method,
            path=request.url.path,
            authorization=request.headers.get("Authorization", ""),
            media_type=request.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            body=self._receive(request),
        )
        response = await routes.answer(asked)
        return Response(
            response.body,
            response.status,
            headers=list_headers(response),
            media_type=response.media_type,
        )

    async def check_health(self) -> None:
        """Raises an error if the pool cannot be opened."""
        await self._open_routes()

    async def _open_routes(self) -> ExpertRoutes:
        async with self._opening:
            if self._routes is None:
                pool = await self._open.enter_async_context(open_model_pool(self._options))
                self._routes = ExpertRoutes(self._options, pool, is_alone=False)
        return self._routes

    @asynccontextmanager
    async def _receive(self, request: Request) -> AsyncIterator[Spool]:
        """The body. Raises BadInput if it is too large or takes too long."""
        if model := serve.get_multiplexed_model_id():
            await self._seat(model)
        most = self._options.max_body
        with spool() as content:
            try:
                async with asyncio.timeout(self._options.body_seconds):
                    async for piece in request.stream():
                        if content.size + len(piece) > most:
                            raise BadInput("local-body-too-large", megabytes=str(most >> 20))
                        await content.write(piece)
            except TimeoutError as error:
                raise BadInput("local-body-too-slow") from error
            yield content


def _count_seats(options: ExpertServerOptions) -> Callable[[str], Awaitable[str]]:
    """A function that notes for the router that a model is served here.

    Ray counts models where the pool counts bytes: it is told of as many as fit, one with another.
    Nothing is loaded by this, and nothing dropped.
    """
    models = ModelFolders(options.folders).list_models()
    average = sum(model.weight_bytes for model in models) // max(1, len(models))
    seats = max(1, options.memory_bytes // max(1, average))

    async def take_seat(model: str) -> str:
        return model

    note: Callable[[str], Awaitable[str]] = serve.multiplexed(max_num_models_per_replica=seats)(
        take_seat
    )
    return note
