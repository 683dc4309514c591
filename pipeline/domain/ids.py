"""Ids that must not be confused."""

from typing import NewType

RunId = NewType("RunId", str)
"""The id of one run. Derived from the message's key, so it survives restarts."""
TaskId = NewType("TaskId", int)
FileHash = NewType("FileHash", str)
"""SHA-256 of a file's bytes, in hex."""
