"""The trace of each run: one tree of spans with true times, and nobody's words."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from adapters.telemetry.export import open_export
from bot.environment import is_traced, name_collector
from pipeline.domain import (
    ExpertOutput,
    ModelCall,
    RunId,
    Text,
    derive_trace_id,
)
from pipeline.errors import ExpertRefused, LlmRefused
from pipeline.metering import note_call
from pipeline.ports import Job
from tests.bot.scenes import Scene, message
from tests.fakes.stages import ActingExpert, Bench, FakePlanner, model, planning, task

SECRET = "zebrafinch"


async def shorten(_job: Job) -> ExpertOutput:
    note_call(ModelCall("small", took=0.0, prompt_tokens=7, completion_tokens=3))
    return ExpertOutput({"text": Text(SECRET)})


def bench(*experts: ActingExpert) -> Bench:
    return Bench(
        planners=[planning(task(0, "summarization", text=SECRET))],
        experts=experts,
        models=[model("m", "summarization"), model("n", "summarization")],
    )


async def trace(scene: Scene, *, stop_early: bool = False) -> Sequence[ReadableSpan]:
    """Answer one message, and return the spans of its trace."""
    exporter = InMemorySpanExporter()
    async with open_export({}, "1", SimpleSpanProcessor(exporter)) as export:
        async with scene.at_work() as conversation:
            scene.runner.traces = export
            await conversation.on_message(message(SECRET))
            if stop_early:
                while not scene.runner.under_way:  # noqa: ASYNC110 - no news of it
                    await asyncio.sleep(0)
                await asyncio.sleep(0.05)
            else:
                await scene.idle()
        return exporter.get_finished_spans()


def name(span: ReadableSpan | None) -> str:
    return span.name if span else ""


def find(spans: Sequence[ReadableSpan], name: str) -> ReadableSpan:
    (found,) = [span for span in spans if span.name == name]
    return found


def parent_of(spans: Sequence[ReadableSpan], span: ReadableSpan) -> ReadableSpan | None:
    ids = {each.context.span_id: each for each in spans}
    return ids[span.parent.span_id] if span.parent else None


def facts(span: ReadableSpan) -> Mapping[str, object]:
    return dict(span.attributes or {})


async def test_a_run_is_one_tree_from_the_run_over_stage_step_and_attempt_to_the_call() -> None:
    spans = await trace(Scene(bench(ActingExpert(shorten))))

    call = find(spans, "chat small")
    line = [call]
    while (above := parent_of(spans, line[-1])) is not None:
        line.append(above)
    assert [name(each) for each in line] == [
        "chat small",
        "expert",
        "attempt",
        "execute_tool summarization",
        "execute",
        "invoke_agent troupe",
    ]
    for stage in ("intake", "plan", "execute", "respond", "deliver"):
        assert name(parent_of(spans, find(spans, stage))) == "invoke_agent troupe"
    assert name(parent_of(spans, find(spans, "select"))) == "plan"
    assert len({span.context.trace_id for span in spans}) == 1


async def test_whatever_is_part_of_something_happens_within_its_time() -> None:
    spans = await trace(Scene(bench(ActingExpert(shorten))))

    for span in spans:
        above = parent_of(spans, span) or span
        assert above.start_time is not None
        assert span.start_time is not None
        assert above.end_time is not None
        assert span.end_time is not None
        assert above.start_time <= span.start_time <= span.end_time <= above.end_time, name(span)


async def test_a_call_of_a_language_model_is_described_by_the_semantic_conventions() -> None:
    spans = await trace(Scene(bench(ActingExpert(shorten))))

    assert facts(find(spans, "chat small")) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "small",
        "gen_ai.usage.input_tokens": 7,
        "gen_ai.usage.output_tokens": 3,
    }
    assert facts(find(spans, "execute_tool summarization"))["gen_ai.tool.name"] == "summarization"
    assert facts(find(spans, "attempt"))["gen_ai.request.model"] == "m"


async def test_what_failed_is_marked_with_the_id_and_what_helped_is_not() -> None:
    async def fail_once(job: Job) -> ExpertOutput:
        if job.model.id == "m":
            raise ExpertRefused("expert-job-failed", model="m", name=SECRET)
        return await shorten(job)

    spans = await trace(Scene(bench(ActingExpert(fail_once))))

    first, second = [span for span in spans if span.name == "attempt"]
    assert (first.status.is_ok, facts(first)["error.type"]) == (False, "expert-job-failed")
    assert (second.status.is_ok, "error.type" in facts(second)) == (True, False)
    assert find(spans, "execute_tool summarization").status.is_ok
    assert find(spans, "invoke_agent troupe").status.is_ok
    calls = [span for span in spans if span.name == "expert"]
    assert [name(parent_of(spans, each)) for each in calls] == ["attempt", "attempt"]
    assert facts(calls[0])["error.type"] == "ExpertRefused"


async def test_a_run_that_ends_with_an_apology_is_marked() -> None:
    error = LlmRefused("llm-key-refused", model="m", name=SECRET)

    spans = await trace(Scene(Bench(planners=[FakePlanner(error=error)])))

    run = find(spans, "invoke_agent troupe")
    assert not run.status.is_ok
    assert facts(run)["error.type"] == "LlmRefused"
    assert facts(run)["troupe.outcome"] == "apologised"


async def test_no_words_and_no_names_are_in_a_trace() -> None:
    async def fail(_job: Job) -> ExpertOutput:
        raise ExpertRefused("expert-job-failed", model="m", name=SECRET)

    for scene in (Scene(bench(ActingExpert(shorten))), Scene(bench(ActingExpert(fail)))):
        told = "".join(span.to_json() for span in await trace(scene))

        assert SECRET not in told
        assert "Ann" not in told
        assert "general" not in told


async def test_another_attempt_at_a_run_goes_on_with_its_trace() -> None:
    async def hang(_job: Job) -> ExpertOutput:
        await asyncio.Event().wait()
        return ExpertOutput({})

    scene = Scene(bench(ActingExpert(hang)))
    first = await trace(scene, stop_early=True)
    scene = Scene(bench(ActingExpert(shorten)), inbox=scene.inbox.restarted())

    exporter = InMemorySpanExporter()
    async with open_export({}, "1", SimpleSpanProcessor(exporter)) as export, scene.at_work():
        scene.runner.traces = export
        await scene.idle()
    second = exporter.get_finished_spans()

    runs = [find(spans, "invoke_agent troupe") for spans in (first, second)]
    assert [facts(run)["troupe.attempt"] for run in runs] == [1, 2]
    assert [facts(run)["troupe.outcome"] for run in runs] == ["interrupted", "answered"]
    assert len({run.context.trace_id for run in runs}) == 1
    assert len({run.context.span_id for run in runs}) == 2


async def test_the_trace_of_a_run_that_another_program_took_over_says_so() -> None:
    began = asyncio.Event()

    async def hang(_job: Job) -> ExpertOutput:
        began.set()
        await asyncio.Event().wait()
        return ExpertOutput({})

    scene, exporter = Scene(bench(ActingExpert(hang))), InMemorySpanExporter()
    async with (
        open_export({}, "1", SimpleSpanProcessor(exporter)) as export,
        scene.at_work() as conversation,
    ):
        scene.runner.traces = export
        run = await conversation.on_message(message(SECRET))
        assert run
        await began.wait()
        scene.inbox.lose(run)
        async with asyncio.timeout(10):
            while not (spans := exporter.get_finished_spans()):  # noqa: ASYNC110 - no news of it
                await asyncio.sleep(0)

    lost = find(spans, "invoke_agent troupe")
    assert facts(lost)["troupe.outcome"] == "interrupted"
    assert lost.status.is_ok
    assert facts(find(spans, "attempt"))["error.type"] == "interrupted"


async def test_every_line_that_the_log_has_of_a_run_names_its_trace() -> None:
    scene = Scene(bench(ActingExpert(shorten)))

    with capture_logs() as logs:
        spans = await trace(scene)

    (line,) = [line for line in logs if line["event"] == "run finished"]
    assert int(line["trace_id"], 16) == spans[0].context.trace_id
    assert line["trace_id"].startswith(line["run"])


async def test_where_nothing_is_traced_nothing_is_collected() -> None:
    timelines = list[object]()

    async def look(job: Job) -> ExpertOutput:
        timelines.extend(each.timeline for each in scene.runner.under_way.values())
        return await shorten(job)

    scene = Scene(bench(ActingExpert(look)))
    with capture_logs() as logs:
        async with scene.at_work() as conversation:
            await conversation.on_message(message(SECRET))
            await scene.idle()

    assert timelines == [None]
    assert not [line for line in logs if "trace_id" in line]


def test_the_id_of_a_trace_begins_with_the_reference_that_people_are_told() -> None:
    run = RunId("0123456789abcdef01234567")

    assert derive_trace_id(run).startswith(run)
    assert len(derive_trace_id(run)) == len(derive_trace_id(RunId("any"))) == 32
    assert derive_trace_id(run) == derive_trace_id(RunId(str(run)))


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
        ({"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://x"}, False),
    ],
)
def test_traces_are_on_where_an_exporter_or_an_endpoint_is_set(
    variables: Mapping[str, str],
    expected: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    assert is_traced(variables) is expected


def test_a_password_of_the_collector_is_not_shown() -> None:
    address = "https://me:secret@collector.example.com:4318/v1?key=secret"

    shown = name_collector({"OTEL_EXPORTER_OTLP_ENDPOINT": address})

    assert shown == "https://collector.example.com:4318/v1"
    assert name_collector({"OTEL_TRACES_EXPORTER": "console"}) == "console"
