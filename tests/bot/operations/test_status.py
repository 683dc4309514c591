"""`troupe status`: of a program that runs, that is down, and of a database that cannot be read."""

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import typer

from adapters.store import open_persistence
from bot.app import App, open_app
from bot.operations.status import parse_since, show_status
from bot.program_status import open_health
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.codec import dump
from pipeline.domain import Apologised, Event, LocalizedText, ModelCall, RunId, RunState
from tests.contracts.messages import CHANNEL, THREAD, message
from tests.contracts.runs import failed, run
from tests.fakes.chat import FakeChat
from tests.fakes.outside import FakeWorkers

NOW = datetime(2026, 11, 29, 3, 30, tzinfo=UTC)
CALL = ModelCall("org/chat", took=1.5, prompt_tokens=1000, completion_tokens=50, cost=0.002)


def settings_in(home: Path, **more: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), "TROUPE_HEALTH_PORT": "0", **more})


@asynccontextmanager
async def at_work(settings: Settings) -> AsyncIterator[App]:
    """The program with one chat, as it serves health."""
    async with open_app(settings, FakeWorkers()) as app:
        app.monitor.chats = [FakeChat()]
        async with open_health(app.monitor):
            await app.monitor.sample_storage()
            yield app


async def told(
    settings: Settings, capsys: pytest.CaptureFixture[str], since: str = "6h"
) -> tuple[int, Mapping[str, Any]]:
    """The exit status and the JSON."""
    capsys.readouterr()  # what was logged
    code = await show_status(settings, since, as_json=True)
    status: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    return code, status


async def shown(settings: Settings, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    await show_status(settings, "6h", as_json=False)
    return capsys.readouterr().out


async def test_a_running_program_says_what_it_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    async with at_work(settings) as app:
        app.health.down["slack"] = LocalizedText("slack-revoked", {"link": "x"})
        code, status = await told(settings, capsys)
        text = await shown(settings, capsys)

    assert code == 0
    assert "fake: connected since 20" in text
    assert status["running"]["store_waiting"] == 0
    assert status["running"]["instance"] == app.monitor.instance
    assert status["running"]["platforms"] == {"fake": True}
    assert list(status["running"]["problems"]) == ["slack"]
    assert set(status["running"]["free_bytes"]) == {"home", "files"}
    assert status["database"]["bytes"] > 0


async def test_of_a_program_that_is_down_the_database_says_what_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    async with at_work(settings) as app:
        store, inbox = app.ports.persistence.store, app.ports.persistence.inbox
        await inbox.accept(message("1"), RunId("open-run"))
        await store.keep(replace(run("good"), calls=(CALL,)), THREAD)
        await store.keep(run("bad", failed()), THREAD)
        sorry = Apologised(LocalizedText("llm-busy", {"model": "m"}), "r")
        apologised = run("sorry-run", state=RunState.APOLOGISED)
        await store.keep(apologised, THREAD, None, [(0, dump(sorry, Event))])
        of_old = Apologised(LocalizedText("sentence-of-old"), "r")
        apologised = run("old-run", state=RunState.APOLOGISED)
        await store.keep(apologised, THREAD, None, [(0, dump(of_old, Event))])
    code, status = await told(settings, capsys)
    text = await shown(settings, capsys)

    database = status["database"]
    assert code == 1
    assert status["running"] == {}
    assert [each["run"] for each in database["waiting"]] == ["open-run"]
    assert database["outcomes"] == {"slack": {"answered": 2, "apologised": 2}}
    assert [each["reason"] for each in database["apologies"]] == [
        "sentence-of-old",  # which this program no longer has
        "llm-busy model=m",
    ]
    assert database["failed_steps"][0]["model"] == "org/bad"
    assert database["failed_steps"][0]["run"] == "bad"
    assert database["last_answered"]["run"] in ("good", "bad")
    assert database["spent"]["models"]["org/chat"]["prompt_tokens"] == 1000
    assert status["spent_today"]["usd"] == 0.002
    for word in (
        "open-run",
        CHANNEL.key,
        "sorry-ru",
        "llm-busy model=m",
        "sentence-of-old",
        "org/bad",
        "$0.0020",
    ):
        assert word in text
    assert "words of" not in text + json.dumps(status)


async def test_another_program_at_the_address_is_not_taken_for_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, other = settings_in(tmp_path / "ours"), settings_in(tmp_path / "other")
    async with at_work(ours):
        pass
    async with at_work(other) as app, open_persistence(ours.database_url) as kept:
        record = {"instance": "gone", "at": app.monitor.address}
        await kept.cache.put("program", json.dumps(record))
        code, status = await told(ours, capsys)

    assert (code, status["running"]) == (1, {})


async def test_a_database_that_cannot_be_read_is_said_and_the_program_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path)
    async with at_work(settings) as app:
        fixed = settings_in(tmp_path, TROUPE_HEALTH_PORT=app.monitor.address.rpartition(":")[2])
        unreadable = fixed.model_copy(update={"troupe_database_url": f"sqlite:///{tmp_path}/x/y"})
        _, status = await told(unreadable, capsys)

    assert status["running"]["instance"] == app.monitor.instance
    assert "problem" in status["database"]


async def test_a_home_that_never_ran_is_said_to_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path / "never", TROUPE_HEALTH_PORT="off")

    code, status = await told(settings, capsys)

    assert code == 1
    assert "problem" in status["database"]


async def test_a_database_of_an_older_program_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_in(tmp_path, TROUPE_HEALTH_PORT="off")
    with sqlite3.connect(tmp_path / "troupe.db") as database:
        database.execute("CREATE TABLE inbox (number INTEGER)")
    database.close()

    code, status = await told(settings, capsys)

    assert code == 1
    assert "problem" in status["database"]


@pytest.mark.parametrize(
    ("text", "ago"),
    [("30m", timedelta(minutes=30)), ("6h", timedelta(hours=6)), ("2d", timedelta(days=2))],
)
def test_a_moment_can_be_given_as_an_age(text: str, ago: timedelta) -> None:
    assert parse_since(text, NOW) == NOW - ago


def test_a_time_of_day_is_the_last_one_that_was() -> None:
    for hour in range(24):
        moment = parse_since(f"{hour}:00", NOW)
        assert moment.hour == hour
        assert timedelta() <= NOW - moment <= timedelta(days=1)


@pytest.mark.parametrize("text", ["", "six", "25:00", "6x", "2026-13-01"])
def test_a_moment_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_since(text, NOW)
