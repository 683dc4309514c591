"""`troupe experts` as a program."""

import asyncio
import importlib.util
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

import aiohttp
import pytest
import structlog
from typer.testing import CliRunner

from bot.cli import app
from pipeline.errors import cause
from pipeline.words import say
from tests.adapters.local.conftest import model_on_disk
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
def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    before = structlog.get_config()

    program = CliRunner().invoke(app, ["experts", "--models", str(tmp_path), "--port", "0"])

    structlog.configure(**before)
    assert program.exception
    error = cause(program.exception)
    assert error
    assert "make local" in say("en", error.sentence)


@pytest.mark.skipif(not LOCAL, reason="the extra [local] is not installed")
async def test_beyond_this_machine_it_wants_a_token(tmp_path: Path) -> None:
    program = await _begun(tmp_path, "--host", "0.0.0.0")
    _, said = await program.communicate()

    assert program.returncode == 1
    assert "TROUPE_EXPERTS_TOKEN" in said.decode()


@pytest.mark.skipif(not LOCAL, reason="the extra [local] is not installed")
async def test_it_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    model_on_disk(tmp_path, "broken", 1000, "BertForMaskedLM")
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
    """Its process, which the first request starts."""
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/models/broken", json={"inputs": "x"}) as response:
            assert response.status == 500
        async with session.get(f"{base}/health") as response:
            return int((await response.json())["workers"][0]["pid"])
