"""Reports the use of language models, prompts and timed work to the meter open around a call.

A meter is a context variable, so that nothing in between (planner, responder, expert) has to pass
on what it does not need, and no call made for a run can be left out.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count

from pipeline.domain import ModelCall, SentPrompt, TaskId


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A timed piece of work that has no event of its own. Seconds on the monotonic clock."""

    what: str
    """"select", "expert" (a call of one), or a call to a chat platform: "post", "edit" …"""
    number: int
    """Tells it from others of the process."""
    inside: int
    """The number of the work that it is part of; 0: none."""
    task: TaskId | None
    began: float
    ended: float
    error: str
    """The class of the error that ended it; "" if none did."""


NoteCall = Callable[[ModelCall], None]
NotePrompt = Callable[[SentPrompt], None]
NoteWork = Callable[[Work], None]
_numbers = count(1)
_work_meter: ContextVar[NoteWork] = ContextVar("work meter")
_inside: ContextVar[int] = ContextVar("number of the work")
_meter: ContextVar[NoteCall] = ContextVar("meter")
_prompt_recorder: ContextVar[NotePrompt] = ContextVar("prompt recorder")


@contextmanager
def meter_calls(note: NoteCall) -> Iterator[None]:
    """Pass every call that is made in this context, and in the tasks started in it, to `note`."""
    before = _meter.set(note)
    try:
        yield
    finally:
        _meter.reset(before)


def note_call(call: ModelCall) -> None:
    """Report a call that has ended to the innermost meter, if there is one."""
    if (note := _meter.get(None)) is not None:
        note(call)


@contextmanager
def keep_prompts(note: NotePrompt) -> Iterator[None]:
    """Pass every prompt of this context, and of the tasks started in it, to `note`."""
    before = _prompt_recorder.set(note)
    try:
        yield
    finally:
        _prompt_recorder.reset(before)


def find_prompt_recorder() -> NotePrompt | None:
    """Who wants to have the prompts; None where nobody does."""
    return _prompt_recorder.get(None)


@contextmanager
def meter_work(note: NoteWork) -> Iterator[None]:
    """Pass all work that is timed in this context, and in the tasks started in it, to `note`."""
    before = _work_meter.set(note)
    try:
        yield
    finally:
        _work_meter.reset(before)


@contextmanager
def time_work(what: str, task: TaskId | None = None) -> Iterator[None]:
    """Time the block for whoever meters work; where nobody does, it costs a microsecond."""
    if (note := _work_meter.get(None)) is None:
        yield
        return
    number, inside, began, error = next(_numbers), find_work(), time.monotonic(), ""
    before = _inside.set(number)
    try:
        yield
    except BaseException as failed:
        error = type(failed).__name__
        raise
    finally:
        _inside.reset(before)
        note(
            Work(
                what=what,
                number=number,
                inside=inside,
                task=task,
                began=began,
                ended=time.monotonic(),
                error=error,
            )
        )


def find_work() -> int:
    """The number of the innermost work that is being timed around the caller; 0: none."""
    return _inside.get(0)
