import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from adapters.web.idempotency import HEADER, MAX_KEY
from tests.adapters.web.asking import answered, get, post, story, whole
from tests.adapters.web.scene import WebScene, web_scene
from tests.fakes.persistence import FakeCache
from tests.words import english

HELLO = {"text": "hello", "attachments": [{"name": "a.txt", "data_base64": "QUJD"}]}


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


async def send(scene: WebScene, body: Any, key: str = "k-1") -> tuple[int, dict[str, Any]]:
    return await post(scene, "/api/chat", body, **{HEADER: key, "Prefer": "respond-async"})


async def test_the_same_key_gives_the_same_run(scene: WebScene) -> None:
    first = await send(scene, HELLO)
    again = await send(scene, HELLO)
    other_key = await send(scene, HELLO, "k-2")

    assert first == again != other_key
    assert len(scene.listener.received) == 2


async def test_the_answer_comes_again_with_the_key(scene: WebScene) -> None:
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(post(scene, "/api/chat", HELLO, **{HEADER: "k"}))
        message, run = await scene.listener.next()
        again = group.create_task(post(scene, "/api/chat", HELLO, **{HEADER: "k"}))
        await scene.chat.follow(message, run, story(whole("Hi.")))

    assert waiting.result() == again.result()
    assert again.result()[1]["message"] == "Hi."


async def test_two_at_once_begin_one_run(scene: WebScene) -> None:
    async with asyncio.TaskGroup() as group:
        sent = [group.create_task(send(scene, HELLO)) for _ in range(5)]

    assert len({task.result()[1]["run"] for task in sent}) == 1
    assert len(scene.listener.received) == 1


async def test_a_key_counts_after_a_restart() -> None:
    cache = FakeCache()
    names = []
    for _ in range(2):
        async with web_scene(cache) as scene:
            scene.page.cookie_jar.clear()  # programs stay the same person
            _, told = await send(scene, HELLO)
            names.append((scene.listener.received[0][0].key, told["thread"]))

    assert names[0] == names[1]


@pytest.mark.parametrize(
    "other",
    [
        {"text": "other"},
        {**HELLO, "attachments": [{"name": "a.txt", "data_base64": "QUJE"}]},
        {**HELLO, "attachments": [{"name": "b.txt", "data_base64": "QUJD"}]},
    ],
)
async def test_a_key_with_another_message_is_refused(scene: WebScene, other: Any) -> None:
    await send(scene, HELLO)

    status, told = await send(scene, other)

    assert (status, told["detail"]) == (422, english("web-key-used"))
    assert len(scene.listener.received) == 1


async def test_a_key_is_one_persons(scene: WebScene) -> None:
    _, first = await send(scene, HELLO)
    scene.page.cookie_jar.clear()  # now a program

    status, second = await send(scene, {"text": "mine"})

    assert (status, second["run"] != first["run"]) == (202, True)


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * (MAX_KEY + 1)])
async def test_a_malformed_key_is_refused(scene: WebScene, key: str) -> None:
    status, told = await send(scene, HELLO, key)

    assert (status, told["detail"]) == (400, english("web-bad-key", limit=MAX_KEY))
    assert scene.listener.received == []


async def test_a_button_is_pressed_under_the_id_of_its_key(scene: WebScene) -> None:
    _, told = await answered(scene, {"text": "x"}, whole())
    path = f"/api/runs/{told['run']}"

    for _ in range(2):
        assert (await post(scene, f"{path}/retry", {}, **{HEADER: "k"}))[0] == 200
    status, _ = await post(scene, f"{path}/up", {}, **{HEADER: "k"})

    first, second = scene.listener.presses
    assert first.id == second.id
    assert status == 422
    assert (await get(scene, path))[0] == 200
