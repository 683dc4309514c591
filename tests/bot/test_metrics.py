"""What is counted and logged of each run: ids and numbers, never words."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.metrics import OUTSIDE, Metrics
from bot.recorder import Recorder
from pipeline.domain import (
    Event,
    ExpertOutput,
    Incoming,
    ModelCall,
    Person,
    PlanPart,
    Replied,
    Request,
    RunId,
    SentPrompt,
    Text,
)
from pipeline.errors import (
    ChatGone,
    ExpertRefused,
    ExpertUnavailable,
    LlmRefused,
    NotAllowed,
    TroupeError,
)
from pipeline.metering import find_prompt_recorder, note_call
from pipeline.ports import Job
from tests.bot.scenes import Scene, follow_up, message
from tests.fakes.chat import FakeChat
from tests.fakes.stages import ActingExpert, Bench, FakePlanner, model, never, planning, task

SECRET = "zebrafinch"
ANN = Person("ann", f"Ann {SECRET}")


def count(metrics: Metrics, name: str, **labels: str) -> float:
    return metrics.registry.get_sample_value(name, labels) or 0.0


def bench(*expert: ActingExpert) -> Bench:
    return Bench(
        planners=[planning(task(0, "summarization", text=SECRET))],
        experts=expert,
        models=[model("m", "summarization")],
    )


async def shorten(_job: Job) -> ExpertOutput:
    return ExpertOutput({"text": Text(SECRET)})


async def answered(scene: Scene, *texts: str) -> Sequence[Mapping[str, Any]]:
    """Ask, wait for the answers, and return the lines of the log."""
    with capture_logs() as logs:
        async with scene.at_work() as conversation:
            for number, text in enumerate(texts or (SECRET,), 1):
                asked = message(text, id=f"{number:03}", root=f"{number:03}", person=ANN)
                await conversation.on_message(asked)
            await scene.idle()
    return logs


def lines(logs: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    return [line for line in logs if line["event"] == "run finished"]


async def test_a_run_is_counted_with_its_steps_and_logged_once_without_its_words() -> None:
    scene = Scene(bench(ActingExpert(shorten)))

    logs = await answered(scene)

    metrics = scene.runner.metrics
    assert count(metrics, "troupe_runs_total", platform="fake", outcome="answered") == 1
    step = {"platform": "fake", "kind": "summarization", "place": "local"}
    assert count(metrics, "troupe_tasks_total", **step, outcome="done") == 1
    tried = {"platform": "fake", "place": "local", "provider": "", "model": "m"}
    assert count(metrics, "troupe_attempts_total", **tried, result="ok") == 1
    assert count(metrics, "troupe_attempt_seconds_count", place="local", provider="") == 1
    for stage in ("queued", "intake", "plan", "execute", "respond", "deliver"):
        assert count(metrics, "troupe_stage_seconds_count", stage=stage) == 1
    (line,) = lines(logs)
    assert (line["outcome"], line["log_level"]) == ("answered", "info")
    assert line["channel"] == "general"
    assert [step["model"] for step in line["steps"]] == ["m"]
    assert SECRET not in repr(logs)


async def test_why_attempts_and_steps_failed_is_counted_and_logged_by_the_id() -> None:
    async def fail(_job: Job) -> ExpertOutput:
        raise ExpertRefused("expert-job-failed", model="m", name=SECRET)

    scene = Scene(bench(ActingExpert(fail)))

    (line,) = lines(await answered(scene))

    metrics = scene.runner.metrics
    tried = {"platform": "fake", "place": "local", "provider": "", "model": "m"}
    assert count(metrics, "troupe_attempts_total", **tried, result="expert-job-failed") == 1
    assert count(metrics, "troupe_runs_total", platform="fake", outcome="not_done") == 1
    assert line["failures"] == {"expert-job-failed": 1}
    assert line["steps"][0]["reason"] == "expert-job-failed model=m"
    assert SECRET not in repr(line)


@pytest.mark.parametrize(
    ("error", "level", "name"),
    [
        (LlmRefused("llm-key-refused", model="m", name=SECRET), "warning", "LlmRefused"),
        (NotAllowed("not-allowed-admins", what=SECRET), "info", "NotAllowed"),
    ],
)
async def test_an_apology_is_logged_with_its_class_and_reference(
    error: TroupeError, level: str, name: str
) -> None:
    scene = Scene(Bench(planners=[FakePlanner(error=error)]))

    logs = await answered(scene)

    (line,) = lines(logs)
    assert (line["outcome"], line["error"], line["log_level"]) == ("apologised", name, level)
    assert line["run"].startswith(line["reference"])
    assert SECRET not in repr(logs)
    reason = line["reason"].split()[0]
    metrics = scene.runner.metrics
    assert count(metrics, "troupe_apologies_total", platform="fake", reason=reason) == 1


@dataclass
class CallingPlanner(FakePlanner):
    """Says that it called a language model, or runs into a bug, then replies."""

    calls: Sequence[ModelCall] = ()
    bug: Exception | None = None

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        for call in self.calls:
            note_call(call)
            if keep := find_prompt_recorder():
                keep(SentPrompt(call.model, "what is this?" * 10_000, "a cat"))
        if self.bug is not None:
            raise self.bug
        yield Replied("hi")


async def test_a_bug_is_logged_with_its_class_and_reference_beside_its_traceback() -> None:
    scene = Scene(Bench(planners=[CallingPlanner(bug=ZeroDivisionError("oh"))]))

    logs = await answered(scene)

    (line,) = lines(logs)
    broke = next(each for each in logs if each["event"] == "run broke")
    assert (line["error"], line["log_level"]) == ("ZeroDivisionError", "warning")
    assert line["reference"] == broke["reference"]


async def test_calls_of_language_models_are_counted_and_kept_with_their_run() -> None:
    calls = (
        ModelCall("org/chat", took=0.5, prompt_tokens=100, completion_tokens=7, cost=0.25),
        ModelCall("org/chat", took=0.5, error="llm-busy"),
    )
    scene = Scene(Bench(planners=[CallingPlanner(calls=calls)]))

    (line,) = lines(await answered(scene))

    metrics, of_model = scene.runner.metrics, {"platform": "fake", "model": "org/chat"}
    assert count(metrics, "troupe_llm_calls_total", **of_model, result="ok") == 1
    assert count(metrics, "troupe_llm_calls_total", **of_model, result="llm-busy") == 1
    assert count(metrics, "troupe_llm_tokens_total", **of_model, direction="prompt") == 100
    assert count(metrics, "troupe_llm_tokens_total", **of_model, direction="reply") == 7
    assert count(metrics, "troupe_cost_usd_total", **of_model) == 0.25
    assert (line["prompt_tokens"], line["reply_tokens"], line["cost_usd"]) == (100, 7, 0.25)
    assert line["llm_errors"] == {"llm-busy": 1}
    (saved,) = scene.store.saved.values()
    assert saved.run.calls == calls
    assert scene.store.sent == {}


async def test_prompts_are_kept_where_that_is_on_as_far_as_there_is_room() -> None:
    call = ModelCall("org/chat")
    scene = Scene(Bench(planners=[CallingPlanner(calls=[call] * 50)]), keeps_prompts=True)

    await answered(scene)

    (prompts,) = scene.store.sent.values()
    assert len(prompts) == 40
    assert (len(prompts[0].text), prompts[0].reply) == (60_000, "a cat")


def test_a_call_without_tokens_or_price_is_counted_as_such_and_not_as_nothing() -> None:
    metrics = Metrics()
    for call in (
        ModelCall("m"),
        ModelCall("m", took=0.1, prompt_tokens=1, completion_tokens=1),
        ModelCall("m", error="llm-busy"),
    ):
        metrics.note_call(OUTSIDE, call)

    of_model = {"platform": OUTSIDE, "model": "m"}
    missing = [
        count(metrics, "troupe_llm_uncounted_calls_total", **of_model, missing=what)
        for what in ("tokens", "price")
    ]

    assert missing == [1, 1]


def test_however_many_models_there_are_the_metrics_stay_few() -> None:
    metrics = Metrics()
    for number in range(1000):
        metrics.note_call(OUTSIDE, ModelCall(f"org/model-{number}"))

    (calls,) = (each for each in metrics.registry.collect() if each.name == "troupe_llm_calls")
    names = {sample.labels["model"] for sample in calls.samples}

    assert len(names) < 100
    assert "other" in names


@dataclass
class DeafChat(FakeChat):
    """Accepts no answer."""

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        async for _ in events:
            pass
        raise ChatGone("slack-refused", method="chat.postMessage", code="channel_not_found")


async def test_an_answer_that_nobody_got_is_counted_and_warned_of() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("hi")])]), chat=DeafChat())

    (line,) = lines(await answered(scene))

    metrics = scene.runner.metrics
    assert count(metrics, "troupe_undelivered_total", platform="fake", error="ChatGone") == 1
    assert (line["undelivered"], line["log_level"]) == ("ChatGone", "warning")


async def test_a_run_that_a_shutdown_interrupts_is_counted_when_it_ends() -> None:
    began = asyncio.Event()

    async def hang(_job: Job) -> ExpertOutput:
        began.set()
        await never()
        raise AssertionError

    scene = Scene(bench(ActingExpert(hang)))
    with capture_logs() as logs:
        async with scene.at_work() as conversation:
            await conversation.on_message(message(SECRET))
            await began.wait()
        first = scene.runner.metrics
        scene.inbox, scene.bench = scene.inbox.restarted(), bench(ActingExpert(shorten))
        async with scene.at_work():
            await scene.idle()

    (line,) = lines(logs)
    runs = {"platform": "fake", "outcome": "answered"}
    assert line["attempt"] == 2
    assert count(first, "troupe_runs_total", **runs) == 0
    assert count(scene.runner.metrics, "troupe_runs_total", **runs) == 1


async def test_a_command_is_told_apart_from_an_answer() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("hi")])]))

    logs = await answered(scene, "hello", "whoami")

    assert sorted(line["outcome"] for line in lines(logs)) == ["answered", "command"]


async def test_an_attempt_that_failed_before_another_succeeded_is_logged() -> None:
    errors = [ExpertUnavailable("expert-loading", retry_after=0.001)]

    async def stumble(job: Job) -> ExpertOutput:
        if errors:
            raise errors.pop()
        return await shorten(job)

    scene = Scene(bench(ActingExpert(stumble)))

    (line,) = lines(await answered(scene))

    assert (line["outcome"], line["failures"]) == ("answered", {"expert-loading": 1})


async def test_a_message_behind_another_of_its_thread_waits_in_the_backlog() -> None:
    gate = asyncio.Event()

    async def wait(job: Job) -> ExpertOutput:
        await gate.wait()
        return await shorten(job)

    scene = Scene(bench(ActingExpert(wait)))
    async with scene.at_work() as conversation:
        await conversation.on_message(message(SECRET))
        await conversation.on_message(follow_up(SECRET, 2))
        while not scene.runner.under_way:  # noqa: ASYNC110 - the port cannot tell
            await asyncio.sleep(0)
        (waiting,) = await scene.inbox.list_backlog()
        gate.set()
        await scene.idle()

    assert waiting.message.id == "002"
    assert not await scene.inbox.list_backlog()


class BrokenMetrics(Metrics):
    """Cannot count."""

    def note_run(self, recorder: Recorder) -> None:
        raise ZeroDivisionError


async def test_what_cannot_be_counted_is_answered_all_the_same() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("hi")])]))
    with capture_logs():
        async with scene.at_work() as conversation:
            scene.runner.metrics = BrokenMetrics()
            await conversation.on_message(message("one"))
            await scene.chat.wait_for_answer(1)
            await scene.idle()
            await conversation.on_message(message("two", id="002"))
            await scene.chat.wait_for_answer(2)

    assert len(scene.chat.transcript) == 2
