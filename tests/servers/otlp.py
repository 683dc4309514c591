"""A collector of OpenTelemetry: OTLP over HTTP, in protobuf, refused where it cannot be read."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.servers.loopback import listen

_PROTOBUF = "application/x-protobuf"


@dataclass
class PlayedCollector:
    """Keeps the spans that it was sent, and the resource of each."""

    spans: list[Span] = field(default_factory=list)
    resources: list[dict[str, str]] = field(default_factory=list)
    requests: int = 0
    status: int = 200
    """What it answers."""
    hangs: bool = False
    """It takes requests, and never answers."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_for_spans(self, number: int) -> None:
        """Wait until it has so many."""
        while len(self.spans) < number:
            self._news.clear()
            await self._news.wait()

    async def take(self, request: web.Request) -> web.Response:
        self.requests += 1
        if self.hangs:
            await asyncio.Event().wait()
        if request.content_type != _PROTOBUF:
            return web.Response(status=415)
        if self.status != 200:
            return web.Response(status=self.status)
        body = await request.read()
        if body.startswith(b"\x1f\x8b"):
            body = gzip.decompress(body)
        try:
            told = ExportTraceServiceRequest.FromString(body)
        except DecodeError:
            return web.Response(status=400)
        for group in told.resource_spans:
            self.resources.append(
                {each.key: each.value.string_value for each in group.resource.attributes}
            )
            self.spans += [span for scope in group.scope_spans for span in scope.spans]
        self._news.set()
        answer = ExportTraceServiceResponse().SerializeToString()
        return web.Response(body=answer, content_type=_PROTOBUF)


@asynccontextmanager
async def serve_collector() -> AsyncIterator[tuple[PlayedCollector, str]]:
    """The collector, and its address for OTEL_EXPORTER_OTLP_ENDPOINT."""
    played = PlayedCollector()
    app = web.Application()
    app.add_routes([web.post("/v1/traces", played.take)])
    async with listen(app) as address:
        yield played, address
