"""New settings take effect in the running program, and nothing is lost meanwhile."""

import asyncio
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.e2e.program import at_work
from tests.servers.openai import OpenAiServer, openai_at_work
from tests.servers.openai.server import Asked

KEY = "sk-a-key-of-a-test-123"


def _say(words: str) -> OpenAiServer:
    """A model that plans nothing and says this."""

    def reply(asked: Asked) -> str:
        return '{"tasks": []}' if "response_format" in asked.body else words

    return OpenAiServer(reply=reply)


async def _enter(session: ClientSession, server: OpenAiServer) -> dict[str, Any]:
    """Enter the key of a server; returns once the settings were read anew."""
    async with session.get("/api/setup") as response:
        before = (await response.json())["generation"]
    fields = {"key": KEY, "provider": "other", "address": server.base}
    async with session.post("/api/setup/key", json={"fields": fields}) as response:
        result: dict[str, Any] = await response.json()
    if result["renews"]:
        await _wait_for_another(session, before)
    return result


async def _wait_for_another(session: ClientSession, generation: str) -> dict[str, Any]:
    async with asyncio.timeout(10):
        while True:
            try:
                async with session.get("/api/setup") as response:
                    status: dict[str, Any] = await response.json()
                if status["generation"] != generation:
                    return status
            except OSError:  # it is being opened
                pass
            await asyncio.sleep(0.05)


async def _wait_for_end(session: ClientSession, run: str) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while True:
            async with session.get(f"/api/runs/{run}") as response:
                record: dict[str, Any] = await response.json()
            if not record["live"]:
                return record
            await asyncio.sleep(0.05)


async def test_a_key_is_in_use_at_once_and_undone_at_once(tmp_path: Path) -> None:
    async with (
        openai_at_work(_say("Roses are red.")) as model,
        at_work(tmp_path / "home", folder=tmp_path) as troupe,
        ClientSession(troupe.address) as session,
    ):
        bare = await troupe.ask("Write a poem about roses")
        result = await _enter(session, model)
        poem = await troupe.ask("Write a poem about roses")
        async with session.get("/api/setup") as response:
            generation = (await response.json())["generation"]
        async with session.post("/api/setup/undo", json={}):
            pass
        status = await _wait_for_another(session, generation)
        again = await troupe.ask("Write a poem about roses")

    assert (result["good"], bare["message"], again["message"]) == (
        True,
        again["message"],
        bare["message"],
    )
    assert poem["message"] == "Roses are red."
    assert status["undo"] == []
    assert not (tmp_path / ".env").exists()
    assert KEY not in "".join(troupe.lines)


async def test_a_run_in_flight_goes_on_with_the_new_settings(tmp_path: Path) -> None:
    old, new = _say("From the old one."), _say("Hello!")
    async with openai_at_work(old), openai_at_work(new):
        (tmp_path / ".env").write_text(f"OPENAI_BASE_URL={old.base}\nOPENAI_API_KEY=sk-old\n")
        async with (
            at_work(tmp_path / "home", folder=tmp_path, TROUPE_LLM_SEES_IMAGES="false") as troupe,
            ClientSession(troupe.address) as session,
        ):
            old.latency = 300
            headers = {"Prefer": "respond-async"}
            async with session.post(
                "/api/chat", json={"text": "Write a poem about roses"}, headers=headers
            ) as response:
                accepted = await response.json()
            await _enter(session, new)
            run = await _wait_for_end(session, accepted["run"])
            async with session.get(f"/api/threads/{accepted['thread']}") as response:
                runs = (await response.json())["runs"]

    assert run["answer"]["message"] == "Hello!"
    assert [each["run"] for each in runs] == [accepted["run"]]


async def test_settings_that_do_not_start_are_put_back_and_told(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    before = f"TROUPE_HOME={tmp_path}/home\n"
    (tmp_path / ".env").write_text(before)
    async with (
        openai_at_work(_say("Hello!")) as model,
        at_work(Path(), folder=tmp_path, TROUPE_HOME="") as troupe,
        ClientSession(troupe.address) as session,
    ):
        edited = f'TROUPE_HOME="{tmp_path}/a file/home"\n'
        (tmp_path / ".env").write_text(edited)
        result = await _enter(session, model)
        async with session.get("/api/setup") as response:
            status = await response.json()
        answer = await troupe.ask("thank you!")

    assert result["renews"]
    assert "a file" in status["problem"]
    assert answer["status"] == 200
    assert (tmp_path / ".env").read_text() == edited
