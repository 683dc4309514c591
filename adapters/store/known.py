"""What every request asks for and hardly anybody changes, kept in memory."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from cachetools import LRUCache

from pipeline.domain import ChannelSettings


@dataclass(slots=True)
class KnownSettings:
    """Channels' settings as they stand in the database, to which only this program writes."""

    _known: LRUCache[str, ChannelSettings] = field(default_factory=lambda: LRUCache(maxsize=10_000))
    _changes: int = 0

    async def of(
        self, channel: str, read: Callable[[], Awaitable[ChannelSettings]]
    ) -> ChannelSettings:
        """What is known of a channel; what is read while something changes is not kept."""
        known = self._known.get(channel)
        if known is None:
            changes = self._changes
            known = await read()
            if changes == self._changes:
                self._known[channel] = known
        return known

    def changed(self) -> None:
        self._changes += 1
        self._known.clear()
