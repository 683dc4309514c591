"""Stored values that this program cannot read are skipped, never an error on a message's way."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from sqlalchemy import Table, Text, select, type_coerce, update

from adapters.store import Persistence, open_persistence, schema
from adapters.store.transactions import Transaction
from pipeline.domain import ChannelSettings, NamedFile, RunId
from pipeline.ports import Vote
from tests.contracts.messages import OTHER, THREAD, file, message, turn
from tests.contracts.runs import done, run


@asynccontextmanager
async def opened(tmp_path: Path) -> AsyncIterator[Persistence]:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        yield kept


async def damage(kept: Persistence, table: Table, old: str, new: str) -> None:
    """Replace a text in every stored value of a table."""

    def work(tx: Transaction) -> None:
        (key, *_) = table.primary_key.columns
        for name, body in tx.execute(select(key, type_coerce(table.c.body, Text))).all():
            changed = body.replace(old, new)
            tx.execute(update(table).where(key == name).values(body=changed))

    await kept.store.database.write(work)


DAMAGES = [
    pytest.param('"image-to-text"', '"picture-telling"', id="a kind that no longer exists"),
    pytest.param('"version":2', '"version":99', id="of a newer program"),
    pytest.param("{", "", id="no JSON"),
]


@pytest.mark.parametrize(("old", "new"), DAMAGES)
async def test_a_run_that_cannot_be_read_is_left_out(tmp_path: Path, old: str, new: str) -> None:
    async with opened(tmp_path) as kept:
        await kept.store.keep(run("run1", done()), THREAD)
        await kept.store.vote(Vote(RunId("run1"), "U1", 1))
        await damage(kept, schema.runs, old, new)
        await kept.store.keep(run("run2", done()), THREAD)

        assert [each.id for each in await kept.store.runs(THREAD, limit=9)] == ["run2"]
        assert await kept.store.load(RunId("run1")) is None
        assert await kept.store.takes_part(THREAD)
        assert not await kept.store.find_examples(THREAD, reach="workspace")


async def test_an_outcome_that_cannot_be_read_is_left_out_of_its_run(tmp_path: Path) -> None:
    async with opened(tmp_path) as kept:
        await kept.store.keep(run("run1", done()), THREAD)
        await damage(kept, schema.outcomes, '"Done"', '"Perfected"')

        loaded = await kept.store.load(RunId("run1"))

        assert loaded is not None
        assert loaded.outcomes == {}


async def test_settings_that_cannot_be_read_count_as_none(tmp_path: Path) -> None:
    async with opened(tmp_path) as kept:
        await kept.store.set(THREAD.channel, ChannelSettings(language="de"))
        await kept.store.keep(run("run1", done()), THREAD)
        await kept.store.vote(Vote(RunId("run1"), "U1", 1))
        await damage(kept, schema.channel_settings, "{", "")

        assert await kept.store.settings(THREAD.channel) == ChannelSettings()
        assert await kept.store.find_examples(THREAD, reach="workspace")


async def test_a_turn_that_cannot_be_read_is_left_out_of_the_context(tmp_path: Path) -> None:
    async with opened(tmp_path) as kept:
        for number in range(5):
            picture = NamedFile(f"image {number}", file("a"))
            await kept.store.log(THREAD, turn(str(number), picture))
            await kept.store.log(OTHER, turn(f"other {number}", thread=OTHER))
        await damage(kept, schema.turns, "{", "")
        await kept.store.log(THREAD, turn("9"))

        context = await kept.store.context(THREAD, turns=2, tail=2)
        pending = await kept.store.find_pending(THREAD, most=2, keep=1)
        threads = await kept.store.threads("slack", "T1", limit=9)

        assert [each.text for each in context.turns] == ["turn 9"]
        assert (context.channel, context.older) == ((), ())
        assert pending is not None
        assert await kept.store.save_summary(THREAD, pending, "They talked.")
        assert {each.last and each.last.text for each in threads} == {None, "turn 9"}


async def test_a_message_that_cannot_be_read_is_left_in_the_inbox(tmp_path: Path) -> None:
    async with opened(tmp_path) as kept:
        await kept.inbox.accept(message("1"), RunId("run1"))
        await kept.inbox.accept(message("2", OTHER), RunId("run2"))
        await damage(kept, schema.inbox, '"id":"1"', '"identity":"1"')

    async with opened(tmp_path) as kept:
        async for taken in kept.inbox.take():
            assert taken.run == "run2"
            break
        assert list(await kept.inbox.list_waiting()) == ["run1", "run2"]
        assert await kept.inbox.message(RunId("run1")) is None
        assert await kept.inbox.of(message("1").key) == ()
