"""What every cache does."""

import asyncio
from datetime import timedelta

from pipeline.ports import Cached
from tests.contracts.homes import Home


async def test_what_was_put_is_there_after_a_restart_with_its_moment(home: Home) -> None:
    moment = home.time()
    async with home.open() as kept:
        await kept.cache.put("hub:text-to-image", '["ü \\u0000"]')

    home.time.pass_by(timedelta(days=3))
    async with home.open() as kept:
        assert await kept.cache.get("hub:text-to-image") == Cached('["ü \\u0000"]', moment)


async def test_a_newer_value_takes_the_place_of_the_older_one(home: Home) -> None:
    async with home.open() as kept:
        await kept.cache.put("key", "1")
        home.time.pass_by(timedelta(hours=1))
        await kept.cache.put("key", "2")

        assert await kept.cache.get("key") == Cached("2", home.time())


async def test_the_first_of_those_who_claim_a_key_gives_it_its_value(home: Home) -> None:
    async with home.open() as kept:
        async with asyncio.TaskGroup() as group:
            claims = [group.create_task(kept.cache.claim("key", f"{n}")) for n in range(5)]
        await kept.cache.put("another", "x")

        (value,) = {claim.result() for claim in claims}
        assert await kept.cache.claim("key", "late") == value
        assert await kept.cache.claim("another", "late") == "x"


async def test_what_was_never_put_is_not_there(home: Home) -> None:
    async with home.open() as kept:
        assert await kept.cache.get("key") is None
