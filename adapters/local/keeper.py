"""Keeps an expert server of our own running: a child process on loopback, begun again when it ends, gone with the program."""

import asyncio
import secrets
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import structlog

from adapters.local.options import Options, packed
from pipeline.background import beside
from pipeline.domain import Made, Place, Sentence
from pipeline.errors import ExpertUnavailable
from pipeline.ports import Expert, Job

log = structlog.get_logger()
_ROOT = Path(__file__).parents[2]
_BEGINNING, _FAREWELL = 60.0, 5.0
_STEADY = 60.0
"""A server that ran for so long is begun again at once."""
_LONGEST_PAUSE = 60.0


class Keeper:
    """The child and how it does. `trouble` is what a person is told while it does not run.

    Every child listens at the same socket, which is held here, so that nobody else can take its port between two of them.
    """

    def __init__(
        self,
        options: Options,
        listening: socket.socket,
        *,
        pause: float = 1.0,
    ) -> None:
        token = secrets.token_urlsafe(32)
        self.options = replace(options, listening=listening.fileno(), token=token)
        self.base = "http://{}:{}".format(*listening.getsockname())
        self.process: Process | None = None
        self.begun = 0
        self.trouble: Sentence | None = Sentence("experts-beginning")
        self._pause = pause
        self._decided = asyncio.Event()

    async def decided(self, seconds: float) -> bool:
        """Whether it runs; waits so long while it begins for the first time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._decided.wait()
        return self.trouble is None

    async def keep(self) -> None:
        """Begins the server, and begins it again when it ended, a little later each time. Until cancelled."""
        failures = 0
        while True:
            since = time.monotonic()
            try:
                code = await self._run()
            except (OSError, TimeoutError) as error:
                log.warning("expert server did not begin", problem=str(error))
                code = -1
            failures = 1 if time.monotonic() - since > _STEADY else failures + 1
            pause = min(self._pause * 2 ** (failures - 1), _LONGEST_PAUSE)
            self.trouble = Sentence(
                "experts-ended", {"code": str(code), "seconds": max(round(pause), 1)}
            )
            self._decided.set()
            log.warning("expert server ended", code=code, again_in=pause)
            await asyncio.sleep(pause)

    async def _run(self) -> int:
        """The child's whole life; its exit status."""
        self.begun += 1
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "adapters.local.owned"),
            stdin=PIPE,
            stdout=PIPE,
            cwd=_ROOT,
            env=self.options.environment,
            pass_fds=(self.options.listening,),
        )
        self.process = process
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(packed(self.options))
            async with asyncio.timeout(_BEGINNING):
                said = await process.stdout.readline()
            if said:
                self.trouble = None
                self._decided.set()
                log.info("expert server begun", at=self.base)
            return await process.wait()
        finally:
            await _ended(process)


async def _ended(process: Process) -> None:
    """Its input closed, it ends by itself; if not, it is killed."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_FAREWELL):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@asynccontextmanager
async def own_server(options: Options, *, pause: float = 1.0) -> AsyncIterator[Keeper]:
    """A server that is kept running as long as the context is open. Nothing waits for it to begin."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        keeper = Keeper(options, listening, pause=pause)
        async with beside(keeper.keep()):
            yield keeper


class KeptExpert:
    """Experts on the server that is kept: while it does not run, that is what is told."""

    def __init__(self, expert: Expert, keeper: Keeper) -> None:
        self._expert = expert
        self._keeper = keeper

    @property
    def place(self) -> Place:
        return self._expert.place

    async def run(self, job: Job) -> Made:
        trouble = self._keeper.trouble
        if trouble is not None:
            seconds = trouble.args.get("seconds")
            wait = float(seconds) if isinstance(seconds, int) else None
            raise ExpertUnavailable(trouble.id, retry_after=wait, **trouble.args)
        return await self._expert.run(job)
