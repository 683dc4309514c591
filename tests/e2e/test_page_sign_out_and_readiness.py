"""The page with the program in its own process: signing everybody out, and readiness."""

import asyncio
import sys
from pathlib import Path

import aiohttp

from tests.e2e.program import ROOT, at_work, environment

TOKEN = "correct horse battery staple"


async def sign_everybody_out(home: Path) -> None:
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "sign-out"),
        cwd=ROOT,
        env=environment(home, {}),
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert await command.wait() == 0


async def test_one_command_signs_everybody_out_while_the_program_runs(tmp_path: Path) -> None:
    await sign_everybody_out(tmp_path)  # before anybody was there: harmless
    async with at_work(tmp_path, TROUPE_WEB_TOKEN=TOKEN) as program:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(program.address, cookie_jar=jar) as page:
            async with page.post("/login", data={"token": TOKEN}) as response:
                assert "app.js" in await response.text()

            await sign_everybody_out(tmp_path)

            async with page.get("/metrics") as response:
                assert response.status == 401
            async with page.post("/login", data={"token": TOKEN}) as response:
                assert "app.js" in await response.text()


async def test_a_database_that_is_damaged_meanwhile_is_not_ready(tmp_path: Path) -> None:
    async with (
        at_work(tmp_path) as program,
        aiohttp.ClientSession(program.address) as page,
    ):
        async with page.get("/readyz") as response:
            assert await response.json() == {"status": "ready"}

        file, told = tmp_path / "troupe.db", dict[str, dict[str, str]]()
        file.write_bytes(b"\xff" * file.stat().st_size)
        async with asyncio.timeout(30):
            while not told.get("down"):
                async with page.get("/readyz") as response:
                    told = await response.json()

        assert response.status == 503
        assert set(told["down"]) == {"database"}
