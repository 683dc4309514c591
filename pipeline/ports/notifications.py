"""The port to notifications: short texts that all programs on one database hear."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

Hear = Callable[[str | None], None]
"""Gets each text of a topic, or None: some may have been missed, so look at everything anew."""


class Notifications(Protocol):
    """Tells every program on a database, this one included, that something has changed.

    A text says where to look; it is no record. It arrives soon and once, or it is lost while the
    connection is down: then subscribers get None when it is back.
    """

    async def publish(self, topic: str, text: str = "") -> None:
        """Tell all subscribers of a topic; the text has at most 7,000 bytes in UTF-8."""

    def subscribe(self, topic: str, hear: Hear) -> AbstractContextManager[None]:
        """Call `hear`, which must not block or raise, for each text until the context ends."""
