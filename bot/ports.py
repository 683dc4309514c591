"""The ports that are open with every configuration."""

from dataclasses import dataclass, field

from adapters.files import FileStore
from adapters.store import Persistence
from pipeline.ports import Fetch, MediaTools, TrackRecord, Workers


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """The ports that are open with every configuration, for the providers and the chats."""

    persistence: Persistence
    files: FileStore
    workers: Workers
    media: MediaTools
    fetch: Fetch
    records: dict[tuple[str, str], TrackRecord] = field(default_factory=dict)
    """Recent track records of models; refreshed in the background."""
