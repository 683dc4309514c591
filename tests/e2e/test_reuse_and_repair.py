"""The whole program: faulty plans are requested again with the error, results are reused."""

import json
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.e2e.forked import forked
from tests.fakes.known_experts import known_experts
from tests.servers.experts.server import experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.words import english

SUM_UP = {"task": "summarization", "id": 0, "dep": [-1], "args": {"text": "A long story."}}
TRANSLATED = {
    "task": "translation",
    "id": 1,
    "dep": [0],
    "args": {"text": "<GENERATED>-0", "language": "de"},
}
WRONG = {"task": "mind-reading", "id": 1, "dep": [-1], "args": {"text": "?"}}


async def test_a_story_is_summed_up_once_in_its_thread_also_after_a_kill_and_anew_on_retry(
    tmp_path: Path,
) -> None:
    def planned(asked: Asked) -> str:
        if "response_format" not in asked.body:
            return "Done."
        return json.dumps([SUM_UP, TRANSLATED] if "And in German?" in asked.texts[-1] else [SUM_UP])

    async with (
        openai_at_work(OpenAiServer(reply=planned)) as llm,
        experts_at_work(known_experts()) as experts,
        ClientSession() as session,
    ):
        settings = {
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
        }
        async with forked(tmp_path, **settings) as (_, address):
            first = await _said(session, address, "Sum it up: A long story.")
        async with forked(tmp_path, **settings) as (_, address):
            second = await _said(session, address, "And in German?", first["thread"])
            async with session.post(f"{address}/api/runs/{second['run']}/details") as pressed:
                details = (await pressed.json())["text"]
            calls = [asked.kind for asked in experts.asked]
            await _again(session, address, second["run"])

    assert calls == ["summarization", "translation"]
    assert [outcome["taken"] for outcome in second["outcomes"]] == [english("taken-earlier"), ""]
    assert second["outcomes"][0]["model"] == first["outcomes"][0]["model"]
    assert "reused from earlier" in details
    assert [asked.kind for asked in experts.asked[2:]] == ["summarization", "translation"]


async def test_an_error_in_a_plan_is_quoted_once_and_what_is_still_wrong_is_left_out_and_told(
    tmp_path: Path,
) -> None:
    replies = [json.dumps([SUM_UP, WRONG]), json.dumps([SUM_UP, TRANSLATED])]
    stubborn = [json.dumps([SUM_UP, WRONG])] * 2
    async with (
        openai_at_work(OpenAiServer(reply=lambda _: "Done.")) as llm,
        experts_at_work(known_experts()) as experts,
        ClientSession() as session,
    ):
        settings = {
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
        }
        async with forked(tmp_path, **settings) as (_, address):
            llm.replies += replies
            mended = await _said(session, address, "Sum it up, then in German: A long story.")
            quoted = llm.chats[1].texts[-1]
            llm.replies += stubborn
            left_out = await _said(session, address, "Read my mind and sum up: A long story.")

    assert "mind-reading" in quoted
    assert [outcome["kind"] for outcome in mended["outcomes"]] == ["summarization", "translation"]
    assert mended["notices"] == []
    assert [outcome["kind"] for outcome in left_out["outcomes"]] == ["summarization"]
    assert any("mind-reading" in notice for notice in left_out["notices"])


async def _said(
    session: ClientSession, address: str, text: str, thread: str = ""
) -> dict[str, Any]:
    body = {"text": text} | ({"thread": thread} if thread else {})
    async with session.post(f"{address}/api/chat", json=body) as response:
        told: dict[str, Any] = await response.json()
    assert response.status == 200, told
    return told


async def _again(session: ClientSession, address: str, run: str) -> None:
    """Press Retry and wait for the new run to end."""
    async with session.post(f"{address}/api/runs/{run}/retry") as pressed:
        new = (await pressed.json())["run"]
    async with session.get(f"{address}/api/runs/{new}/events") as events:
        await events.read()
