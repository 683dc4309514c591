"""Traces of the real program, sent to a collector over real HTTP."""

from pathlib import Path

from tests.e2e.program import ROOT, at_work
from tests.servers.otlp import serve_collector

QUICK = {"OTEL_BSP_SCHEDULE_DELAY": "50"}


async def test_the_program_sends_the_trace_of_a_run_and_names_it_in_the_log(
    tmp_path: Path,
) -> None:
    async with serve_collector() as (collector, address):
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": address}
        async with at_work(tmp_path, **endpoint, **QUICK) as program:
            body = await program.ask("How many words has this text: one two three four")
            await collector.wait_for_spans(5)

    assert body["status"] == 200
    traces = {span.trace_id.hex() for span in collector.spans}
    (line,) = [line for line in program.lines if "run finished" in line]
    assert len(traces) == 1
    assert traces.pop() in line
    assert "invoke_agent troupe" in [span.name for span in collector.spans]
    assert not [line for line in program.lines if "opentelemetry" in line]


async def test_the_endpoint_may_stand_in_the_file_for_settings(tmp_path: Path) -> None:
    async with serve_collector() as (collector, address):
        (tmp_path / ".env").write_text(f"OTEL_EXPORTER_OTLP_ENDPOINT={address}\n")
        path = {"PYTHONPATH": str(ROOT)}
        async with at_work(tmp_path / "home", folder=tmp_path, **path, **QUICK) as program:
            await program.ask("How many words has this text: one two three four")
            await collector.wait_for_spans(5)

    assert {told["service.name"] for told in collector.resources} == {"troupe"}
