"""Health, readiness and metrics: routes of the page, and a server of their own on loopback."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler
from prometheus_client import CollectorRegistry
from prometheus_client.aiohttp import make_aiohttp_handler

from adapters import bounds

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
_LOOPBACK = "127.0.0.1"
_MAX_BODY = 1 << 12
"""No route takes one."""


async def sample_nothing() -> None:
    """For registries whose values are always current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthPorts:
    """What the routes tell. Nothing of it holds people's words or names.

    `ready` says whether messages can be accepted, and what is down ("slack", "database") with the
    reason. `sample` brings the values of the registry up to date. `status` is what `troupe status`
    shows of the running program.
    """

    ready: Callable[[], Awaitable[tuple[bool, Mapping[str, str]]]]
    registry: CollectorRegistry
    sample: Callable[[], Awaitable[None]] = sample_nothing
    status: Callable[[], Awaitable[Mapping[str, Any]]] | None = None
    """None: there is no such route."""


def list_routes(ports: HealthPorts) -> Sequence[web.RouteDef]:
    export, one_at_a_time = make_aiohttp_handler(ports.registry), asyncio.Lock()

    async def healthz(_request: web.Request) -> web.Response:
        """GET /healthz: the program is alive."""
        return web.json_response({"status": "ok"})

    async def readyz(_request: web.Request) -> web.Response:
        """GET /readyz: whether the program can take messages, and what is down."""
        ready, down = await ports.ready()
        body = {"status": "ready" if ready else "not ready", **({"down": down} if down else {})}
        return web.json_response(body, status=200 if ready else 503)

    async def metrics(request: web.Request) -> web.StreamResponse:
        """GET /metrics: for Prometheus. Each takes milliseconds; others have their turn between."""
        async with one_at_a_time:
            await ports.sample()
            return await export(request)

    handlers = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}
    routes = [web.get(path, handler) for path, handler in handlers.items()]
    if (describe := ports.status) is not None:

        async def status(_request: web.Request) -> web.Response:
            """GET /status: for `troupe status`."""
            return web.json_response(await describe())

        routes.append(web.get("/status", status))
    return routes


@asynccontextmanager
async def serve_health(ports: HealthPorts, port: int) -> AsyncIterator[str]:
    """Serve the routes on loopback; yields the address. Raises OSError if the port is taken."""
    app = web.Application(middlewares=[bounds.bound_request(_MAX_BODY), _guard])
    app.add_routes(list_routes(ports))
    async with bounds.serve(app, _LOOPBACK, port) as (host, opened):
        yield f"http://{host}:{opened}"


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse foreign names that resolve to loopback, by which a web page could read us."""
    if is_named(request.host, LOOPBACK_NAMES):
        return await handler(request)
    return web.Response(status=421)


def is_named(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header, with or without a port, has one of these names."""
    name, _, port = host.lower().rpartition(":")
    is_port = name != "" and port.isascii() and port.isdigit()
    return (name if is_port else host.lower()) in names
