"""The metrics for Prometheus, counted from the record of a run when it ends.

What changes while runs are under way is read when it is asked for: see `Gauges`.
"""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, disable_created_metrics
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from bot import VERSION
from bot.recorder import Recorder
from bot.run_facts import (
    find_missing,
    find_outcome,
    list_attempts,
    list_fallbacks,
    name_outcome,
)
from pipeline.domain import Attempt, Done, ModelCall, Outcome, Task

OUTSIDE = "none"
"""The platform of calls that belong to no run: previews of plans."""
_MOST_MODELS = 60
"""Values of the label: each makes a series of its own."""
_MOST_PROVIDERS = 20
_MOST_REASONS = 200
_OTHER = "other"
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600)
"""Buckets for stages, steps and calls."""
_LAGS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Buckets for the event loop, in seconds."""


class _Names:
    """The values of a label: the first ones as they are, further ones as "other"."""

    def __init__(self, most: int) -> None:
        self._known, self._most = set[str](), most

    def bound(self, name: str) -> str:
        """The name itself while there is room for it, else "other"."""
        if name not in self._known and len(self._known) >= self._most:
            return _OTHER
        self._known.add(name)
        return name


class Metrics:
    """What is counted. docs/operator-guide.md describes each metric."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # half of all series
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

        def counter(name: str, help_: str, *labels: str) -> Counter:
            return Counter(name, help_, labels, registry=registry)

        def histogram(name: str, help_: str, *labels: str) -> Histogram:
            return Histogram(name, help_, labels, registry=registry, buckets=_SECONDS)

        Info("troupe_build", "The program.", registry=registry).info({"version": VERSION})
        self._runs = counter("troupe_runs", "Runs that ended.", "platform", "outcome")
        self._run_seconds = histogram(
            "troupe_run_seconds", "From the message to its delivered answer.", "platform"
        )
        self._stage_seconds = histogram("troupe_stage_seconds", "By stage of a run.", "stage")
        self._apologies = counter(
            "troupe_apologies", "Runs that ended with an apology.", "platform", "reason"
        )
        self._undelivered = counter(
            "troupe_undelivered", "Answers that could not be posted.", "platform", "error"
        )
        self._fallbacks = counter(
            "troupe_fallbacks", "Planners and responders that failed.", "platform", "fallback"
        )
        self._tasks = counter(
            "troupe_tasks", "Steps of runs.", "platform", "kind", "place", "outcome"
        )
        self._task_seconds = histogram("troupe_task_seconds", "Steps that were done.", "kind")
        self._attempts = counter(
            "troupe_attempts",
            "Calls of models for steps.",
            *("platform", "place", "provider", "model", "result"),
        )
        self._attempt_seconds = histogram(
            "troupe_attempt_seconds", "How long these calls took.", "place", "provider"
        )
        self._llm_calls = counter(
            "troupe_llm_calls", "Calls of language models.", "platform", "model", "result"
        )
        self._llm_seconds = histogram("troupe_llm_seconds", "How long these calls took.", "model")
        self._llm_tokens = counter(
            "troupe_llm_tokens", "Tokens as servers count.", "platform", "model", "direction"
        )
        self._cost = counter("troupe_cost_usd", "What that cost.", "platform", "model")
        self._uncounted = counter(
            "troupe_llm_uncounted_calls",
            "Answered calls of which the tokens or the price are unknown.",
            *("platform", "model", "missing"),
        )
        self.loop_lag = Histogram(
            "troupe_event_loop_lag_seconds",
            "How late the event loop was, four times a second.",
            registry=registry,
            buckets=_LAGS,
        )
        self._models, self._providers = _Names(_MOST_MODELS), _Names(_MOST_PROVIDERS)
        self._reasons = _Names(_MOST_REASONS)

    def note_call(self, platform: str, call: ModelCall) -> None:
        """Count a call of a language model."""
        model = self._models.bound(call.model)
        self._llm_calls.labels(platform, model, call.error or "ok").inc()
        self._llm_seconds.labels(model).observe(call.took)
        for direction, tokens in (
            ("prompt", call.prompt_tokens),
            ("reply", call.completion_tokens),
        ):
            if tokens >= 0:
                self._llm_tokens.labels(platform, model, direction).inc(tokens)
        if call.cost is not None:
            self._cost.labels(platform, model).inc(call.cost)
        if missing := find_missing(call):
            self._uncounted.labels(platform, model, missing).inc()

    def note_run(self, recorder: Recorder) -> None:
        """Count a run that has ended."""
        run, watch, seconds = recorder.run, recorder.watch, recorder.stage_seconds
        platform = recorder.queued.message.thread.channel.platform
        self._runs.labels(platform, find_outcome(recorder)).inc()
        self._run_seconds.labels(platform).observe(sum(seconds.values()))
        for stage, took in seconds.items():
            self._stage_seconds.labels(stage).observe(took)
        if end := recorder.apology:
            self._apologies.labels(platform, self._reasons.bound(end.reason.id)).inc()
        if watch.undelivered:
            self._undelivered.labels(platform, watch.undelivered).inc()
        for fallback in list_fallbacks(run):
            self._fallbacks.labels(platform, fallback).inc()
        for task in run.plan.tasks:
            if (done := run.outcomes.get(task.id)) is not None:
                self._note_task(platform, task, done)

    def _note_task(self, platform: str, task: Task, outcome: Outcome) -> None:
        kind, attempts = task.kind.name, list_attempts(outcome)
        place = _find_place(outcome, attempts)
        self._tasks.labels(platform, kind, place, name_outcome(outcome)).inc()
        if isinstance(outcome, Done) and outcome.source is None:
            self._task_seconds.labels(kind).observe(outcome.took)
        for each in attempts:
            provider, model = self._providers.bound(each.provider), self._models.bound(each.model)
            result = self._reasons.bound(each.error.id) if each.error else "ok"
            self._attempts.labels(platform, each.place.name, provider, model, result).inc()
            self._attempt_seconds.labels(each.place.name, provider).observe(each.took)


def _find_place(outcome: Outcome, attempts: Sequence[Attempt]) -> str:
    """Where a step was done, or tried at last; "none" if nowhere."""
    if isinstance(outcome, Done):
        return outcome.place.name
    return attempts[-1].place.name if attempts else "none"
