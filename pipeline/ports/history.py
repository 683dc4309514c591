"""The port to a person's conversations: listed, found by their words, named and pinned."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import RunId, Thread


@dataclass(frozen=True, slots=True)
class HistoryPosition:
    """A place in a list of conversations; `key` is the thread's."""

    pinned: bool
    at: datetime
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedThread:
    """A conversation in a list.

    `title`: what a person called it, else made of the first message. `at`: when something was last
    said. `waiting`: its runs that are not finished. `excerpt`: the place that was found; "" for the
    title.
    """

    thread: Thread
    title: str
    pinned: bool
    at: datetime
    waiting: tuple[RunId, ...] = ()
    excerpt: str = ""

    @property
    def position(self) -> HistoryPosition:
        return HistoryPosition(self.pinned, self.at, self.thread.key)


class History(Protocol):
    """The conversations of a workspace whose threads belong to one person, as on the page."""

    async def list_threads(
        self,
        workspace: str,
        *,
        query: str = "",
        before: HistoryPosition | None = None,
        limit: int,
    ) -> Sequence[ListedThread]:
        """A workspace's ("web:5f…") conversations, pinned ones first, then the latest first.

        With a `query` only those with a message, an answer, a title or file names that have all its
        words: see `pipeline.text.search_words`. Of very common words the newest places count.
        """

    async def find_thread(self, thread: Thread) -> ListedThread | None:
        """A conversation as it is listed; None if nothing is left of it."""

    async def change_thread(
        self, thread: Thread, *, title: str | None = None, pinned: bool | None = None
    ) -> None:
        """Name or pin a conversation; an empty title is made of the first message again."""
