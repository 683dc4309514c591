"""The port to the journal: what each step of a run returned."""

from collections.abc import Mapping
from typing import Protocol

from pipeline.domain import RunId


class Journal(Protocol):
    """The results of a run's steps by name, as JSON, so that a restart does not repeat them."""

    async def recall(self, run: RunId) -> Mapping[str, str]: ...

    async def record(self, run: RunId, step: str, value: str) -> None:
        """Store the result of a step durably; a step that already has one keeps it."""
