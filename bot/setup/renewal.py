"""Lets the serving program close and serve again with its settings read anew, in one process."""

import asyncio
from collections.abc import Coroutine

from bot.settings import Settings
from pipeline.domain import LocalizedText


class Renewal:
    """What is known of the settings in force. There is one for the life of the process.

    `problem`: why the last new settings were put back. `is_unproved`: the settings in force were
    changed, and have not started yet. `port`: that of the page, which is to stay.
    """

    def __init__(self) -> None:
        self.problem: LocalizedText | None = None
        self.is_unproved = False
        self.port = 0
        self._asked = asyncio.Event()
        self._current: Settings | None = None
        self._good: Settings | None = None

    @property
    def is_asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        """Read the settings anew as soon as everything is closed."""
        self.problem, self.is_unproved = None, True
        self._asked.set()

    def begin(self, settings: Settings) -> Settings:
        """The settings to serve with; nobody has asked for others yet.

        Where any port will do for the page, it is the one that people have open.
        """
        self._asked.clear()
        self._current = settings
        if settings.troupe_web_port == 0:
            return settings.model_copy(update={"troupe_web_port": self.port})
        return settings

    def approve(self) -> None:
        """The settings that we serve with have started."""
        self._good, self.is_unproved = self._current, False

    def put_back(self, problem: LocalizedText) -> Settings:
        """The settings that have started before."""
        assert self._good is not None
        self.problem, self.is_unproved = (
            LocalizedText("setup-put-back", {"problem": problem}),
            False,
        )
        return self._good

    async def run_until_asked(self, work: Coroutine[None, None, None]) -> None:
        """Do `work` until it ends or somebody asks. Raises what `work` raises."""
        async with asyncio.TaskGroup() as group:
            tasks = (group.create_task(work), group.create_task(self._wait()))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()

    async def _wait(self) -> None:
        await self._asked.wait()
