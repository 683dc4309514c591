"""The metrics for Prometheus, and the line that the log has of each run.

Both are made from the record of a run when it ends, and hold nobody's words or names. What changes
while runs are under way is read when it is asked for: see `Gauges`.
"""

from collections import Counter as Tally
from collections.abc import Mapping, Sequence

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram, Info, disable_created_metrics
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from bot import VERSION
from bot.recorder import Recorder
from pipeline.domain import Attempt, Done, Failed, ModelCall, Outcome, Run, RunState, Skipped, Task
from pipeline.errors import NotAllowed, OverLimit, name_for_log

log = structlog.get_logger()

OUTSIDE = "none"
"""The platform of calls that belong to no run: previews of plans."""
_TERMINAL = "console"
"""The platform whose runs are not logged: whoever sits there sees them."""
_MOST_MODELS = 60
"""Values of the label: each makes a series of its own."""
_MOST_PROVIDERS = 20
_MOST_REASONS = 200
_OTHER = "other"
_SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600)
"""Buckets for stages, steps and calls."""
_LAGS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Buckets for the event loop, in seconds."""
_EXPECTED = frozenset({NotAllowed.__name__, OverLimit.__name__})
"""Errors that are no failures of ours."""


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
        """Count a run that has ended, and log it."""
        run, watch, queued = recorder.run, recorder.watch, recorder.queued
        platform, outcome = queued.message.thread.channel.platform, find_outcome(recorder, run)
        seconds: dict[str, float] = {"queued": recorder.queued_seconds}
        seconds |= {stage.value: took for stage, took in watch.measure_stages().items()}
        self._runs.labels(platform, outcome).inc()
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
        if platform != _TERMINAL:
            is_failure = bool(recorder.apology and watch.error not in _EXPECTED)
            write = log.warning if is_failure or watch.undelivered else log.info
            write("run finished", **describe_run(recorder, run, outcome, seconds))

    def _note_task(self, platform: str, task: Task, outcome: Outcome) -> None:
        kind, attempts = task.kind.name, list_attempts(outcome)
        place = find_place(outcome, attempts)
        self._tasks.labels(platform, kind, place, name_outcome(outcome)).inc()
        if isinstance(outcome, Done) and outcome.source is None:
            self._task_seconds.labels(kind).observe(outcome.took)
        for each in attempts:
            provider, model = self._providers.bound(each.provider), self._models.bound(each.model)
            result = self._reasons.bound(each.error.id) if each.error else "ok"
            self._attempts.labels(platform, each.place.name, provider, model, result).inc()
            self._attempt_seconds.labels(each.place.name, provider).observe(each.took)


def find_outcome(recorder: Recorder, run: Run) -> str:
    """How a run ended: its state; "not_done" if its answer says that nothing was done."""
    if run.state is not RunState.ANSWERED:
        return run.state.value
    if recorder.queued.message.beside:
        return "command"
    return "not_done" if run.answer and run.answer.is_refusal else run.state.value


def find_missing(call: ModelCall) -> str:
    """What is not known of an answered call: "tokens" or "price"."""
    if call.error:
        return ""
    if min(call.prompt_tokens, call.completion_tokens) < 0:
        return "tokens"
    return "price" if call.cost is None else ""


def list_fallbacks(run: Run) -> Sequence[str]:
    """The notices about planners and responders that failed."""
    notices = run.answer.notices if run.answer else ()
    return [notice.id for notice in notices if notice.id.startswith("fallback-")]


def list_attempts(outcome: Outcome) -> Sequence[Attempt]:
    """The attempts of a step in this run."""
    match outcome:
        case Done(source=None, tried=tried) | Failed(tried=tried):
            return tried
        case _:
            return ()


def find_place(outcome: Outcome, attempts: Sequence[Attempt]) -> str:
    """Where a step was done, or tried at last; "none" if nowhere."""
    if isinstance(outcome, Done):
        return outcome.place.name
    return attempts[-1].place.name if attempts else "none"


def name_outcome(outcome: Outcome) -> str:
    if isinstance(outcome, Done) and outcome.source is not None:
        return "reused"
    return type(outcome).__name__.lower()


def describe_run(
    recorder: Recorder, run: Run, outcome: str, seconds: Mapping[str, float]
) -> Mapping[str, object]:
    """The fields of a run's line in the log. What is empty is left out."""
    watch, thread = recorder.watch, recorder.queued.message.thread
    steps = [_describe_step(task, run.outcomes.get(task.id)) for task in run.plan.tasks]
    tried = [each for outcome in run.outcomes.values() for each in list_attempts(outcome)]
    failures = Tally(each.error.id for each in tried if each.error)
    calls, apology = watch.calls, recorder.apology
    fields = {
        "run": run.id,
        "platform": thread.channel.platform,
        "channel": thread.channel.id,
        "thread": thread.root,
        "outcome": outcome,
        "reason": name_for_log(apology.reason) if apology else "",
        "error": watch.error,
        "reference": apology.reference if apology else "",
        "undelivered": watch.undelivered,
        "attempt": recorder.queued.attempt if recorder.queued.attempt > 1 else 0,
        "steps": steps,
        "failures": dict(failures),
        "fallbacks": list_fallbacks(run),
        "llm_calls": len(calls),
        "llm_errors": dict(Tally(call.error for call in calls if call.error)),
        "prompt_tokens": sum(max(call.prompt_tokens, 0) for call in calls),
        "reply_tokens": sum(max(call.completion_tokens, 0) for call in calls),
        "uncounted": dict(Tally(filter(None, map(find_missing, calls)))),
        "cost_usd": round(sum(call.cost or 0.0 for call in calls), 6),
        "seconds": {stage: round(took, 3) for stage, took in seconds.items()},
    }
    return {name: value for name, value in fields.items() if value}


def _describe_step(task: Task, outcome: Outcome | None) -> Mapping[str, object]:
    step: dict[str, object] = {"kind": task.kind.name}
    if outcome is None:  # the run ended before it
        return {**step, "outcome": "open"}
    step["outcome"] = name_outcome(outcome)
    match outcome:
        case Done():
            step |= {"place": outcome.place.name, "model": outcome.model.id}
            step["seconds"] = round(outcome.took, 3)
        case Failed():
            step["reason"] = name_for_log(outcome.reason)
        case Skipped():
            step["because_of"] = outcome.because_of
        case _:
            pass
    return step
