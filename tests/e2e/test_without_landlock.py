"""On a kernel without Landlock the program works, and says what is lacking."""

import asyncio
import base64
import sys
from pathlib import Path

import pytest

from tests.adapters.workers.old_kernel import LANDLOCK
from tests.e2e.program import ROOT, at_work, environment
from tests.fakes.jobs import picture

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the sandbox")
_LACKING = (sys.executable, "-m", "tests.adapters.workers.old_kernel", str(LANDLOCK), "--")


async def test_without_landlock_the_program_works_and_says_so_once(tmp_path: Path) -> None:
    image = {"name": "red.png", "data_base64": base64.b64encode(picture().data).decode()}
    async with at_work(tmp_path, before=_LACKING) as program:
        answer = await program.ask("Draw the edges of this picture", attachments=[image])
        lines = [line for line in program.lines if "not fully confined" in line]

    assert answer["status"] == 200
    assert answer["files"]
    assert len(lines) == 1
    assert "Landlock" in lines[0]
    assert "seccomp" not in lines[0]


async def test_without_landlock_the_doctor_tells_what_is_reached(tmp_path: Path) -> None:
    given = environment(tmp_path, {"TROUPE_PLACES": "hosted,llm,local"})

    doctor = await asyncio.create_subprocess_exec(
        *(*_LACKING, sys.executable, "-m", "bot", "doctor"),
        cwd=ROOT,
        env=given,
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await doctor.communicate()

    assert doctor.returncode == 1
    line = next(line for line in told.decode().splitlines() if "Landlock" in line)
    assert line.startswith("FIX ")
    assert "files" in line
    assert "network" not in line
