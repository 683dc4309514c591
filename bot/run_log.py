"""The line that the log has of each run that ended: ids and numbers, nobody's words or names."""

from collections import Counter
from collections.abc import Mapping

import structlog

from bot.recorder import Recorder
from bot.run_facts import (
    find_missing,
    find_outcome,
    list_attempts,
    list_fallbacks,
    name_outcome,
)
from pipeline.domain import Done, Failed, Outcome, Skipped, Task
from pipeline.errors import NotAllowed, OverLimit, name_for_log

log = structlog.get_logger()

_TERMINAL = "console"
"""The platform whose runs are not logged: whoever sits there sees them."""
_EXPECTED = frozenset({NotAllowed.__name__, OverLimit.__name__})
"""Errors that are no failures of ours."""


def log_run(recorder: Recorder) -> None:
    """Log a run that has ended: as a warning if it failed, or its answer was not delivered."""
    if recorder.queued.message.thread.channel.platform == _TERMINAL:
        return
    watch = recorder.watch
    is_failure = bool(recorder.apology and watch.error not in _EXPECTED)
    write = log.warning if is_failure or watch.undelivered else log.info
    write("run finished", **_describe_run(recorder))


def _describe_run(recorder: Recorder) -> Mapping[str, object]:
    """The fields of a run's line in the log. What is empty is left out."""
    run, watch, thread = recorder.run, recorder.watch, recorder.queued.message.thread
    steps = [_describe_step(task, run.outcomes.get(task.id)) for task in run.plan.tasks]
    tried = [each for outcome in run.outcomes.values() for each in list_attempts(outcome)]
    failures = Counter(each.error.id for each in tried if each.error)
    calls, apology = watch.calls, recorder.apology
    fields = {
        "run": run.id,
        "trace_id": recorder.trace_id,
        "platform": thread.channel.platform,
        "channel": thread.channel.id,
        "thread": thread.root,
        "outcome": find_outcome(recorder),
        "reason": name_for_log(apology.reason) if apology else "",
        "error": watch.error,
        "reference": apology.reference if apology else "",
        "undelivered": watch.undelivered,
        "attempt": recorder.queued.attempt if recorder.queued.attempt > 1 else 0,
        "steps": steps,
        "failures": dict(failures),
        "fallbacks": list_fallbacks(run),
        "llm_calls": len(calls),
        "llm_errors": dict(Counter(call.error for call in calls if call.error)),
        "prompt_tokens": sum(max(call.prompt_tokens, 0) for call in calls),
        "reply_tokens": sum(max(call.completion_tokens, 0) for call in calls),
        "uncounted": dict(Counter(filter(None, map(find_missing, calls)))),
        "cost_usd": round(sum(call.cost or 0.0 for call in calls), 6),
        "seconds": {stage: round(took, 3) for stage, took in recorder.stage_seconds.items()},
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
