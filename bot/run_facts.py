"""What operators are told of a run that ended, read from its record: nobody's words or names."""

from collections.abc import Sequence

from bot.recorder import Recorder
from pipeline.domain import Attempt, Done, Failed, ModelCall, Outcome, Run, RunState


def find_outcome(recorder: Recorder) -> str:
    """How a run ended: its state; "not_done" if its answer says that nothing was done."""
    run = recorder.run
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


def name_outcome(outcome: Outcome) -> str:
    """How a step ended, in a word; "reused" if its result came from an earlier run."""
    if isinstance(outcome, Done) and outcome.source is not None:
        return "reused"
    return type(outcome).__name__.lower()
