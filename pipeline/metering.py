"""Reports the use of language models to the meter that is open around a call.

A meter is a context variable, so that nothing in between (planner, responder, expert) has to pass
on what it does not need, and no call made for a run can be left out.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pipeline.domain import ModelCall

NoteCall = Callable[[ModelCall], None]
_meter: ContextVar[NoteCall] = ContextVar("meter")


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
