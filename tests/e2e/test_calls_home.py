"""Nothing that Troupe runs talks to anybody unasked: neither libraries nor the program."""

import asyncio
import base64
import sys
from pathlib import Path

import pytest

from tests.e2e.everyday import FILES
from tests.e2e.program import ROOT, at_work, environment
from tests.tracing import list_strangers, needs_strace, trace

_CALL = "import socket; socket.socket(type=socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
_TALKATIVE = ("/bin/sh", "-c", '"$0" -c "$1"; true', sys.executable, _CALL)
"""A program whose child is about to send something."""
_EVERY_KIND = (sys.executable, "-m", "tests.adapters.embedded.experts.every_kind")


async def _run(*command: str, home: Path, **settings: str) -> None:
    given = {**environment(home, settings), "HOME": str(home)}  # without CI, which quietens some
    program = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=given)
    assert await program.wait() == 0


@needs_strace
async def test_what_a_child_process_says_to_others_is_seen(tmp_path: Path) -> None:
    await _run(*trace(tmp_path / "calls"), *_TALKATIVE, home=tmp_path)

    assert list_strangers(tmp_path / "calls") == ["192.0.2.1"]


@needs_strace
@pytest.mark.limit(120)
async def test_no_library_of_an_expert_calls_home_or_leaves_traces(tmp_path: Path) -> None:
    home, log = tmp_path / "home", tmp_path / "calls"
    home.mkdir()

    # matplotlib keeps what it knows of fonts; in a worker, in the worker's own folder
    own = {"MPLCONFIGDIR": str(tmp_path / "fonts")}

    await _run(*trace(log), *_EVERY_KIND, "here", home=home, **own)

    assert list_strangers(log) == []
    assert list(home.iterdir()) == []


@pytest.mark.limit(120)
async def test_every_embedded_expert_works_in_the_sandbox(tmp_path: Path) -> None:
    await _run(*_EVERY_KIND, "workers", home=tmp_path)


@needs_strace
@pytest.mark.limit(120)
async def test_the_page_and_the_doctor_answer_without_a_word_to_others(tmp_path: Path) -> None:
    page, doctor = tmp_path / "page", tmp_path / "doctor"
    name, _, make = FILES["receipt"]
    receipt = {"name": name, "data_base64": base64.b64encode(make()).decode()}

    async with at_work(tmp_path / "home", before=trace(page)) as program:
        answer = await program.ask("Read the text in this picture", attachments=[receipt])
    await _run(*trace(doctor), sys.executable, "-m", "bot", "doctor", home=tmp_path / "other")

    assert "30.75" in answer["message"]
    assert list_strangers(page) + list_strangers(doctor) == []
    assert "sendto(" in page.read_text()  # within the program
