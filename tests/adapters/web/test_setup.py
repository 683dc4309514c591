"""The set-up is only for whoever runs the program, at the machine itself."""

from typing import Any

import pytest

from pipeline.domain import (
    OWNER,
    LocalizedText,
    SetupRequest,
    SetupResult,
    SetupStep,
    report_bad,
)
from pipeline.domain.conversation import INSTALLER
from tests.adapters.web.scene import web_scene
from tests.fakes.setup import FakeSetup
from tests.words import english

OWNERS, EVERYBODYS = "the-token-of-the-owner", "the-token-of-everybody"
KEY = {"fields": {"key": "hf_secret"}}


async def test_what_was_entered_is_checked_told_and_then_used() -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup) as scene:
        async with scene.page.post("/api/setup/key", json=KEY) as response:
            told = await response.json()

        assert setup.asked == [SetupRequest(step=SetupStep.KEY, fields=KEY["fields"])]
        assert (told["good"], told["written"], told["renews"]) == (True, ["HF_TOKEN"], True)
        assert response.headers["Cache-Control"] == "no-store"
        assert "hf_secret" not in str(told)
        assert setup.renewed == 1


async def test_what_is_wrong_is_told_and_nothing_is_read_anew() -> None:
    finding = report_bad("doctor-hub-refused", "HF_TOKEN=…", why="It is old.")
    problem = LocalizedText("setup-whose-key")
    setup = FakeSetup(result=SetupResult(is_good=False, findings=(finding,), problem=problem))
    async with web_scene(setup=setup) as scene:
        async with scene.page.post("/api/setup/key", json={**KEY, "check": True}) as response:
            told = await response.json()

        assert setup.asked[0].only_check
        assert told["problem"] == english("setup-whose-key")
        assert told["findings"] == [
            {
                "good": False,
                "id": "doctor-hub-refused",
                "text": english("doctor-hub-refused"),
                "why": "It is old.",
                "mend": "HF_TOKEN=…",
                "note": False,
                "advice": "",
            }
        ]
        assert setup.renewed == 0


async def test_the_last_change_is_undone() -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup) as scene:
        async with scene.page.post("/api/setup/undo", json={}) as response:
            assert response.status == 200

        assert (setup.undone, setup.renewed) == (1, 1)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Forwarded-For": "203.0.113.9"}, 403),
        ({"X-Forwarded-Host": "bot.example"}, 403),
        ({"Forwarded": "for=203.0.113.9"}, 403),
        ({"Via": "1.1 proxy"}, 403),
        ({"X-Real-IP": "203.0.113.9"}, 403),
        ({"Host": "bot.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
async def test_nobody_sets_up_from_elsewhere(headers: dict[str, str], status: int) -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup) as scene:
        sent = {"Content-Type": "application/json", **headers}
        for path in ("/api/setup/key", "/api/setup/undo"):
            async with scene.page.post(path, data=b"{}", headers=sent) as response:
                assert response.status == status
        if status == 403 and not headers.keys() & {"Origin", "Sec-Fetch-Site"}:
            async with scene.page.get("/api/setup", headers=headers) as response:
                assert response.status == 403
            async with scene.page.get("/api/start", headers=headers) as response:
                assert (await response.json())["do_more"] is False

    assert (setup.asked, setup.undone) == ([], 0)


@pytest.mark.parametrize(
    "options",
    [
        {"host": "0.0.0.0", "token": EVERYBODYS, "owner_token": OWNERS},
        {"public_url": "https://bot.example", "owner_token": OWNERS},
    ],
)
async def test_a_page_that_others_can_reach_has_no_set_up_there(options: Any) -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup, **options) as scene:
        headers = {"Authorization": f"Bearer {OWNERS}", "Host": "bot.example"}
        async with scene.page.get("/api/setup", headers=headers) as response:
            assert response.status == 403


async def test_with_an_owner_s_token_only_the_owner_sets_up() -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup, owner_token=OWNERS) as scene:
        statuses = []
        for headers in ({}, {"Authorization": f"Bearer {OWNERS}"}):
            async with scene.page.post("/api/setup/key", json=KEY, headers=headers) as response:
                statuses.append(response.status)
            async with scene.page.get("/api/start", headers=headers) as response:
                statuses.append((await response.json())["do_more"])

    assert statuses == [403, False, 200, True]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"fields": {"key": 1}}',
        b'{"more": true}',
        b'{"fields": {%s}}' % b",".join(b'"f%d": ""' % number for number in range(9)),
        b'{"fields": {"key": "%s"}}' % (b"x" * 5000),
    ],
)
async def test_odd_bodies_are_refused_without_being_quoted(body: bytes) -> None:
    setup = FakeSetup()
    async with web_scene(setup=setup) as scene:
        headers = {"Content-Type": "application/json"}
        async with scene.page.post("/api/setup/key", data=body, headers=headers) as response:
            assert response.status == 400
            assert "xxx" not in await response.text()

    assert setup.asked == []


async def test_a_large_body_an_unknown_step_and_too_many_tries_are_refused() -> None:
    async with web_scene(setup=FakeSetup()) as scene:
        statuses = []
        large = {"fields": {f"f{n}": "x" * 4000 for n in range(8)}}
        for path, body in (("key", large), ("moon", KEY), *[("key", KEY)] * 21):
            async with scene.page.post(f"/api/setup/{path}", json=body) as response:
                statuses.append(response.status)

    assert statuses == [413, 404, *[200] * 20, 429]


async def test_what_there_is_to_begin_with_is_told_in_the_reader_s_language() -> None:
    async with web_scene(setup=FakeSetup()) as scene:
        headers = {"Accept-Language": "de"}
        async with scene.page.get("/api/start", headers=headers) as response:
            told = await response.json()

    assert told["do_more"] is True
    assert told["examples"][0]["id"] == "invoice"
    assert told["examples"][0]["sample"] == "invoice"
    assert "Rechnung" in told["examples"][0]["text"]


async def test_who_entered_a_token_can_sign_out() -> None:
    told, headers = list[bool](), {"Authorization": f"Bearer {EVERYBODYS}"}
    async with web_scene(token=EVERYBODYS) as scene:
        for _ in range(2):
            async with scene.page.get("/api/start", headers=headers) as response:
                told.append((await response.json())["signed_in"])
            await scene.page.post("/login", data={"token": EVERYBODYS})

    assert told == [False, True]


async def test_who_can_set_up_is_known_by_their_message() -> None:
    async with web_scene(setup=FakeSetup()) as scene:
        message, _ = await scene.say("hello")
        assert message.person.roles == {OWNER, INSTALLER}
    async with web_scene() as scene:
        message, _ = await scene.say("hello")
        assert message.person.roles == {OWNER}
