"""Work that goes on beside, as long as a context is open."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def run_beside(
    work: Coroutine[None, None, None], *, end: Callable[[], None] | None = None
) -> AsyncIterator[None]:
    """Run `work` while the context is open.

    On leaving, `end` asks it to finish, and that is awaited; without `end` it is cancelled.
    """
    raised: BaseException | None = None
    async with asyncio.TaskGroup() as group:
        going_on = group.create_task(work)
        try:
            yield
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - carried past the group, which would wrap it
            raised = error
        (end or going_on.cancel)()
    if raised is not None:
        raise raised
