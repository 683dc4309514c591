"""The ports that chat platforms use."""

from dataclasses import dataclass

from adapters.chat.links import Sign
from pipeline.outage import Outage
from pipeline.ports import (
    Cache,
    ChatLog,
    Fetch,
    Files,
    Interactions,
    Leases,
    Ledger,
    MediaTools,
    Notifications,
    RateLimits,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts:
    """The ports that chat platforms use."""

    ledger: Ledger
    files: Files
    media: MediaTools
    sign: Sign
    fetch: Fetch
    chat_log: ChatLog
    cache: Cache
    interactions: Interactions
    leases: Leases
    rate_limits: RateLimits
    notifications: Notifications
    outage: Outage
