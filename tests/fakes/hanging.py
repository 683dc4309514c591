"""Fakes that hang at a moment of an interaction, to be killed there."""

import asyncio
from dataclasses import dataclass, field

from pipeline.domain import Invocation, Reply
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeInteractions


@dataclass
class HangingListener(FakeListener):
    """Hangs in a command, before or after carrying it out."""

    is_late: bool = False
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def on_command(self, invocation: Invocation) -> Reply:
        if self.is_late:
            await FakeListener.on_command(self, invocation)
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError


@dataclass
class HangingInteractions(FakeInteractions):
    """Hangs when an interaction was accepted or its reply recorded, or before it is finished."""

    hangs: str = ""
    reached: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    async def accept(self, platform: str, id: str, payload: str, person: str = "") -> bool:  # noqa: A002 - the port's
        is_new = await FakeInteractions.accept(self, platform, id, payload, person)
        await self._hang("accepted")
        return is_new

    async def record(self, platform: str, id: str, reply: str) -> bool:  # noqa: A002 - the port's
        is_ours = await FakeInteractions.record(self, platform, id, reply)
        await self._hang("recorded")
        return is_ours

    async def finish(self, platform: str, id: str) -> None:  # noqa: A002 - the port's
        await self._hang("sent")
        await FakeInteractions.finish(self, platform, id)

    async def _hang(self, moment: str) -> None:
        if self.hangs == moment:
            self.reached.set()
            await self.released.wait()
