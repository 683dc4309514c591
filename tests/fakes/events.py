"""Events of runs, as a chat surface is told them."""

import asyncio
from collections.abc import AsyncIterator

from pipeline.domain import Event


class Told:
    """Events as a run tells them: never waiting for who listens. None is the end."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    def tell(self, *events: Event | None) -> None:
        for event in events:
            self._events.put_nowait(event)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            yield event


async def one_by_one(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event
