"""What went wrong in a run, in words by which operators find it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.codec import load_events
from pipeline.domain import Apologised, Done, Failed, LocalizedText, Run, RunState
from pipeline.errors import NotAllowed, OverLimit
from pipeline.words import say

_EXPECTED = frozenset({NotAllowed.__name__, OverLimit.__name__})
"""Errors that are no failures of ours."""
_MOST_WORDS = 2000
"""Characters that are kept of one run."""


@dataclass(frozen=True, slots=True)
class Problems:
    """What went wrong in a run, a line each. `failed`: the person did not get what they wanted."""

    words: str
    failed: bool


def find_problems(run: Run, events: Sequence[str]) -> Problems | None:
    """None if nothing went wrong. `events`: those of the run, as JSON."""
    lines = dict.fromkeys(filter(None, _list_lines(run, events)))
    is_sorry = run.state is RunState.APOLOGISED and run.error not in _EXPECTED
    has_failed = any(isinstance(outcome, Failed) for outcome in run.outcomes.values())
    failed = is_sorry or has_failed or bool(run.undelivered)
    return Problems("\n".join(lines)[:_MOST_WORDS], failed) if lines or failed else None


def _list_lines(run: Run, events: Sequence[str]) -> Iterator[str]:
    if run.state is RunState.APOLOGISED:
        last = [*load_events(events[-1:])]
        yield from (_say(each.reason) for each in last if isinstance(each, Apologised))
    yield run.error
    yield run.undelivered and f"not delivered: {run.undelivered}"
    for outcome in run.outcomes.values():
        if isinstance(outcome, Failed):
            yield _say(outcome.reason)
        if isinstance(outcome, Failed | Done):
            for attempt in outcome.tried:
                if attempt.error:
                    yield _name(f"{attempt.model} ({attempt.place.name})", _say(attempt.error))
    for call in run.calls:
        if call.error and call.error not in ("cancelled", "retried"):
            yield _name(call.model, _say(LocalizedText(call.error, {"model": call.model})))


def _name(whose: str, problem: str) -> str:
    """A problem with whose it is, unless it says so itself: the same cause is told once."""
    return problem if whose.partition(" ")[0] in problem else f"{whose}: {problem}"


def _say(sentence: LocalizedText) -> str:
    """A sentence in English, on one line."""
    return " ".join(say("en", sentence).split())
