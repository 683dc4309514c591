"""Work that goes on beside, as long as a context is open."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Begun when the context opens, cancelled when it closes."""
    raised: BaseException | None = None
    async with asyncio.TaskGroup() as group:
        going_on = group.create_task(work)
        try:
            yield
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - carried past the group, which would wrap it
            raised = error
        going_on.cancel()
    if raised is not None:
        raise raised
