"""The ports that chat platforms use."""

from dataclasses import dataclass

from adapters.chat.uploads import Sign
from pipeline.ports import Cache, ChatLog, Fetch, Files, Interactions, Ledger, MediaTools


@dataclass(frozen=True, slots=True)
class Delivery:
    """The ports that the presenter uses."""

    ledger: Ledger
    files: Files
    media: MediaTools
    sign: Sign


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts(Delivery):
    """The ports that a chat platform uses."""

    fetch: Fetch
    chat_log: ChatLog
    cache: Cache
    interactions: Interactions
