"""Starts programs that store files, and kills them."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pipeline.domain import FileHash


@asynccontextmanager
async def starting(module: str, *words: str) -> AsyncIterator[Process]:
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *words, stdout=PIPE
    )
    try:
        yield program
    finally:
        if program.returncode is None:
            program.kill()
        await program.wait()


async def read_news(program: Process) -> dict[str, object]:
    assert program.stdout is not None
    line = await program.stdout.readline()
    return dict(json.loads(line)) if line.endswith(b"\n") else {}


async def kill_once(address: str, name: str, seed: str, after: int) -> tuple[set[FileHash], int]:
    """Kill traffic when it has stored so many files; returns those, and how many it had read."""
    stored, read = set[FileHash](), 0
    async with starting("tests.adapters.files.traffic", address, name, seed) as program:
        while news := await read_news(program):
            if "stored" in news:
                stored.add(FileHash(str(news["stored"])))
                if len(stored) == after:
                    program.kill()
            elif "read" in news:
                assert news["whole"], news
                read += 1
    return stored, read
