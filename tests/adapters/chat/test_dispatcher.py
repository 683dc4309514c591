"""Events are handled in the background while the bot listens."""

import asyncio
import warnings

from adapters.chat.dispatcher import Dispatcher


async def test_what_comes_while_we_shut_down_is_dropped_quietly() -> None:
    begun: list[str] = []

    async def handle() -> None:
        begun.append("handled")

    async with asyncio.TaskGroup() as group:
        dispatcher = Dispatcher(group)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no coroutine is left behind
        dispatcher.start(handle)

    assert begun == []
