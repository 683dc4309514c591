"""Notifications within one program, and the subscribers that all kinds share."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pipeline.ports import Hear, Topic

MOST_BYTES = 7_000
"""PostgreSQL refuses a payload of 8,000 bytes; the topic needs some, too."""


@dataclass(slots=True)
class LocalNotifications:
    """Notifications for a program that is alone: subscribers are called at once."""

    program: str
    _subscribers: dict[str, list[Hear]] = field(default_factory=lambda: defaultdict(list))

    async def publish(self, topic: Topic, text: str = "") -> None:
        self.tell(topic, text)

    @contextmanager
    def subscribe(self, topic: Topic, hear: Hear) -> Iterator[None]:
        self._subscribers[topic].append(hear)
        try:
            yield
        finally:
            self._subscribers[topic].remove(hear)

    def tell(self, topic: str, text: str | None) -> None:
        """Call the subscribers of a topic; a program of another version may have others."""
        for hear in tuple(self._subscribers.get(topic, ())):
            hear(text)

    def tell_all_to_look(self) -> None:
        """Tell every subscriber that texts may have been missed."""
        for topic in tuple(self._subscribers):
            self.tell(topic, None)
