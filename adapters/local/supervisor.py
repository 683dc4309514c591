"""Keeps our own expert server running: a child process on loopback, restarted when it ends."""

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

from adapters.local.options import ExpertServerOptions, encode_options
from pipeline.background import run_beside
from pipeline.domain import ExpertOutput, LocalizedText, Place
from pipeline.errors import ExpertUnavailable
from pipeline.ports import Expert, Job

log = structlog.get_logger()
_ROOT = Path(__file__).parents[2]
_START_SECONDS, _STOP_SECONDS = 60.0, 5.0
_STEADY_SECONDS = 60.0
"""A server that ran for this long is restarted without a longer pause."""
_MAX_PAUSE = 60.0


class Supervisor:
    """The child process and its state. `trouble` is what people are told while it does not run.

    Every child listens at the same socket. It is kept open here, so that no other program can take
    its port between two children.
    """

    def __init__(
        self, options: ExpertServerOptions, listening: socket.socket, *, pause: float = 1.0
    ) -> None:
        token = secrets.token_urlsafe(32)
        self.options = replace(options, listening=listening.fileno(), token=token)
        self.base = "http://{}:{}".format(*listening.getsockname())
        self.process: Process | None = None
        self.starts = 0
        self.trouble: LocalizedText | None = LocalizedText("experts-beginning")
        self._pause = pause
        self._decided = asyncio.Event()

    async def wait_until_ready(self, seconds: float) -> bool:
        """Whether the server runs; waits at most so many seconds for its first start."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._decided.wait()
        return self.trouble is None

    async def supervise(self) -> None:
        """Start the server, and again whenever it ends, after longer pauses. Until cancelled."""
        failures = 0
        while True:
            started = time.monotonic()
            try:
                code = await self._run_child()
            except (OSError, TimeoutError) as error:
                log.warning("expert server did not start", problem=str(error))
                code = -1
            steady = time.monotonic() - started > _STEADY_SECONDS
            failures = 1 if steady else failures + 1
            pause = min(self._pause * 2 ** (failures - 1), _MAX_PAUSE)
            self.trouble = LocalizedText(
                "experts-ended", {"code": str(code), "seconds": max(round(pause), 1)}
            )
            self._decided.set()
            log.warning("expert server ended", code=code, restart_in=pause)
            await asyncio.sleep(pause)

    async def _run_child(self) -> int:
        """Run one child to its end; its exit status."""
        self.starts += 1
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "adapters.local.server"),
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
            process.stdin.write(encode_options(self.options))
            async with asyncio.timeout(_START_SECONDS):
                address = await process.stdout.readline()
            if address:
                self.trouble = None
                self._decided.set()
                log.info("expert server started", at=self.base)
            return await process.wait()
        finally:
            await _stop(process)


async def _stop(process: Process) -> None:
    """With its input closed the child ends by itself; if it does not, it is killed."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@asynccontextmanager
async def supervise_server(
    options: ExpertServerOptions, *, pause: float = 1.0
) -> AsyncIterator[Supervisor]:
    """A server that is kept running while the context is open. Does not wait for its start."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        supervisor = Supervisor(options, listening, pause=pause)
        async with run_beside(supervisor.supervise()):
            yield supervisor


class SupervisedExpert:
    """Experts on the supervised server; while it does not run, calls fail with its trouble."""

    def __init__(self, expert: Expert, supervisor: Supervisor) -> None:
        self._expert = expert
        self._supervisor = supervisor

    @property
    def place(self) -> Place:
        return self._expert.place

    async def run(self, job: Job) -> ExpertOutput:
        trouble = self._supervisor.trouble
        if trouble is not None:
            seconds = trouble.args.get("seconds")
            wait = float(seconds) if isinstance(seconds, int) else None
            raise ExpertUnavailable(trouble.id, retry_after=wait, **trouble.args)
        return await self._expert.run(job)
