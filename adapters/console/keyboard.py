"""Lines from the keyboard or a pipe, and Ctrl-C."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress


async def typed_lines() -> AsyncIterator[str]:
    """What is typed, line by line, until the end of the input.

    A thread reads, since reading from a terminal cannot be cancelled; it does not keep the program from ending.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        with suppress(RuntimeError, OSError, ValueError):  # the program ended meanwhile
            for line in sys.stdin:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line


@contextmanager
def interrupts(told: Callable[[], None]) -> Iterator[None]:
    """Hand Ctrl-C over while this lasts. Where there is none (in a thread), nothing is done."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(signal.SIGINT, told)
    except (NotImplementedError, RuntimeError, ValueError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
