"""Ids that must not be confused."""

import hashlib
from typing import NewType

_RUN_DIGITS = 24
RunId = NewType("RunId", str)
"""The id of one run. Derived from the message's key, so it survives restarts."""
TaskId = NewType("TaskId", int)
FileHash = NewType("FileHash", str)
"""SHA-256 of a file's bytes, in hex."""


def derive_trace_id(run: RunId) -> str:
    """The id of a run's trace, 32 hexadecimal digits: the same whichever replica works on it.

    It begins with the id of the run, and so with the reference that people are told. Samplers
    read its last 14 digits, which are as good as random.
    """
    digest = hashlib.sha256(run.encode()).hexdigest()
    is_usual = len(run) == _RUN_DIGITS and set(run) <= set("0123456789abcdef")
    return f"{run}{digest}"[:32] if is_usual else digest[:32]
