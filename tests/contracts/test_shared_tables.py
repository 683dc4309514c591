"""Several programs open one PostgreSQL database: at once, of two versions, during a migration."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import make_url

from adapters.store import downgrade, exclusive, open_persistence, serving
from adapters.store.schema import HEAD, OLDEST
from pipeline.domain import RunId
from pipeline.errors import SettingsError
from pipeline.ports import QueuedMessage
from tests.contracts.messages import message
from tests.contracts.postgres import order

OLDER = "0020"
"""The last revision of programs that know nothing of each other."""

BEFORE = f"{int(HEAD) - 1:04}"
"""What a program of the version before knows."""


@pytest.fixture
def url(postgres: str) -> Iterator[str]:
    """The address of an empty database without tables."""
    name = f"{make_url(postgres).database}_tables"
    asyncio.run(order(postgres, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    yield make_url(postgres).set(database=name).render_as_string(hide_password=False)
    asyncio.run(order(postgres, f"DROP DATABASE {name} WITH (FORCE)"))


async def open_many(url: str, count: int) -> None:
    """Open the database by so many programs at once, all serving it for a moment."""
    begun = asyncio.Barrier(count)

    async def open_and_serve() -> None:
        async with open_persistence(url) as kept, serving(url):
            await begun.wait()
            await kept.inbox.list_waiting()

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(open_and_serve())


async def refuse(url: str, head: str = HEAD) -> str:
    """Why the database cannot be opened."""
    with pytest.raises(SettingsError) as refused:
        async with open_persistence(url, head=head):
            pass
    return refused.value.sentence.id


async def set_oldest(url: str, revision: str) -> None:
    await order(url, f"UPDATE compatibility SET oldest = '{revision}'")


async def test_programs_that_start_at_once_on_an_empty_database_all_succeed(url: str) -> None:
    await open_many(url, 5)


async def test_programs_that_start_at_once_on_older_tables_all_succeed(url: str) -> None:
    await open_many(url, 1)
    await downgrade(url, OLDER)

    await open_many(url, 5)


async def test_older_tables_are_not_changed_under_a_program_that_has_them_alone(url: str) -> None:
    await open_many(url, 1)
    await downgrade(url, OLDER)

    async with exclusive(url):
        assert await refuse(url) == "store-in-use"
    await open_many(url, 1)


@pytest.mark.parametrize("granted", ["SELECT ON", "SELECT, INSERT, UPDATE, DELETE ON"])
async def test_tables_that_another_user_owns_are_refused_at_the_start(
    url: str, granted: str
) -> None:
    await open_many(url, 1)
    user = f"{make_url(url).database}_user"
    other = make_url(url).set(username=user, password="password")
    name = other.render_as_string(hide_password=False)
    await order(url, f"DROP ROLE IF EXISTS {user}", f"CREATE ROLE {user} LOGIN PASSWORD 'password'")
    try:
        await order(url, f"GRANT {granted} ALL TABLES IN SCHEMA public TO {user}")
        assert await refuse(name) == "store-forbidden"

        await order(url, f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}")
        await order(url, f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {user}")
        await open_many(name, 1)
    finally:
        await order(url, f"DROP OWNED BY {user}", f"DROP ROLE {user}")


async def test_a_database_that_can_only_be_read_is_refused_at_the_start(url: str) -> None:
    await open_many(url, 1)
    name = make_url(url).database
    await order(url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    assert await refuse(url) == "store-read-only"


@pytest.mark.skipif(OLDEST == HEAD, reason="no migration yet that only adds")
async def test_tables_are_added_to_while_another_program_serves(url: str) -> None:
    await open_many(url, 1)
    await downgrade(url, OLDEST)

    async with serving(url):
        await open_many(url, 2)


async def test_what_waited_in_an_older_inbox_is_taken_in_its_lanes(url: str) -> None:
    async with open_persistence(url) as kept:
        await kept.inbox.accept(message("2"), RunId("two"))
        await kept.inbox.accept(message("1"), RunId("one"))
    await downgrade(url, OLDER)

    async with open_persistence(url) as kept:
        taken = kept.inbox.take()
        async with asyncio.timeout(30):
            first = await anext(taken)
            await kept.inbox.finish(first.run)
            assert [first.run, (await anext(taken)).run] == ["one", "two"]
        await taken.aclose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("heads", [(BEFORE, HEAD), (HEAD, BEFORE)])
async def test_an_older_program_works_beside_a_newer_one_if_the_database_allows_it(
    url: str, heads: tuple[str, str]
) -> None:
    await open_many(url, 1)
    await set_oldest(url, BEFORE)

    async with AsyncExitStack() as stack:
        programs = [
            await stack.enter_async_context(open_persistence(url, head=head)) for head in heads
        ]
        for _ in programs:
            await stack.enter_async_context(serving(url))
        for number, program in enumerate(programs * 2):
            await program.inbox.accept(message(str(number)), RunId(f"run{number}"))
        answered = list[QueuedMessage]()
        for each in programs * 2:
            taking = each.inbox.take()
            async with asyncio.timeout(30):
                queued = await anext(taking)
            await each.journal.record(queued.run, "step", "1")
            assert await each.inbox.finish(queued.run)
            answered.append(queued)
            await taking.aclose()  # type: ignore[attr-defined]

    assert [each.run for each in answered] == ["run0", "run1", "run2", "run3"]


async def test_an_older_program_is_refused_if_newer_tables_are_not_for_it(url: str) -> None:
    await open_many(url, 1)

    assert await refuse(url, head=OLDER) == "store-newer"
    await order(url, "DELETE FROM compatibility")
    assert await refuse(url, head=BEFORE) == "store-newer"


async def test_any_number_of_programs_serve_while_none_has_the_database_alone(url: str) -> None:
    async with open_persistence(url), serving(url), serving(url):
        with pytest.raises(SettingsError) as refused:
            async with exclusive(url):
                pass
        assert refused.value.sentence.id == "store-in-use"
    async with exclusive(url):
        with pytest.raises(SettingsError) as refused:
            async with serving(url):
                pass
        assert refused.value.sentence.id == "store-in-use"
