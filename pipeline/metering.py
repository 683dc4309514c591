"""Reports the use of language models, and prompts, to the meter that is open around a call.

A meter is a context variable, so that nothing in between (planner, responder, expert) has to pass
on what it does not need, and no call made for a run can be left out.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pipeline.domain import ModelCall, SentPrompt

NoteCall = Callable[[ModelCall], None]
NotePrompt = Callable[[SentPrompt], None]
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
