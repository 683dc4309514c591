"""What was said to be kept is there after the program was killed."""

import asyncio
import sys
from pathlib import Path

import pytest

from adapters.store import open_persistence
from pipeline.domain import RunId

ROOT = Path(__file__).parents[3]


async def promises(url: str, begin: int, number: int) -> list[tuple[str, str]]:
    """What the program said in so many lines, before it was killed in the middle of its work."""
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.adapters.store.killed_program", url, str(begin)),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert program.stdout is not None
    lines = [await program.stdout.readline() for _ in range(number)]
    program.kill()
    rest, _ = await program.communicate()
    whole = b"".join((*lines, rest)).decode().splitlines()
    return [(what, run) for what, _, run in (line.partition(" ") for line in whole) if run]


@pytest.mark.program
async def test_nothing_that_was_promised_is_lost_when_the_program_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    accepted: set[str] = set()
    recorded: set[str] = set()
    for begin, number in ((0, 7), (1000, 111)):
        for what, run in await promises(url, begin, number):
            (accepted if what == "accepted" else recorded).add(run)

    async with open_persistence(url) as kept:
        waiting = set(await kept.inbox.list_waiting())
        steps = {run for run in recorded if await kept.journal.recall(RunId(run))}

    assert len(accepted) > 50
    assert accepted <= waiting
    assert steps == recorded
