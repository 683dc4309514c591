import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from pydantic import ValidationError

from adapters.web.json_body import JsonBody
from pipeline.domain import Incoming
from pipeline.errors import OverLimit, StoreUnavailable
from tests.adapters.web.asking import get, post
from tests.adapters.web.scene import WebScene, web_scene
from tests.fakes.persistence import LockedStore
from tests.words import english


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene(max_file=10_000, max_body=20_000, max_files=3) as opened:
        yield opened


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"text": ""}, 400, "Write something"),
        ({"text": "  \n "}, 400, "Write something"),
        ({}, 400, "Write something"),
        (b"{", 400, "not valid JSON"),
        (b"\xff\xfe", 400, "not valid JSON"),
        ([], 400, "not as expected"),
        ({"text": 7}, 400, "at text"),
        ({"text": "x", "colour": "red"}, 400, "at colour"),
        ({"text": "x", "thread": ["a"]}, 400, "at thread"),
        ({"text": "x", "thread": "../../etc"}, 404, "no such conversation"),
        ({"text": "x", "thread": "A" * 22}, 404, "no such conversation"),
        ({"text": "x", "attachments": [{"name": "a"}]}, 400, "both or neither"),
        ({"text": "x", "attachments": [{"name": "a", "data_base64": "§§"}]}, 400, "base64"),
        ({"text": "x", "attachments": [{"name": "a", "data_base64": ""}]}, 400, "0 bytes"),
        ({"text": "x", "attachments": [{"url": "file:///etc/passwd"}]}, 400, "'http' or 'https'"),
        ({"text": "x", "attachments": [{"url": "http://[bad"}]}, 400, "IPv6 address"),
        ({"text": "x" * 100_001}, 413, "too large"),
        ({"text": "x", "attachments": [{"url": "http://a/b"}] * 4}, 400, "at most 3"),
        (
            {"text": "x", "attachments": [{"name": "a", "data_base64": "QUFB" * 4000}]},
            413,
            "a is too large",
        ),
    ],
)
async def test_what_is_wrong_with_a_message_is_said(
    scene: WebScene, body: Any, status: int, says: str
) -> None:
    got, told = await post(scene, "/api/chat", body)

    assert (got, says in told["error"]) == (status, True), told
    assert scene.listener.received == []


def test_a_list_is_read_up_to_its_first_fault() -> None:
    with pytest.raises(ValidationError) as raised:
        JsonBody.model_validate({"attachments": [1] * 1000})

    assert raised.value.error_count() == 1


async def test_that_files_cannot_be_kept_is_said(scene: WebScene) -> None:
    scene.cupboard.is_full = True
    files = [{"name": name, "data_base64": "QUFB"} for name in ("a.txt", "b.txt")]

    status, told = await post(scene, "/api/chat", {"text": "x", "attachments": files})

    assert status == 503
    assert told["error"] == english("store-full")
    assert scene.listener.received == []


async def test_a_text_that_is_too_long_is_refused() -> None:
    async with web_scene(max_text=1000) as scene:
        status, told = await post(scene, "/api/chat", {"text": "x" * 1001})

    assert status == 413
    assert "1000 characters" in told["error"].replace(",", "")


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded"])
async def test_other_kinds_of_bodies_are_refused(scene: WebScene, media_type: str) -> None:
    status, told = await post(scene, "/api/chat", b"x", **{"Content-Type": media_type})

    assert status == 415
    assert media_type in told["error"]


@pytest.mark.parametrize(
    ("data", "status", "says"), [(b"", 400, "0 bytes"), (b"x" * 10_001, 413, "too large")]
)
async def test_a_file_in_a_form_is_checked(
    scene: WebScene, data: bytes, status: int, says: str
) -> None:
    form = aiohttp.FormData()
    form.add_field("file", data, filename="a.png")

    async with scene.page.post("/api/chat", data=form) as response:
        told = await response.json()

    assert response.status == status
    assert says in told["error"]


async def test_a_broken_form_is_refused(scene: WebScene) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=x"}

    async with scene.page.post("/api/chat", data=b"nonsense", headers=headers) as response:
        assert response.status == 400
        assert "form" in (await response.json())["error"]


async def test_unknown_addresses_and_methods_are_told_as_problems(scene: WebScene) -> None:
    detail = english("web-unknown-page")
    async with scene.page.get("/nowhere") as response:
        assert response.content_type == "application/problem+json"
        assert await response.json() == {
            "type": "urn:troupe:problem:web-unknown-page",
            "title": "Not Found",
            "status": 404,
            "detail": detail,
            "error": detail,
        }
    async with scene.page.post("/api/runs/r/events") as response:
        assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")
    status, told = await get(scene, "/api/chat")
    assert (status, told["detail"]) == (405, english("web-wrong-method", method="GET"))


async def test_what_cannot_be_stored_now_may_be_sent_again_soon(scene: WebScene) -> None:
    scene.listener.refuses = StoreUnavailable("store-gone")

    async with scene.page.post("/api/chat", json={"text": "hi"}) as response:
        told = await response.json()

    assert response.status == 503
    assert int(response.headers["Retry-After"]) > 0
    assert told["error"] == english("store-gone")


async def test_a_request_does_not_wait_for_the_database_for_ever() -> None:
    async with web_scene(store_seconds=0.05) as scene:
        scene.listener.on_message = _wait_for_ever  # type: ignore[method-assign,assignment]

        async with scene.page.post("/api/chat", json={"text": "hi"}) as response:
            assert response.status == 503


async def _wait_for_ever(_: Incoming) -> None:
    await LockedStore().wait()


async def test_what_the_conversation_refuses_is_told(scene: WebScene) -> None:
    scene.listener.refuses = OverLimit("web-too-many-tries")

    status, told = await post(scene, "/api/chat", {"text": "x"})

    assert (status, told["error"]) == (429, english("web-too-many-tries"))


async def test_a_bug_is_told_with_a_reference_and_no_details(scene: WebScene) -> None:
    scene.listener.refuses = ValueError("secret detail")  # type: ignore[assignment]

    status, told = await post(scene, "/api/chat", {"text": "x"})

    assert status == 500
    assert "secret" not in json.dumps(told)
    assert told["error"].startswith(english("apology-bug", reference="").rstrip("."))
