"""`troupe experts` as a program."""

import asyncio
import importlib.util
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import structlog
from typer.testing import CliRunner

from bot.cli import app
from pipeline.errors import cause
from pipeline.words import say
from tests.adapters.local.conftest import model_on_disk
from tests.fakes.jobs import picture
from tests.house.source import ROOT
from tests.tracing import list_strangers, needs_strace, trace

LOCAL = importlib.util.find_spec("torch") is not None


async def _begun(folder: Path, *arguments: str, before: Sequence[str] = ()) -> Process:
    return await asyncio.create_subprocess_exec(
        *before,
        *("/usr/bin/env", f"TROUPE_HOME={folder}", sys.executable, "-m", "bot", "experts"),
        *("--models", str(folder), "--port", "0", *arguments),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        start_new_session=True,
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


@needs_strace
@pytest.mark.limit(180)  # building the models included
@pytest.mark.skipif(not LOCAL, reason="the extra [local] is not installed")
async def test_neither_the_server_nor_its_models_call_home(models: Path, tmp_path: Path) -> None:
    log = tmp_path / "calls"
    image = {"data": picture().data, "headers": {"Content-Type": "image/png"}}
    words = {"json": {"inputs": "hello"}}
    program = await _begun(models, before=trace(log))
    assert program.stderr is not None
    told = (await program.stderr.readline()).decode()
    base = next(word for word in told.split() if word.startswith("http")).rstrip(",")

    async with aiohttp.ClientSession() as session:
        for model in ("classifier", "writer", "picture-classifier"):
            content: Any = image if "picture" in model else words
            async with session.post(f"{base}/models/tiny/{model}", **content) as response:
                assert response.status == 200, await response.text()
    os.killpg(program.pid, signal.SIGTERM)
    _, said = await program.communicate()

    assert program.returncode == 0, said
    assert list_strangers(log) == []
    assert "sendto(" in log.read_text()


async def _first_worker(base: str) -> int:
    """Its process, which the first request starts."""
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/models/broken", json={"inputs": "x"}) as response:
            assert response.status == 500
        async with session.get(f"{base}/health") as response:
            return int((await response.json())["workers"][0]["pid"])
