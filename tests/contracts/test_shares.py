"""How every store keeps shared conversations, and when they end."""

from datetime import timedelta

import pytest

from pipeline.domain import Channel, RunId, Thread
from pipeline.ports import Scope, Share
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import ANN, turn

HERE = Thread(Channel("web", ANN.id, "here"), "here")
THERE = Thread(Channel("web", ANN.id, "there"), "there")


async def share(kept: Kept, home: Home, id: str, thread: Thread = HERE, *, days: int = 7) -> Share:  # noqa: A002
    await kept.store.log(thread, turn(f"of {thread.root}", thread=thread))
    now = home.time()
    made = Share(
        id=id,
        thread=thread,
        person=ANN.id,
        runs=(RunId("r1"), RunId("r2")),
        made_at=now,
        expires=now + timedelta(days=days),
        title="A cat",
    )
    await kept.store.add_share(made)
    return made


async def test_a_share_is_found_by_its_mark_until_it_expires(home: Home) -> None:
    async with home.open() as kept:
        short, long = await share(kept, home, "s1", days=1), await share(kept, home, "s2", days=9)
        await share(kept, home, "s3", THERE)

        assert await kept.store.find_share(short.mark) == short
        assert await kept.store.find_share(short.id) is None
        assert list(await kept.store.list_shares(HERE)) == [short, long]

        home.time.pass_by(timedelta(days=1, seconds=1))

        assert await kept.store.find_share(short.mark) is None
        assert list(await kept.store.list_shares(HERE)) == [long]


async def test_a_share_that_was_ended_is_gone(home: Home) -> None:
    async with home.open() as kept:
        made, other = await share(kept, home, "s1"), await share(kept, home, "s2")

        await kept.store.end_share(made.mark)
        await kept.store.end_share(made.mark)

        assert await kept.store.find_share(made.mark) is None
        assert list(await kept.store.list_shares(HERE)) == [other]


@pytest.mark.parametrize("scope", Scope)
async def test_what_is_forgotten_is_shared_no_more(home: Home, scope: Scope) -> None:
    async with home.open() as kept:
        made = await share(kept, home, "s1")
        other = await share(kept, home, "s2", THERE)

        await kept.store.forget(scope, thread=HERE, person=ANN.id)

        assert await kept.store.find_share(made.mark) is None
        is_left = await kept.store.find_share(other.mark) is not None
        assert is_left == (scope is not Scope.PERSON)


async def test_a_conversation_whose_last_message_is_deleted_is_shared_no_more(home: Home) -> None:
    async with home.open() as kept:
        made = await share(kept, home, "s1")

        await kept.store.unlog(turn("of here", thread=HERE).key)

        assert await kept.store.find_share(made.mark) is None
