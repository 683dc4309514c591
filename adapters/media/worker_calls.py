"""Calls of decoders in workers, from the program."""

from collections.abc import Callable
from typing import TypeVar

from pipeline.errors import MediaError, WorkerLost
from pipeline.ports import Workers
from pipeline.queues import FIRST, Ticket

T = TypeVar("T")


async def run_decoder(
    workers: Workers,
    work: Callable[..., T],
    *args: object,
    ticket: Ticket = FIRST,
    seconds: float,
) -> T:
    """Run a decoder in a worker. Raises MediaError, also if it takes too long or breaks down."""
    try:
        return await workers.run(work, *args, ticket=ticket, seconds=seconds)
    except TimeoutError as late:
        raise MediaError("media-too-slow", seconds=round(seconds)) from late
    except WorkerLost as lost:
        raise MediaError("media-lost", problem=lost.sentence) from lost
