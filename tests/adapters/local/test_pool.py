"""Workers and models: one load, one place, one limit; crashes, stops and queues."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from adapters.local.options import ExpertServerOptions
from adapters.local.server import run_server
from tests.adapters.local.conftest import (
    PLAYED,
    Begin,
    Client,
    environment_of,
    model_on_disk,
    until,
    until_waiting,
)
from tests.words import english


async def test_a_model_asked_for_by_many_at_once_is_loaded_once(begin: Begin) -> None:
    client = await begin(workers=2)
    client.add("echo")

    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(client.ask("echo", f"{i}")) for i in range(20)]

    assert [task.result()[1][0]["generated_text"] for task in asked] == [str(i) for i in range(20)]
    assert len({task.result()[1][0]["pid"] for task in asked}) == 1
    assert client.loads("echo") == 1


async def test_kinds_of_one_family_share_the_loaded_model(client: Client) -> None:
    path = client.add("echo")
    (path / "go").touch()

    await client.ask("echo/pipeline/text2text-generation")
    await client.ask("echo/pipeline/text-classification")

    assert client.loads("echo") == 1


async def test_another_model_is_answered_while_one_is_at_work(begin: Begin) -> None:
    client = await begin(workers=2)
    slow = client.add("slow")
    client.add("quick")

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(client.ask("slow/pipeline/text-classification"))
        await until(slow / "begun")
        status, _ = await client.ask("quick")
        (slow / "go").touch()

    assert status == 200
    assert waiting.result()[0] == 200


async def test_room_for_a_model_is_made_where_no_other_is_at_work(begin: Begin) -> None:
    client = await begin(workers=2, memory_bytes=3500)
    slow = client.add("slow", weight=100)
    for name in ("m0", "m1", "m2", "m3"):
        client.add(name)
    for name in ("m0", "m1"):
        await client.ask(name)  # each in a worker

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(client.ask("slow/pipeline/text-classification"))
        await until(slow / "begun")
        statuses = [(await client.ask(name))[0] for name in ("m2", "m3", "m2")]
        is_waiting = not waiting.done()
        (slow / "go").touch()

    assert statuses == [200] * 3
    assert is_waiting


async def test_the_memory_limit_holds_under_ten_models_and_the_longest_unused_goes(
    begin: Begin,
) -> None:
    client = await begin(workers=2, memory_bytes=3500)
    for number in range(10):
        client.add(f"m{number}", weight=1000)
    held = []

    async def ask(number: int) -> None:
        status, _ = await client.ask(f"m{number}")
        held.append(client.pool.held_bytes)
        assert status == 200

    for turn in range(3):
        async with asyncio.TaskGroup() as group:
            for number in range(10):
                group.create_task(ask((number * 7 + turn) % 10))
    for number in (1, 2, 3):
        await ask(number)
    await ask(1)
    await ask(4)

    assert max(held) <= 3500
    loaded = [model["id"] for model in await client.get("/models") if model["loaded"]]
    assert loaded == ["m1", "m3", "m4"]


async def test_a_model_in_use_is_not_evicted_but_waited_for(begin: Begin) -> None:
    client = await begin(workers=2, memory_bytes=1500)
    busy = client.add("busy")
    client.add("next")

    async with asyncio.TaskGroup() as group:
        first = group.create_task(client.ask("busy/pipeline/text-classification"))
        await until(busy / "begun")
        second = group.create_task(client.ask("next"))
        await client.get("/health")
        assert client.loads("next") == 0
        (busy / "go").touch()

    assert (first.result()[0], second.result()[0]) == (200, 200)
    assert client.pool.held_bytes == 1000


async def test_a_model_larger_than_the_limit_is_refused_as_the_hub_does(begin: Begin) -> None:
    client = await begin(workers=1, memory_bytes=1 << 20)
    client.add("big", weight=3 << 20)

    got = await client.ask("big")

    assert got == (
        403,
        {"error": english("local-model-too-large", model="big", needed="3", limit="1")},
    )


async def test_a_crash_is_500_and_the_next_call_finds_a_new_worker(client: Client) -> None:
    client.add("echo")
    await client.ask("echo")

    crashed = await client.ask("echo/pipeline/summarization")
    after, _ = await client.ask("echo")

    words = english("local-worker-lost", model="echo")
    assert crashed == (500, {"error": words})
    assert after == 200
    assert client.loads("echo") == 2


async def test_what_waited_behind_a_crash_is_still_done(client: Client) -> None:
    path = client.add("echo")

    async with asyncio.TaskGroup() as group:
        slow = group.create_task(client.ask("echo/pipeline/text-classification"))
        await until(path / "begun")
        behind = group.create_task(client.ask("echo"))
        await until_waiting(client.pool, 2)
        os.kill(client.pool.workers[0].pid or 0, signal.SIGKILL)

    assert slow.result()[0] == 500
    assert behind.result()[0] == 200
    assert client.pool.held_bytes == 1000


async def test_what_needs_too_much_memory_fails_alone(client: Client) -> None:
    client.add("echo")

    greedy = await client.ask("echo/pipeline/translation")
    after, _ = await client.ask("echo")

    assert greedy == (500, {"error": english("local-out-of-memory", model="echo")})
    assert after == 200
    assert client.loads("echo") == 1


@pytest.mark.parametrize("kind", ["text-classification", "token-classification"])
async def test_work_that_nobody_waits_for_is_stopped(kind: str, begin: Begin) -> None:
    client = await begin(workers=1, grace=0.2)
    path = client.add("echo")

    async with asyncio.TaskGroup() as group:
        leaving = group.create_task(client.ask(f"echo/pipeline/{kind}"))
        await until(path / "begun")
        leaving.cancel()
    after, _ = await client.ask("echo")

    deaf = kind == "token-classification"
    assert after == 200
    assert (path / "stopped").exists() is not deaf
    assert client.loads("echo") == (2 if deaf else 1)


async def test_who_leaves_the_queue_costs_no_work(client: Client) -> None:
    path = client.add("echo")
    other = client.add("other")

    async with asyncio.TaskGroup() as group:
        slow = group.create_task(client.ask("echo/pipeline/text-classification"))
        await until(path / "begun")
        leaving = group.create_task(client.ask("other"))
        await until_waiting(client.pool, 2)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        (path / "go").touch()

    assert slow.result()[0] == 200
    assert not (other / "loads.txt").exists()


async def test_too_much_waiting_is_429_with_a_time(begin: Begin) -> None:
    client = await begin(workers=1, max_waiting=1)
    path = client.add("echo")

    async with asyncio.TaskGroup() as group:
        slow = group.create_task(client.ask("echo/pipeline/text-classification"))
        await until(path / "begun")
        async with client.session.post(
            f"{client.base}/models/echo", json={"inputs": "x"}
        ) as response:
            refused = response.status, response.headers["Retry-After"]
        (path / "go").touch()

    assert refused == (429, "1")
    assert slow.result()[0] == 200


async def test_too_much_waiting_is_refused_before_the_body_is_read(begin: Begin) -> None:
    client = await begin(workers=1, max_waiting=1)
    path = client.add("echo")

    async def never_come() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    async with asyncio.TaskGroup() as group:
        slow = group.create_task(client.ask("echo/pipeline/text-classification"))
        await until(path / "begun")
        status, _ = await client.post("echo", data=never_come())
        (path / "go").touch()

    assert status == 429
    assert slow.result()[0] == 200


async def test_the_workers_see_what_they_are_given_and_end_with_the_server_in_the_middle_of_work(
    tmp_path: Path,
) -> None:
    path = model_on_disk(tmp_path, "echo", 1000, "T5ForConditionalGeneration")
    given = {"GIVEN": "1", "TRITON_CACHE_DIR": str(tmp_path)}
    options = ExpertServerOptions((tmp_path,), workers=1, table=PLAYED, environment=given)

    async with asyncio.TaskGroup() as group, aiohttp.ClientSession() as session:
        async with run_server(options) as server:
            url = f"{server.base}/models/echo/pipeline/text-classification"
            asked = group.create_task(_status(session, url))
            await until(path / "begun")
            pid = server.pool.workers[0].pid or 0
            seen = environment_of(pid)

        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert asked.result() != 200
    assert b"GIVEN=1" in seen
    assert b"PYTEST_CURRENT_TEST" not in seen


async def _status(session: aiohttp.ClientSession, url: str) -> int:
    try:
        async with session.post(url, json={"inputs": "x"}) as response:
            return response.status
    except aiohttp.ClientError:
        return 0
