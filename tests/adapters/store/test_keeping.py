"""What the contracts do not say: how long things are kept, and rows that cannot be read."""

from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection, func, select, update

from adapters.store import Lasting, open_lasting
from adapters.store.schema import inbox, seen
from pipeline.domain import RunId
from tests.contracts.homes import Time
from tests.contracts.talk import OTHER, message


async def remembered(kept: Lasting) -> int:
    def count(connection: Connection) -> int:
        return connection.execute(select(func.count()).select_from(seen)).scalar_one()

    return await kept.store.database.read(count)


async def test_events_taken_are_dropped_after_two_days(tmp_path: Path) -> None:
    time = Time()
    async with open_lasting(f"sqlite:///{tmp_path}/troupe.db", clock=time) as kept:
        for day in range(5):
            assert await kept.seen.first(f"event of day {day}")
            time.pass_by(timedelta(days=1))

        assert await remembered(kept) == 3
        assert not await kept.seen.first("event of day 4")
        assert await kept.seen.first("event of day 0")


async def test_a_message_that_cannot_be_read_does_not_keep_the_others_waiting(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"

    def spoil(connection: Connection) -> None:
        connection.execute(
            update(inbox).where(inbox.c.run == "run1").values(body='{"from":"2019"}')
        )

    async with open_lasting(url) as kept:
        await kept.inbox.accept(message("1"), RunId("run1"))
        await kept.inbox.accept(message("2", OTHER), RunId("run2"))
        await kept.store.database.write(spoil)

    async with open_lasting(url) as kept:
        async for taken in kept.inbox.take():
            assert taken.run == "run2"
            break
        assert list(await kept.inbox.waiting()) == ["run1", "run2"]
