"""Bounds of everything that comes over HTTP: connections, requests and bodies.

Our HTTP servers are opened by `serve`, whose application has `bound_request` as its first
middleware; their bodies are read by `receive`, `receive_whole` and `read_body`, others' responses
by `read_bounded`.
"""

from adapters.bounds.bodies import (
    STRANGER_SECONDS,
    Memory,
    Spool,
    bound_request,
    read_body,
    read_bounded,
    receive,
    receive_whole,
    spool,
)
from adapters.bounds.connections import trust
from adapters.bounds.server import serve

__all__ = [
    "STRANGER_SECONDS",
    "Memory",
    "Spool",
    "bound_request",
    "read_body",
    "read_bounded",
    "receive",
    "receive_whole",
    "serve",
    "spool",
    "trust",
]
