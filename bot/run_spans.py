"""The trace of a run, built when it ends from what was recorded of it: nobody's words or names.

The names of attributes are those of OpenTelemetry's semantic conventions for generative AI, where
it has one; else they begin with "troupe.".
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adapters.telemetry.spans import Span
from bot.places import EMBEDDED
from bot.recorder import Recorder
from bot.run_facts import find_outcome, name_outcome
from bot.timeline import RunTimeline, TimedCall
from pipeline.domain import Failed, FellBack, Finished, Outcome, Skipped, Started, Task, TaskId
from pipeline.metering import Work

_ROOT = "run"
_INTERRUPTED = "interrupted"
"""The outcome of a run that another attempt goes on with."""
_FORMAT = "openai"
"""Language models are called in OpenAI's format, whoever serves them."""

_Facts = dict[str, str | int | float]


def build_spans(recorder: Recorder, *, is_interrupted: bool) -> Sequence[Span]:
    """The spans of a run that ends now, parents first; none if it is not traced.

    Stages are those of the metrics. What was under way when the run ended, ends with it.
    """
    if recorder.timeline is None:
        return ()
    now = time.monotonic()
    root = _describe_run(recorder, now, is_interrupted=is_interrupted)
    stages = _list_stages(recorder, root)
    draft = _Draft(recorder.timeline, stages, _find_tasks(recorder), now)
    draft.read_events()
    spans = [root, *stages, *draft.tasks.values(), *draft.attempts]
    spans += [*draft.list_works(), *draft.list_calls()]
    epoch = recorder.timeline.epoch
    return [replace(each, began=each.began + epoch, ended=each.ended + epoch) for each in spans]


def _describe_run(recorder: Recorder, now: float, *, is_interrupted: bool) -> Span:
    queued, watch, apology = recorder.queued, recorder.watch, recorder.apology
    error = watch.undelivered or (watch.error or apology.reason.id if apology else "")
    return Span(
        name="invoke_agent troupe",
        key=_ROOT,
        began=_find_beginning(recorder),
        ended=now,
        attributes={
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "troupe",
            "troupe.run": queued.run,
            "troupe.attempt": queued.attempt,
            "troupe.platform": queued.message.thread.channel.platform,
            "troupe.outcome": _INTERRUPTED if is_interrupted else find_outcome(recorder),
        },
        error="" if is_interrupted else error,
    )


def _find_beginning(recorder: Recorder) -> float:
    """When the message was accepted; for a later attempt, when that began."""
    is_first = recorder.queued.attempt <= 1
    return recorder.watch.began - (recorder.queued_seconds if is_first else 0.0)


def _list_stages(recorder: Recorder, root: Span) -> Sequence[Span]:
    watch, began = recorder.watch, root.began
    waited = [("queued", began, watch.began)] if began < watch.began else []
    took = [(stage.value, start, end) for stage, start, end in watch.list_stages(root.ended)]
    return [
        Span(name=name, key=f"stage {number}", parent=_ROOT, began=start, ended=end)
        for number, (name, start, end) in enumerate([*waited, *took])
    ]


def _find_tasks(recorder: Recorder) -> Mapping[TaskId, Task]:
    return {task.id: task for task in recorder.watch.plan.tasks}


