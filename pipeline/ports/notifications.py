"""The port to notifications: short texts that all programs on one database hear."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import Protocol

Hear = Callable[[str | None], None]
"""Gets each text of a topic, or None: some may have been missed, so look at everything anew."""


class Topic(StrEnum):
    """What notifications are about. Programs of two neighbouring versions hear each other."""

    INBOX = "inbox"
    """There may be a message to take; no text."""
    CANCELLATIONS = "cancel"
    """A run was cancelled: its id."""
    PROGRESS = "run"
    """A part of a run's progress was stored: the run, a space, and its number or `ENDED`."""
    PROGRAMS = "programs"
    """A program has begun or ended; no text."""
    FEED = "feed"
    """What open pages have to show: JSON of adapters/web/feed_relay.py."""
    SHARDS = "shards"
    """How many shards a program connects: JSON of adapters/discord/connecting/members.py."""
    INSTALLATIONS = "slack-installed"
    """An installation of the app was saved or removed; no text."""
    PAUSES = "slack-limited"
    """For how long to make no calls: JSON of adapters/slack/web_api/pauses.py."""


class Notifications(Protocol):
    """Tells every program on a database, this one included, that something has changed.

    A text says where to look; it is no record. It arrives soon and once, or it is lost while the
    connection is down: then subscribers get None when it is back.

    A program hears its own texts, too. What is only for the others names it: `program`.
    """

    @property
    def program(self) -> str:
        """The id of this program."""

    async def publish(self, topic: Topic, text: str = "") -> None:
        """Tell all subscribers of a topic; the text has at most 7,000 bytes in UTF-8."""

    def subscribe(self, topic: Topic, hear: Hear) -> AbstractContextManager[None]:
        """Call `hear`, which must not block or raise, for each text until the context ends."""
