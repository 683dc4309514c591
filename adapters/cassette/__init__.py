"""Recorded traffic with language models, the Hub and expert servers: taped, and played back."""

from adapters.cassette.proxy import FILES, Recording, Replay, open_proxies
from adapters.cassette.secrets import Cleaner
from adapters.cassette.tape import Deck, Head, Tape

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