@dataclass(slots=True)
class _Draft:
    """The spans below the stages; times are still those of the monotonic clock."""

    timeline: RunTimeline
    stages: Sequence[Span]
    kinds: Mapping[TaskId, Task]
    now: float
    tasks: dict[TaskId, Span] = field(default_factory=dict)
    attempts: list[Span] = field(default_factory=list)
    _open: dict[TaskId, Span] = field(default_factory=dict)
    """The attempt that each task is at."""
    _attempts_of: dict[TaskId, list[Span]] = field(default_factory=dict)
    _works: set[int] = field(default_factory=set)

    def read_events(self) -> None:
        """Make the spans of tasks and of their attempts."""
        for at, event in self.timeline.events:
            match event:
                case Started():
                    self._begin_task(event.task, at)
                    self._begin_attempt(event, at)
                case FellBack(task, attempt):
                    self._end_attempt(task, at, attempt.error.id if attempt.error else "")
                case Finished(task, outcome):
                    self._begin_task(task, at)
                    error = _find_error(outcome)
                    self._end_attempt(task, at, error)
                    facts = {"troupe.task.outcome": name_outcome(outcome)}
                    self.tasks[task] = _end(self.tasks[task], at, error, facts)
                case _:
                    pass
        for task in list(self._open):  # the run ended before them
            self._end_attempt(task, self.now, _INTERRUPTED)

    def _begin_task(self, task: TaskId, at: float) -> None:
        known = self.kinds.get(task)
        name = known.kind.name if known else "unplanned"
        facts: _Facts = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "troupe.task": task,
        }
        span = Span(
            name=f"execute_tool {name}",
            key=f"task {task}",
            parent=self._find_stage(at),
            began=at,
            ended=self.now,
            attributes=facts,
        )
        self.tasks.setdefault(task, span)

    def _begin_attempt(self, event: Started, at: float) -> None:
        facts: _Facts = {"gen_ai.request.model": event.model, "troupe.place": event.place.name}
        if event.provider:
            facts["gen_ai.provider.name"] = event.provider
        number = len(self._attempts_of.get(event.task, ())) + 1
        self._open[event.task] = Span(
            name="attempt",
            key=f"attempt {event.task}.{number}",
            parent=f"task {event.task}",
            began=at,
            ended=self.now,
            attributes={**facts, "troupe.task": event.task},
        )

    def _end_attempt(self, task: TaskId, at: float, error: str) -> None:
        if (begun := self._open.pop(task, None)) is not None:
            ended = _end(begun, at, error)
            self.attempts.append(ended)
            self._attempts_of.setdefault(task, []).append(ended)

    def list_works(self) -> Iterator[Span]:
        """The work that was timed by itself: selections, calls of experts, posts."""
        for work in sorted(self.timeline.works, key=lambda work: work.number):
            attempt = self._find_attempt(work) if work.what == "expert" else None
            facts: _Facts = dict(attempt.attributes) if attempt else {}
            if work.task is not None:
                facts["troupe.task"] = work.task
            yield Span(
                name=work.what,
                key=f"work {work.number}",
                parent=self._name_work(work.inside)
                or (attempt.key if attempt else self._find_stage(work.began)),
                began=work.began,
                ended=work.ended,
                is_call=work.what != "select" and facts.get("troupe.place") != EMBEDDED.name,
                attributes=facts,
                error=work.error,
            )

    def list_calls(self) -> Iterator[Span]:
        """The calls of language models."""
        for number, timed in enumerate(self.timeline.calls):
            began = timed.ended - timed.call.took
            yield Span(
                name=f"chat {timed.call.model}",
                key=f"call {number}",
                parent=self._name_work(timed.inside) or self._find_stage(began),
                began=began,
                ended=timed.ended,
                is_call=True,
                attributes=_describe_call(timed),
                error=timed.call.error,
            )

    def _name_work(self, number: int) -> str:
        """The key of a piece of work; "" if none of this number has ended."""
        self._works = self._works or {work.number for work in self.timeline.works}
        return f"work {number}" if number in self._works else ""

    def _find_attempt(self, work: Work) -> Span | None:
        tried = self._attempts_of.get(work.task, ()) if work.task is not None else ()
        return next((each for each in tried if each.began <= work.began <= each.ended), None)

    def _find_stage(self, at: float) -> str:
        """The key of the stage at a moment."""
        begun = [stage for stage in self.stages if stage.began <= at]
        return (begun or self.stages)[-1 if begun else 0].key


def _end(span: Span, at: float, error: str, facts: Mapping[str, str] | None = None) -> Span:
    return replace(span, ended=at, error=error, attributes={**span.attributes, **(facts or {})})


def _find_error(outcome: Outcome) -> str:
    match outcome:
        case Failed(reason):
            return reason.id
        case Skipped():
            return "skipped"
        case _:
            return ""


def _describe_call(timed: TimedCall) -> Mapping[str, str | int | float]:
    call = timed.call
    facts: _Facts = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _FORMAT,
        "gen_ai.request.model": call.model,
    }
    if call.prompt_tokens >= 0:
        facts["gen_ai.usage.input_tokens"] = call.prompt_tokens
    if call.completion_tokens >= 0:
        facts["gen_ai.usage.output_tokens"] = call.completion_tokens
    if call.cost is not None:
        facts["troupe.cost_usd"] = call.cost
    return facts
