"""`troupe experts` as a program."""

import asyncio
import importlib.util
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

import aiohttp
import pytest

from tests.house.source import ROOT

LOCAL = importlib.util.find_spec("torch") is not None


async def _begun(folder: Path, *arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *("/usr/bin/env", f"TROUPE_HOME={folder}", sys.executable, "-m", "bot", "experts"),
        *("--models", str(folder), "--port", "0", *arguments),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
    )


@pytest.mark.skipif(LOCAL, reason="the extra [local] is installed")
async def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    program = await _begun(tmp_path)
    _, said = await program.communicate()

    assert program.returncode == 1
    assert 'pip install ".[local]"' in said.decode()


@pytest.mark.skipif(not LOCAL, reason="the extra [local] is not installed")
async def test_beyond_this_machine_it_wants_a_token(tmp_path: Path) -> None:
    program = await _begun(tmp_path, "--host", "0.0.0.0")
    _, said = await program.communicate()

    assert program.returncode == 1
    assert "TROUPE_EXPERTS_TOKEN" in said.decode()


@pytest.mark.skipif(not LOCAL, reason="the extra [local] is not installed")
async def test_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    program = await _begun(tmp_path, "--workers", "1")
    assert program.stderr is not None
    told = (await program.stderr.readline()).decode()
    base = next(word for word in told.split() if word.startswith("http")).rstrip(",")

    worker = await _first_worker(base)
    program.terminate()
    _, said = await program.communicate()

    assert program.returncode == 0, said
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


async def _first_worker(base: str) -> int:
    """Its process, once it has begun."""
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{base}/health") as response:
                health = await response.json()
            assert health["status"] == "ok"
            if pid := health["workers"][0]["pid"]:
                return int(pid)
