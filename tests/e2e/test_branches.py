"""The whole program: edits and retries are branches, each of which knows only what leads to it."""

import base64
import io
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from PIL import Image

from tests.e2e.forked import forked

WIDE = (64, 32)
TALL = (32, 64)
_COLOURS = [*range(256), *range(255, -1, -1), *([90] * 256)]


async def test_edits_and_retries_are_branches_that_know_only_what_leads_to_them(
    tmp_path: Path,
) -> None:
    async with forked(tmp_path) as (_, address), ClientSession(address) as session:
        sent = {"name": "cat.png", "data_base64": _picture()}
        first = await _ask(session, "blur this picture", attachments=[sent])
        place = {"thread": first["thread"]}
        second = await _ask(session, "make it black and white", **place)
        (file,) = (await _show(session, first))["runs"][0]["files"]
        kept = [{"url": file["url"]}]

        edited = await _ask(
            session, "rotate this picture by 90 degrees", after="", attachments=kept, **place
        )
        follow_up = await _ask(session, "make it black and white", **place)
        again = await _press(session, second, "retry")

        shown = await _show(session, first)
        assert _list(shown) == [first["run"], again]
        assert shown["runs"][1]["answers"] == [second["run"], again]
        assert shown["runs"][0]["edits"] == [first["run"], edited["run"]]
        other = await _show(session, first, f"?at={edited['run']}")
        assert _list(other) == [edited["run"], follow_up["run"]]
        assert [each["called"] for each in other["runs"][0]["files"]] == ["image 1"]
        assert await _measure(session, second) == await _measure(session, first) == WIDE
        assert await _measure(session, follow_up) == await _measure(session, edited) == TALL


def _picture() -> str:
    written = io.BytesIO()
    Image.radial_gradient("L").resize(WIDE).convert("RGB").point(_COLOURS).save(written, "PNG")
    return base64.b64encode(written.getvalue()).decode()


async def _ask(session: ClientSession, text: str, **more: object) -> dict[str, Any]:
    async with session.post("/api/chat", json={"text": text, **more}) as response:
        assert response.status == 200, await response.text()
        return dict(await response.json())


async def _press(session: ClientSession, answer: dict[str, Any], action: str) -> str:
    """Press a button, and wait for the answer of the run that begins."""
    async with session.post(f"/api/runs/{answer['run']}/{action}") as response:
        run = str((await response.json())["run"])
    async with session.get(f"/api/runs/{run}/events") as response:
        await response.read()
    return run


async def _show(session: ClientSession, answer: dict[str, Any], query: str = "") -> dict[str, Any]:
    async with session.get(f"/api/threads/{answer['thread']}{query}") as response:
        return dict(await response.json())


def _list(shown: dict[str, Any]) -> list[str]:
    return [each["run"] for each in shown["runs"]]


async def _measure(session: ClientSession, answer: dict[str, Any]) -> tuple[int, int]:
    async with session.get(answer["files"][0]["url"]) as response:
        return Image.open(io.BytesIO(await response.read())).size
