"""What the owner's pages get of the program, which is open but for its chats."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.store import open_persistence
from adapters.web.owner.ports import SettingChange, SettingRefused
from bot.app import App, open_app
from bot.commands.tasks import list_abilities
from bot.owner import AppAdministration, open_owner_ports
from bot.places import PLACES
from bot.setting_sources import read_settings
from pipeline.domain import ChannelSettings, RunId
from pipeline.ports import RunFilter
from tests.contracts.homes import Time
from tests.contracts.messages import CHANNEL, ELSEWHERE, THREAD, message
from tests.contracts.runs import failed, run
from tests.fakes.outside import FakeWorkers

HERE, THERE = CHANNEL.key, ELSEWHERE.channel.key


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    settings = read_settings(
        {"TROUPE_HOME": str(tmp_path), "TROUPE_PLACES": "llm", "TROUPE_RETENTION_DAYS": "10"}
    )
    async with open_app(settings, FakeWorkers()) as opened:
        yield opened


async def test_the_status_has_what_the_command_prints(app: App) -> None:
    store = app.ports.persistence.store
    await store.keep(run("0123abcd4567", failed()), THREAD)
    await app.ports.persistence.inbox.accept(message("1"), RunId("open"))

    status = await AppAdministration(app).status("6h")

    assert status["running"]["instance"] == app.monitor.instance
    assert status["database"]["outcomes"] == {"slack": {"answered": 1}}
    assert [each["run"] for each in status["database"]["waiting"]] == ["open"]
    with pytest.raises(ValueError, match="6h"):
        await AppAdministration(app).status("whenever")


async def test_runs_are_found_in_the_database_of_the_program(app: App) -> None:
    await app.ports.persistence.store.keep(run("0123abcd4567", failed()), THREAD)

    page = await open_owner_ports(app).runs.find_runs(RunFilter(failed=True), limit=5)

    assert [each.run.id for each in page.runs] == ["0123abcd4567"]


async def test_the_doctor_tells_what_works_and_each_task_what_it_needs(app: App) -> None:
    owner = AppAdministration(app)
    assert owner.checkup is None

    checked = await owner.check()

    found = {finding.what.id for finding in checked.findings}
    assert {"doctor-data", "doctor-no-platform", "doctor-kinds"} <= found
    missing = {each.kind.name for each in checked.abilities if each.problem}
    assert "text-to-image" in missing
    assert owner.checkup is checked


async def test_all_that_counts_the_kinds_that_work_counts_the_same(app: App) -> None:
    checked = await AppAdministration(app).check()

    (count,) = (
        each.what.args["can"] for each in checked.findings if each.what.id == "doctor-kinds"
    )
    assert count == sum(each.model is not None for each in checked.abilities)
    app.tools.health.dead = set(PLACES)
    dead = await list_abilities(app.conversation.context, THREAD.channel)
    assert {each.model for each in dead} == {None}
    assert all(each.problem for each in dead)


async def test_settings_of_channels_are_changed_as_told_before(app: App) -> None:
    owner, store = AppAdministration(app), app.ports.persistence.store
    await store.set(CHANNEL, ChannelSettings(mention="always"))
    wanted = {"mention": "always", "licence": "commercial", "model:text-to-image": "org/good"}

    told = await owner.change_channels([HERE, THERE], wanted, preview=True)
    untouched = await store.settings(ELSEWHERE.channel)
    made = await owner.change_channels([HERE, THERE], wanted, preview=False)

    assert told == made
    assert SettingChange(THERE, "mention", "", "always") in told
    assert SettingChange(HERE, "licence", "", "commercial") in told
    assert (HERE, "mention") not in {(each.channel, each.name) for each in told}
    assert untouched == ChannelSettings()
    changed = await store.settings(ELSEWHERE.channel)
    assert (changed.mention, changed.policy["licence"]) == ("always", "commercial")
    assert changed.models == {"text-to-image": "org/good"}
    (again, *_) = await owner.change_channels([HERE], {"mention": "default"}, preview=False)
    assert again == SettingChange(HERE, "mention", "always", "")


@pytest.mark.parametrize(
    ("channels", "changes", "sentence"),
    [
        ([HERE], {"mention": "sometimes"}, "settings-bad"),
        ([HERE], {"places": "nowhere"}, "settings-bad"),
        ([HERE], {"colour": "red"}, "settings-unknown"),
        ([HERE], {"": "red"}, "settings-unknown"),
        ([HERE], {"model:nothing": "org/good"}, "settings-unknown"),
        ([HERE, "C1"], {"mention": "always"}, "owner-unknown-channel"),
    ],
)
async def test_what_the_command_refuses_is_refused_and_nothing_changed(
    channels: list[str], changes: dict[str, str], sentence: str, app: App
) -> None:
    with pytest.raises(SettingRefused) as refused:
        await AppAdministration(app).change_channels(
            channels, {"learn": "off", **changes}, preview=False
        )

    assert refused.value.sentence.id == sentence
    assert await app.ports.persistence.store.settings(CHANNEL) == ChannelSettings()


async def test_channels_are_listed_with_the_names_of_their_settings(app: App) -> None:
    owner = AppAdministration(app)
    await app.ports.persistence.store.set(CHANNEL, ChannelSettings(places=("llm", "local")))

    (known,) = await owner.list_channels("", after="", limit=5)

    assert owner.list_values(known)["places"] == "llm,local"
    names = {each.name: each.choices for each in owner.list_settings()}
    assert names["mention"] == ("always", "threads")
    assert set(names) == set(owner.list_values(known))


async def test_what_is_due_is_counted_and_swept(app: App, tmp_path: Path) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=11)
    soon = datetime.now(UTC) - timedelta(days=9, hours=12)
    for moment, name in ((long_ago, "old"), (soon, "older")):
        time = Time(moment)
        async with open_persistence(app.settings.database_url, clock=time) as then:
            await then.store.keep(run(name), THREAD)
    await app.ports.files.put(b"a file")
    owner = AppAdministration(app)

    before = await owner.measure()
    await owner.sweep()
    after = await owner.measure()

    (runs,) = [each for each in before.tables if each.name == "runs"]
    assert (runs.rows, runs.due, runs.due_soon) == (2, 1, 1)
    assert runs.oldest == long_ago
    assert (before.files, before.file_bytes, before.swept_at) == (1, 6, None)
    assert before.database > 0
    (runs,) = [each for each in after.tables if each.name == "runs"]
    assert (runs.rows, runs.due) == (1, 0)
    assert after.swept_at is not None
    assert after.files == 1, "a fresh file may still be referred to"
