"""The SDK's own exporter, over real HTTP to a collector that reads its protobuf."""

import asyncio
import os
from collections.abc import Mapping

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SentSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from adapters.telemetry.export import open_export
from adapters.telemetry.spans import Span
from pipeline.errors import SettingsError
from tests.servers.otlp import serve_collector

TRACE = "0123456789abcdef0123456789abcdef"
AWAY = "http://127.0.0.1:9"
SPANS = (
    Span(name="run", key="run", began=100.0, ended=103.5, attributes={"troupe.attempt": 1}),
    Span(name="chat m", key="1", parent="run", began=101.0, ended=102.25, is_call=True, error="e"),
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK reads the real environment."""
    for name in [name for name in os.environ if name.startswith("OTEL_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")


async def test_a_collector_gets_the_spans_with_their_times_parents_and_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve_collector() as (collector, address):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        async with open_export({}, "1.2.3") as export:
            export.send(TRACE, SPANS)
            await collector.wait_for_spans(2)

    run, call = collector.spans
    assert {span.trace_id.hex() for span in collector.spans} == {TRACE}
    assert (call.parent_span_id, run.parent_span_id) == (run.span_id, b"")
    assert (run.start_time_unix_nano, run.end_time_unix_nano) == (100 * 10**9, 103_500_000_000)
    assert call.kind == SentSpan.SPAN_KIND_CLIENT
    assert run.attributes[0].value.int_value == 1
    assert (run.status.code, call.status.code) == (
        Status.STATUS_CODE_UNSET,
        Status.STATUS_CODE_ERROR,
    )
    assert [each.value.string_value for each in call.attributes] == ["e"]
    told = collector.resources[0]
    assert (told["service.name"], told["service.version"]) == ("troupe", "1.2.3")


async def test_the_name_of_the_service_is_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve_collector() as (collector, address):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "bots")
        monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "service.version=ours,team=red")
        async with open_export({}, "1.2.3") as export:
            export.send(TRACE, SPANS)
            await collector.wait_for_spans(2)

    told = collector.resources[0]
    assert (told["service.name"], told["service.version"], told["team"]) == ("bots", "ours", "red")


async def test_what_is_left_at_the_end_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "60000")
    async with serve_collector() as (collector, address):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        async with open_export({}, "1") as export:
            export.send(TRACE, SPANS)

        assert len(collector.spans) == 2


@pytest.mark.program
@pytest.mark.parametrize("state", ["away", "refuses", "hangs"])
async def test_a_collector_that_takes_nothing_holds_nobody_up(
    state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "100")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "50")
    async with serve_collector() as (collector, address):
        collector.status, collector.hangs = 503, state == "hangs"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", AWAY if state == "away" else address)
        async with open_export({}, "1") as export:
            async with asyncio.timeout(20):
                for _ in range(1_000):
                    export.send(TRACE, SPANS)
                    await asyncio.sleep(0)
            (processor,) = export.provider._active_span_processor._span_processors  # noqa: SLF001
            queue = processor._batch_processor._queue  # type: ignore[attr-defined]  # noqa: SLF001

            assert len(queue) <= 100


async def test_a_share_of_the_traces_is_sent_whole_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
    monkeypatch.setenv("OTEL_TRACES_SAMPLER_ARG", "0.5")
    low, high = "ab" * 8 + "00" * 7 + "01", "ab" * 8 + "ff" * 8
    async with serve_collector() as (collector, address):
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        async with open_export({}, "1") as export:
            export.send(high, SPANS)
            export.send(low, SPANS)
            await collector.wait_for_spans(2)

    assert [span.trace_id.hex() for span in collector.spans] == [low, low]


@pytest.mark.parametrize(("status", "expected"), [(200, True), (400, False)])
async def test_the_collector_can_be_asked_whether_it_takes_traces(
    status: int,
    expected: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with serve_collector() as (collector, address):
        collector.status = status
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        async with open_export({}, "1") as export:
            assert await export.check() is expected

        assert collector.requests == 1
        assert collector.spans == []


async def test_an_exporter_says_the_same_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve_collector() as (collector, address):
        collector.status = 400  # not tried again
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
        async with open_export({}, "1") as export:
            for number in range(1, 4):
                export.send(TRACE, SPANS)
                while collector.requests < number:  # noqa: ASYNC110 - no news of it
                    await asyncio.sleep(0.01)

    assert len([line for line in caplog.messages if "Failed to export" in line]) <= 1


@pytest.mark.parametrize(
    "variables",
    [{"OTEL_TRACES_EXPORTER": "zipkin"}, {"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}],
)
async def test_an_exporter_that_is_not_there_is_named(variables: Mapping[str, str]) -> None:
    with pytest.raises(SettingsError) as error:
        async with open_export(variables, "1"):
            pass

    assert error.value.sentence.id == "telemetry-exporter"
