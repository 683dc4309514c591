"""Sends traces by OpenTelemetry's SDK, which reads its own settings from the environment.

The SDK keeps at most OTEL_BSP_MAX_QUEUE_SIZE spans (2048) and sends them in a thread of its own;
what does not fit is dropped. So a collector that is away costs neither time nor memory.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import entry_points

from opentelemetry import context, trace
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from adapters.telemetry.spans import Span
from pipeline.errors import SettingsError

_GROUP = "opentelemetry_traces_exporter"
"""Where the SDK's exporters register their names."""
_UNNAMED = "unknown_service"
"""How the SDK begins the name of a service that has none."""
_CLOSING = 3.0
"""Seconds that the last spans may take to be sent: nobody waits for a collector that is away."""
_QUIET = 60.0
"""Seconds after which an exporter may say the same again: it tries every other second."""
_NANO = 1_000_000_000


@dataclass(slots=True, eq=False)
class _Quieting(logging.Filter):
    """Lets each kind of message through once a minute."""

    said: dict[str, float] = field(default_factory=dict)

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it has not been said for a while."""
        now = time.monotonic()
        is_new = now - self.said.get(str(record.msg), -_QUIET) >= _QUIET
        if is_new:
            self.said[str(record.msg)] = now
        return is_new


_QUIETING = _Quieting()


@dataclass(slots=True)
class _RunIds(RandomIdGenerator):
    """Random ids of spans; the id of a trace is what is sent next."""

    trace_id: int = 0

    def generate_trace_id(self) -> int:
        return self.trace_id

    def is_trace_id_random(self) -> bool:
        """The last 56 bits are those of a hash."""
        return True


@dataclass(slots=True)
class SpanExport:
    """Turns our spans into those of the SDK."""

    provider: TracerProvider
    ids: _RunIds
    exporters: Sequence[SpanExporter] = ()

    def send(self, trace_id: str, spans: Sequence[Span]) -> None:
        """Hand the spans of one trace over, parents before their children. Never waits."""
        self.ids.trace_id = int(trace_id, 16)
        tracer = self.provider.get_tracer("troupe")
        contexts = {"": context.Context()}
        for span in spans:
            made = tracer.start_span(
                span.name,
                contexts[span.parent],
                trace.SpanKind.CLIENT if span.is_call else trace.SpanKind.INTERNAL,
                attributes=span.attributes,
                start_time=int(span.began * _NANO),
            )
            contexts[span.key] = trace.set_span_in_context(made, context.Context())
            if span.error:
                made.set_attribute("error.type", span.error)
                made.set_status(trace.StatusCode.ERROR)
            made.end(int(max(span.began, span.ended) * _NANO))

    async def check(self) -> bool:
        """Whether each exporter gets rid of an empty message within its time-out."""
        results = [await asyncio.to_thread(each.export, ()) for each in self.exporters]
        return all(result is SpanExportResult.SUCCESS for result in results)


@asynccontextmanager
async def open_export(
    environment: Mapping[str, str], version: str, processor: SpanProcessor | None = None
) -> AsyncIterator[SpanExport]:
    """Open the exporters that the environment names. `processor` replaces them.

    Raises SettingsError if one of them is not installed or cannot be set up.
    """
    ids = _RunIds()
    provider = TracerProvider(
        resource=_describe_program(version), id_generator=ids, shutdown_on_exit=False
    )
    exporters = [] if processor else _open_all(environment)
    processors = [processor] if processor else [*map(BatchSpanProcessor, exporters)]
    for each in processors:
        provider.add_span_processor(each)
    try:
        yield SpanExport(provider, ids, exporters)
    finally:
        closing = threading.Thread(target=provider.shutdown, daemon=True)
        closing.start()
        await asyncio.to_thread(closing.join, _CLOSING)


def _describe_program(version: str) -> Resource:
    """What OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES say, and what they leave open."""
    said = Resource.create()
    ours = {SERVICE_VERSION: version} | dict(said.attributes)
    if str(ours[SERVICE_NAME]).startswith(_UNNAMED):
        ours[SERVICE_NAME] = "troupe"
    return Resource(ours, said.schema_url)


def _open_all(environment: Mapping[str, str]) -> Sequence[SpanExporter]:
    named = environment.get("OTEL_TRACES_EXPORTER") or "otlp"
    names = [
        name for each in named.split(",") if (name := each.strip().lower()) not in ("", "none")
    ]
    return [_open_exporter(name, environment) for name in names]


def _open_exporter(name: str, environment: Mapping[str, str]) -> SpanExporter:
    """An exporter by the name that OpenTelemetry gives it. Raises SettingsError."""
    entry = name
    if name == "otlp":
        protocol = environment.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environment.get(
            "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"
        )
        entry = "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"
    try:
        (found,) = entry_points(group=_GROUP, name=entry)
        made = found.load()()
        assert isinstance(made, SpanExporter)
        logging.getLogger(type(made).__module__).addFilter(_QUIETING)
    except (ValueError, ImportError, OSError) as error:
        raise SettingsError("telemetry-exporter", exporter=name, problem=str(error)) from error
    return made
