"""The port that deletes: on request, with a message, or after a time."""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pipeline.domain import FileHash, Thread


class Scope(StrEnum):
    """What to forget."""

    PERSON = "me"
    THREAD = "thread"
    CHANNEL = "channel"


class Retention(Protocol):
    """Deletion. `forget` and `unlog` also return the files that nothing refers to any more."""

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        """Delete everything in the scope; returns the number of rows. The caller stops its runs.

        The scope of a person covers the thread's whole workspace, and the answers to that person.
        """

    async def unlog(self, key: str) -> Sequence[FileHash]:
        """Delete the turn and runs of a message by its key, or one run by its id.

        Runs under way are cancelled and keep their receipts; delete them by id when they end.

        What replies to the message is kept without its words and files.
        """

    async def prune(self, *, older_than: datetime) -> None:
        """Delete turns and finished runs from before a moment, with all that belongs to them.

        More than half of all turns are deleted only if that was already due 12 hours ago: the clock
        may be wrong.
        """

    async def drop_overheard(self, platforms: Collection[str], *, listen: str) -> None:
        """Delete the turns of these platforms' threads that the bot has no part in.

        They stay in channels that keep "all"; `listen` counts where a channel does not set it.
        """

    async def file_hashes(self) -> frozenset[FileHash]: ...
