"""The API under requests that nobody thought of, which schemathesis makes of its description."""

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.adapters.web.asking import answer_all
from tests.adapters.web.scene import WebScene, web_scene
from tests.fakes.setup import FakeSetup

CONFIG = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.program
async def test_no_request_breaks_the_api_or_its_description(tmp_path: Path) -> None:
    async with web_scene(setup=FakeSetup()) as scene, asyncio.TaskGroup() as group:
        answering = group.create_task(answer_all(scene))
        code, told = await fuzz(scene, tmp_path)
        answering.cancel()

    assert code == 0, told


async def fuzz(scene: WebScene, folder: Path) -> tuple[int, str]:
    """Run schemathesis in a folder, as the scene's browser; gives its status and what it said."""
    (session,) = scene.page.cookie_jar
    address = f"{await scene.chat.address()}/api/openapi.json"
    who = f"Cookie: {session.key}={session.value}"
    line = ("--config-file", CONFIG, "run", "--no-color", "--header", who, address)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "schemathesis.cli", *line, stdout=PIPE, stderr=STDOUT, cwd=folder
    )
    told, _ = await process.communicate()
    return process.returncode or 0, told.decode()
