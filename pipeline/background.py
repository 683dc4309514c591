"""Background work for as long as a context is open."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def run_beside(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run `work` while the context is open, then cancel it."""
    raised: BaseException | None = None
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work)
        try:
            yield
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - carried past the group, which would wrap it
            raised = error
        task.cancel()
    if raised is not None:
        raise raised
