"""The whole program: what was forgotten is nowhere to be seen any more, neither in the store nor in what the page remembers."""

from pathlib import Path

import pytest
from aiohttp import ClientSession

from tests.e2e.program import at_work


@pytest.mark.parametrize("scope", ["me", "thread", "channel"])
async def test_what_was_forgotten_is_not_shown_from_memory_either(
    scope: str, tmp_path: Path
) -> None:
    async with at_work(tmp_path) as program, ClientSession() as session:
        first = await program.ask("hello, this is secret")
        seen = [f"/api/threads/{first['thread']}", f"/api/runs/{first['run']}"]
        before = [await _told(session, program.address + path) for path in seen]
        await program.ask(f"forget {scope}", thread=first["thread"])
        after = [await _told(session, program.address + path) for path in seen]
        program.kill()

    assert all(first["message"] in told for told in before)
    assert not any("secret" in told or first["run"] in told for told in after)


async def _told(session: ClientSession, address: str) -> str:
    async with session.get(address) as response:
        return await response.text()
