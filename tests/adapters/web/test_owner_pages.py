"""What the owner sees and does over the API, and that nobody else does."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot.places import LLM
from pipeline.codec import dump
from pipeline.domain import (
    Apologised,
    Attempt,
    ChannelSettings,
    Event,
    Failed,
    LocalizedText,
    ModelCall,
    Run,
    RunState,
    SentPrompt,
)
from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.messages import ELSEWHERE, THREAD
from tests.contracts.runs import done, failed, run

SORRY = Apologised(LocalizedText("apology-bug", {"reference": "0123abcd"}), "0123abcd")
BROKEN = replace(
    run("0123abcd4567", failed(), state=RunState.APOLOGISED),
    answer=None,
    error="ZeroDivisionError",
    trace="Traceback …\nZeroDivisionError: by nought\n",
    seconds={"queued": 0.5, "plan": 1.25},
    calls=(
        ModelCall("org/chat", took=1.0, prompt_tokens=100, completion_tokens=10, cost=0.01),
        ModelCall("org/chat", took=1.0, error="llm-busy"),
    ),
)


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


async def keep(scene: WebScene, *runs: Run, reason: Event = SORRY) -> None:
    for each in runs:
        thread = ELSEWHERE if each.id == "elsewhere" else THREAD
        await scene.records.history.keep(each, thread, None, [(0, dump(reason, Event))])


async def get(scene: WebScene, path: str, status: int = 200, **query: str) -> Any:
    async with scene.page.get(f"/api/owner/{path}", params=query) as response:
        assert response.status == status, await response.text()
        return await response.json()


async def post(scene: WebScene, path: str, status: int = 200, **body: object) -> Any:
    async with scene.page.post(f"/api/owner/{path}", json=body) as response:
        assert response.status == status, await response.text()
        return await response.json()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "status"),
        ("GET", "checks"),
        ("POST", "checks"),
        ("GET", "runs"),
        ("GET", "runs/0123abcd"),
        ("GET", "runs/0123abcd/steps/1"),
        ("GET", f"files/{'0' * 64}/a"),
        ("GET", "channels"),
        ("POST", "channels"),
        ("GET", "storage"),
        ("POST", "sweep"),
    ],
)
async def test_nobody_but_the_owner_is_answered(method: str, path: str) -> None:
    async with web_scene(owner_token="the owner's own") as scene:
        await keep(scene, BROKEN)
        async with scene.page.request(method, f"/api/owner/{path}") as response:
            assert response.status == 403
            assert (await response.json())["type"].endswith(":web-owner-only")

        assert scene.administration.sweeps == 0
        assert scene.administration.checkup is None


async def test_the_owner_is_answered_by_their_token_alone() -> None:
    async with web_scene(token="of all", owner_token="the owner's own") as scene:
        for token, status in (("of all", 403), ("the owner's own", 200), ("wrong", 401)):
            headers = {"Authorization": f"Bearer {token}"}
            async with scene.page.get("/api/owner/storage", headers=headers) as response:
                assert response.status == status


async def test_the_status_is_that_of_the_command(scene: WebScene) -> None:
    assert (await get(scene, "status"))["running"]["ready"]
    await get(scene, "status", 400, since="never")


async def test_what_does_not_work_comes_with_what_mends_it(scene: WebScene) -> None:
    assert await get(scene, "checks") == {"at": None, "findings": [], "tasks": []}

    checked = await post(scene, "checks")

    (finding,) = checked["findings"]
    assert (finding["good"], finding["mend"], finding["why"]) == (False, "mend it", "broken")
    (task,) = checked["tasks"]
    assert (task["kind"], task["model"], bool(task["problem"])) == ("text-to-image", "", True)
    assert await get(scene, "checks") == checked


async def test_runs_are_listed_with_what_went_wrong(scene: WebScene) -> None:
    await keep(scene, run("elsewhere", done()), BROKEN)
    scene.administration.running.append({"run": "now", "channel": "slack:T1:C1", "stage": "plan"})

    page = await get(scene, "runs")
    wrong = await get(scene, "runs", failed="true", words="nought")
    (listed,) = (await get(scene, "runs", failed="true", words="zerodiv"))["runs"]

    assert [each["run"] for each in page["runs"]] == ["0123abcd4567", "elsewhere"]
    assert [each["run"] for each in page["live"]] == ["now"]
    assert wrong["runs"] == []
    assert (listed["reference"], listed["failed"], listed["kinds"]) == (
        "0123abcd",
        True,
        ["image-to-text"],
    )
    assert (listed["seconds"], listed["calls"], listed["tokens"], listed["cost"]) == (
        1.75,
        2,
        110,
        0.01,
    )


async def test_runs_come_a_page_at_a_time_and_by_filters(scene: WebScene) -> None:
    await keep(scene, run("run1"), run("run2"), run("elsewhere"))

    first = await get(scene, "runs", limit="2")
    second = await get(scene, "runs", limit="2", after=first["next"])
    there = await get(scene, "runs", place="C2", platform="slack")

    assert len(first["runs"]) == 2
    assert len(second["runs"]) == 1
    assert (second["live"], second["next"]) == ([], "")
    assert [each["run"] for each in there["runs"]] == ["elsewhere"]


@pytest.mark.parametrize(
    "query",
    [
        {"state": "odd"},
        {"limit": "0"},
        {"since": "x"},
        {"until": "0.5"},
        {"since": "2026-01-02T10:00"},
        {"after": "x"},
        {"words": "w" * 201},
    ],
)
async def test_a_query_that_does_not_fit_is_refused(query: dict[str, str], scene: WebScene) -> None:
    await get(scene, "runs", 400, **query)


async def test_the_cause_is_found_by_the_reference_in_one_step(scene: WebScene) -> None:
    await keep(scene, BROKEN)
    await scene.records.history.keep_prompts(
        BROKEN.id, [SentPrompt("org/chat", "what is this?", "a cat")]
    )

    found = await get(scene, "runs/0123abcd")

    assert (found["run"], found["error"]) == ("0123abcd4567", "ZeroDivisionError")
    assert found["trace"].endswith("by nought\n")
    assert found["stages"] == {"queued": 0.5, "plan": 1.25}
    assert [call["error"] for call in found["model_calls"]] == [
        "",
        "org/chat is overloaded at the moment",
    ]
    assert found["prompts"] == [{"model": "org/chat", "text": "what is this?", "reply": "a cat"}]
    assert found["message"] == BROKEN.text
    assert found["record"]["answer"]["error"]


async def test_a_step_of_any_run_has_its_details(scene: WebScene) -> None:
    made = run("0123abcd4567", done(letter="a"), shown="a")
    await scene.records.history.keep(made, THREAD)

    step = await get(scene, "runs/0123abcd/steps/1")

    record = (await get(scene, "runs/0123abcd"))["record"]

    assert step["task"] == "image-to-text"
    (output,) = step["outputs"]
    for file in (output["file"], *record["answer"]["files"]):
        assert file["url"] == f"/api/owner/files/{'a' * 64}/a.png"
    await get(scene, "runs/0123abcd/steps/9", 404)
    await get(scene, "runs/0123abcd/steps/x", 404)


async def test_a_request_that_hit_a_bug_is_found_by_its_reference(scene: WebScene) -> None:
    scene.administration.channels["odd"] = ChannelSettings()
    async with scene.page.get("/api/owner/channels") as response:
        assert response.status == 500
        reference = (await response.json())["reference"]

    found = (await get(scene, f"runs/{reference}"))["request"]

    assert (found["path"], found["error"]) == ("/api/owner/channels", "TypeError")
    assert found["trace"]


async def test_files_of_all_conversations_are_shown(scene: WebScene) -> None:
    file = await scene.cupboard.put(b"some words")

    async with scene.page.get(f"/api/owner/files/{file}/a.txt") as response:
        assert (response.status, await response.read()) == (200, b"some words")
    async with scene.page.get(f"/files/{file}/a.txt") as response:
        assert response.status == 404


async def test_a_run_that_has_not_ended_is_found_by_its_reference(scene: WebScene) -> None:
    now = {"run": "0123abcd4567", "channel": "slack:T1:C1", "stage": "execute", "steps": []}
    scene.administration.running.append(now)

    assert await get(scene, "runs/0123abcd") == {"live": now}
    await get(scene, "runs/ffffffff", 404)
    await get(scene, "runs/x%25", 404)


async def test_changes_of_channels_are_told_before_they_are_made(scene: WebScene) -> None:
    both = ["slack:T1:C1", "slack:T1:C2"]
    wanted = {"mention": "always"}

    told = await post(scene, "channels", channels=both, changes=wanted, preview=True)
    kept = {key: each.mention for key, each in scene.administration.channels.items()}
    made = await post(scene, "channels", channels=both, changes=wanted)
    listed = await get(scene, "channels")

    change = {"channel": "slack:T1:C2", "name": "mention", "before": "", "after": "always"}
    assert told == {"changes": [change], "done": False}
    assert kept == {"slack:T1:C1": "always", "slack:T1:C2": ""}
    assert made == {"changes": [change], "done": True}
    assert [each["settings"]["mention"] for each in listed["channels"]] == ["always", "always"]
    assert listed["settings"] == [{"name": "mention", "choices": ["always", "threads"]}]


@pytest.mark.parametrize(
    "body",
    [
        {"channels": ["slack:T1:C1"], "changes": {"mention": "sometimes"}},
        {"channels": [], "changes": {"mention": "always"}},
        {"channels": ["slack:T1:C1"], "changes": {}},
        {"channels": ["slack:T1:C1"], "changes": {"mention": 1}},
        {"channels": ["nowhere"], "changes": {"mention": "always"}},
        {"channels": ["slack:T1:C1"] * 201, "changes": {"mention": "always"}},
    ],
)
async def test_changes_that_do_not_fit_are_refused(body: dict[str, Any], scene: WebScene) -> None:
    before = dict(scene.administration.channels)

    await post(scene, "channels", status=400, **body)

    assert scene.administration.channels == before


async def test_channels_come_a_page_at_a_time(scene: WebScene) -> None:
    first = await get(scene, "channels", limit="1")
    second = await get(scene, "channels", limit="1", after=first["next"])

    assert [each["channel"] for each in first["channels"]] == ["slack:T1:C1"]
    assert [each["channel"] for each in second["channels"]] == ["slack:T1:C2"]
    assert second["next"] == ""


async def test_what_is_due_is_told_and_swept(scene: WebScene) -> None:
    before = await get(scene, "storage")
    after = await post(scene, "sweep")

    assert (before["tables"][0]["due"], before["swept_at"]) == (2, None)
    assert after["tables"][0]["due"] == 1
    assert after["swept_at"]


async def test_an_answer_with_a_failed_step_says_how_many_failed(scene: WebScene) -> None:
    await keep(scene, run("partly", failed(), state=RunState.ANSWERED))

    (listed,) = (await get(scene, "runs"))["runs"]

    assert (listed["state"], listed["failed_steps"]) == ("answered", 1)


async def test_the_same_cause_is_told_once(scene: WebScene) -> None:
    away = LocalizedText("llm-unreachable", {"model": "org/chat"})
    tried = (Attempt(model="org/chat", place=LLM, took=1.0, error=away),)
    call = ModelCall("org/chat", error="llm-unreachable")
    await keep(scene, replace(run("away", Failed(away, tried)), calls=(call,)))

    (listed,) = (await get(scene, "runs"))["runs"]

    assert listed["problems"] == "org/chat could not be reached"
