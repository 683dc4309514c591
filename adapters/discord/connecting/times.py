"""Timeouts and intervals of the adapter."""

from dataclasses import dataclass, field

from adapters.chat.presenter import Rhythm
from pipeline.ports import LEASE_SECONDS, RENEWALS


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordTimes:
    """The adapter's timeouts and intervals, in seconds."""

    heartbeat: float = 60.0
    settle: float = 2.0
    """How long the library waits for servers to be announced."""
    backfill: float = 15.0
    """The pause before catching up is tried again; later ones are longer."""
    opening: float = 20.0
    """How long an answer waits for its thread: Discord limits how many threads are opened."""
    registering: float = 90.0
    """How long the commands are waited for: longer than Discord is tried while it is down."""
    rate_period: float = 1.0
    """The period of Discord's limit of fifty calls."""
    lease: float = LEASE_SECONDS
    """How long a shard is ours without renewal."""
    renewal: float = LEASE_SECONDS / RENEWALS
    """The pause between two renewals."""
    look: float = 1.0
    """How often the shards of a replica that may be dead are tried."""
    identify: float = 5.5
    """Within which we send one IDENTIFY for each group of shards; Discord takes one in five."""
    unwell: float = 60.0
    """How long a shard may be without connection before another replica may try."""
    rhythm: Rhythm = field(default_factory=lambda: Rhythm(between=1.2))
    """Discord allows five edits in five seconds for a whole channel."""
