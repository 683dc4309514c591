"""The port to shared conversations: read-only, for whoever has the link, until it ends."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import RunId, Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A conversation as it was when it was shared; `id` cannot be guessed.

    `runs`: what is shown, oldest first; those that were forgotten since are left out.
    """

    id: str
    thread: Thread
    person: str
    runs: tuple[RunId, ...]
    made_at: datetime
    expires: datetime
    title: str
    """The conversation's, when it was shared."""

    @property
    def mark(self) -> str:
        """What stands in the links to its files; nobody can find the share by it."""
        return make_mark(self.id)


def make_mark(id: str) -> str:  # noqa: A002 - the share's own word
    """The mark of a share, by its id."""
    return hashlib.sha256(f"share {id}".encode(errors="replace")).hexdigest()[:32]


class Shares(Protocol):
    """Shared conversations. They end with their thread, or what a person said being forgotten."""

    async def add_share(self, share: Share) -> None: ...

    async def list_shares(self, thread: Thread) -> Sequence[Share]:
        """The shares of a thread that have not ended, oldest first."""

    async def find_share(self, mark: str) -> Share | None:
        """The share with this mark; None if it has ended."""

    async def end_share(self, mark: str) -> None: ...
