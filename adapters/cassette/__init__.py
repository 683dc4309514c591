"""Recorded traffic with language models, the Hub and expert servers: taped, and played back."""

from adapters.cassette.proxy import FILES, Recording, Replay, open_proxies
from adapters.cassette.tape import Cleaner, Deck, Head, Tape

__all__ = [
    "FILES",
    "Cleaner",
    "Deck",
    "Head",
    "Recording",
    "Replay",
    "Tape",
    "open_proxies",
]
