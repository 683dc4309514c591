"""The whole program: forgotten data is gone: from the store, the files and the page's memory."""

import base64
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.e2e.forked import forked


async def test_what_was_forgotten_is_not_shown_from_memory_either(tmp_path: Path) -> None:
    async with forked(tmp_path) as (_, address), ClientSession(address) as session:
        for scope in ("me", "thread", "channel"):
            first = await _ask(session, "hello, this is secret")
            seen = [f"/api/threads/{first['thread']}", f"/api/runs/{first['run']}"]
            before = [await _told(session, path) for path in seen]
            await _ask(session, f"forget {scope}", thread=first["thread"])
            after = [await _told(session, path) for path in seen]

            assert all(first["message"] in told for told in before), scope
            assert not any("secret" in told or first["run"] in told for told in after), scope


async def test_an_upload_is_deleted_with_its_conversation_even_at_once(tmp_path: Path) -> None:
    upload = {"name": "a.txt", "data_base64": base64.b64encode(b"a secret").decode()}

    async with forked(tmp_path) as (_, address), ClientSession(address) as session:
        first = await _ask(session, "hello", attachments=[upload])
        before = list_files(tmp_path)
        await _ask(session, "forget thread", thread=first["thread"])

    assert len(before) == 1
    assert not list_files(tmp_path)


def list_files(home: Path) -> list[Path]:
    return list(home.glob("files/??/??/*"))


async def _ask(session: ClientSession, text: str, **more: object) -> dict[str, Any]:
    async with session.post("/api/chat", json={"text": text, **more}) as response:
        return dict(await response.json())


async def _told(session: ClientSession, path: str) -> str:
    async with session.get(path) as response:
        return await response.text()
