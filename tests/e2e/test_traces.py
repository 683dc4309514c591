"""Traces of the real program, sent to a collector over real HTTP."""

import os
import signal
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.e2e.program import ROOT, at_work
from tests.servers.discord import play_discord
from tests.servers.openai.server import OpenAiServer, openai_at_work
from tests.servers.otlp import serve_collector

QUICK = {"OTEL_BSP_SCHEDULE_DELAY": "50"}
SECONDS = 40.0
REQUEST = "Summarize this: Sales rose by ten percent in Europe. They fell in Asia. Costs are flat."


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


@pytest.mark.limit(120)
async def test_a_killed_run_goes_on_in_its_trace_with_the_calls_to_the_platform(
    tmp_path: Path,
) -> None:
    async with (
        serve_collector() as (collector, address),
        openai_at_work(OpenAiServer(latency=1.0)) as model,
        play_discord() as server,
    ):
        settings = {
            "OPENAI_BASE_URL": model.base,
            "DISCORD_TOKEN": server.world.token,
            "DISCORD_API_BASE_URL": server.api,
            "DISCORD_GATEWAY_URL": server.gateway.address,
            "DISCORD_CDN_HOSTS": "127.0.0.1",
            "OTEL_EXPORTER_OTLP_ENDPOINT": address,
            **QUICK,
        }
        ada = server.people.person("ada")
        place = server.people.channel(server.people.guild("team", ada), "general")
        async with at_work(tmp_path, **settings) as program:
            await server.world.until(lambda: server.gateway.identified > 0, SECONDS)
            asked = server.people.say(ada, place, f"<@{server.bot.id}> {REQUEST}")
            await server.world.until(lambda: asked.thread, SECONDS)
            os.killpg(program.process.pid, signal.SIGKILL)
        killed = {span.trace_id for span in collector.spans}
        async with at_work(tmp_path, **settings):
            while not [span for span in collector.spans if span.name.startswith("invoke_agent")]:
                await collector.wait_for_spans(len(collector.spans) + 1)

    (trace,) = {span.trace_id for span in collector.spans}
    ids = {span.span_id: span for span in collector.spans}
    (run,) = [span for span in collector.spans if not span.parent_span_id]
    facts = {each.key: each.value for each in run.attributes}
    calls = [span for span in collector.spans if span.name in ("post", "edit", "finish")]
    assert killed in (set(), {trace})
    assert facts["troupe.attempt"].int_value == 2
    assert facts["troupe.outcome"].string_value == "answered"
    assert calls
    assert [span for span in collector.spans if span.name.startswith("chat ")]
    assert {span.kind for span in calls} == {Span.SPAN_KIND_CLIENT}
    assert {ids[ids[span.parent_span_id].parent_span_id].name for span in calls} == {run.name}
