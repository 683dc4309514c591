"""What every store does with the summaries of its threads: a summary goes with the first turn that
goes.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from pipeline.domain import RunId, Thread, Turn
from pipeline.ports import Scope
from tests.contracts.homes import Home, Kept
from tests.contracts.messages import (
    ANN,
    BEN,
    BOT,
    ELSEWHERE,
    NOON,
    OTHER,
    THREAD,
    file,
    message,
    turn,
)

BAKED = "They baked a cake."


async def talk(kept: Kept, count: int, thread: Thread = THREAD, first: int = 0) -> list[Turn]:
    """Ann and Ben in turn."""
    said = [
        turn(f"{at:03}", thread=thread, person=BEN if at % 2 else ANN, minutes=at)
        for at in range(first, first + count)
    ]
    for each in said:
        await kept.store.log(thread, each)
    return said


async def summarised(kept: Kept, thread: Thread = THREAD) -> None:
    """Ten turns, the first six of them in a summary."""
    await talk(kept, 10, thread)
    found = await kept.store.find_pending(thread, most=8, keep=4)
    assert found is not None
    assert await kept.store.save_summary(thread, found, BAKED)


async def summary(kept: Kept, thread: Thread = THREAD, before: str = "") -> str:
    return (await kept.store.context(thread, before=before, turns=4, tail=0)).summary


async def test_older_turns_are_to_be_folded_when_there_are_more_than_so_many(home: Home) -> None:
    async with home.open() as kept:
        said = await talk(kept, 8)
        none_yet = await kept.store.find_pending(THREAD, most=8, keep=4)
        said += await talk(kept, 1, first=8)

        found = await kept.store.find_pending(THREAD, most=8, keep=4)

    assert none_yet is None
    assert found is not None
    assert found.summary == ""
    assert list(found.turns) == said[:5]


async def test_a_summary_is_given_with_the_context_also_after_a_restart(home: Home) -> None:
    async with home.open() as kept:
        await summarised(kept)
    async with home.open() as kept:
        assert await summary(kept) == BAKED
        assert await summary(kept, OTHER) == ""
        assert await summary(kept, ELSEWHERE) == ""


async def test_a_summary_is_folded_into_the_next_with_the_turns_since(home: Home) -> None:
    async with home.open() as kept:
        await summarised(kept)
        assert await kept.store.find_pending(THREAD, most=8, keep=4) is None
        said = await talk(kept, 5, first=10)

        found = await kept.store.find_pending(THREAD, most=8, keep=4)
        assert found is not None
        await kept.store.save_summary(THREAD, found, "They baked and ate a cake.")

        assert found.summary == BAKED
        assert found.turns[-1] == said[0]
        assert await summary(kept) == "They baked and ate a cake."


async def test_a_retried_message_is_not_told_what_came_after_it(home: Home) -> None:
    async with home.open() as kept:
        await summarised(kept)
        early = f"{THREAD.channel.key}:003"
        late = f"{THREAD.channel.key}:008"

        assert await summary(kept, before=early) == ""
        assert await summary(kept, before=late) == BAKED


Going = Callable[[Kept], Awaitable[object]]


async def _edited(kept: Kept) -> None:
    await kept.store.log(THREAD, turn("002", person=ANN, text="not that", minutes=2))


async def _answered_run_deleted(kept: Kept) -> None:
    """An answer that went into it, by its run."""
    id = RunId("run")  # noqa: A001
    await kept.inbox.accept(message("020"), id)
    await kept.inbox.finish(id)
    await kept.store.log(
        THREAD, Turn(key=id, person=BOT, text="cake", files=(), at=NOON + timedelta(minutes=20))
    )
    await talk(kept, 8, first=21)
    found = await kept.store.find_pending(THREAD, most=8, keep=4)
    assert found is not None
    assert await kept.store.save_summary(THREAD, found, "The bot said cake.")
    await kept.store.unlog(f"{THREAD.channel.key}:020")


GOING: dict[str, Going] = {
    "a turn in it is edited": _edited,
    "a turn in it is deleted": lambda kept: kept.store.unlog(f"{THREAD.channel.key}:001"),
    "an answer in it is deleted": _answered_run_deleted,
    "a person is forgotten": lambda kept: kept.store.forget(
        Scope.PERSON, thread=OTHER, person=BEN.id
    ),
    "the thread is forgotten": lambda kept: kept.store.forget(
        Scope.THREAD, thread=THREAD, person=ANN.id
    ),
    "the channel is forgotten": lambda kept: kept.store.forget(
        Scope.CHANNEL, thread=OTHER, person=ANN.id
    ),
    "the oldest turns are pruned": lambda kept: kept.store.prune(
        older_than=NOON + timedelta(minutes=1)
    ),
}


@pytest.mark.parametrize("what", GOING)
async def test_a_summary_goes_when(home: Home, what: str) -> None:
    async with home.open() as kept:
        await summarised(kept)

        await GOING[what](kept)

        assert await summary(kept) == ""


async def test_what_was_not_in_it_leaves_a_summary_and_other_threads_theirs(home: Home) -> None:
    async with home.open() as kept:
        await summarised(kept)
        await summarised(kept, ELSEWHERE)

        await kept.store.unlog(f"{THREAD.channel.key}:009")
        await kept.store.log(THREAD, turn("008", text="edited", minutes=8))
        await kept.store.unlog(f"{ELSEWHERE.channel.key}:001")

        assert await summary(kept) == BAKED
        assert await summary(kept, ELSEWHERE) == ""


@pytest.mark.parametrize("what", ["a turn in it is edited", "a turn in it is deleted"])
async def test_what_is_changed_while_a_summary_is_written_does_not_live_on_in_it(
    home: Home, what: str
) -> None:
    async with home.open() as kept:
        await talk(kept, 10)
        found = await kept.store.find_pending(THREAD, most=8, keep=4)
        assert found is not None

        await GOING[what](kept)

        assert not await kept.store.save_summary(THREAD, found, BAKED)
        assert await summary(kept) == ""


async def test_a_summary_that_was_folded_meanwhile_is_not_folded_twice(home: Home) -> None:
    async with home.open() as kept:
        await talk(kept, 10)
        found = await kept.store.find_pending(THREAD, most=8, keep=4)
        assert found is not None
        assert await kept.store.save_summary(THREAD, found, BAKED)

        assert not await kept.store.save_summary(THREAD, found, "again")
        assert await summary(kept) == BAKED


async def test_files_from_before_the_last_turns_are_still_known_by_their_names(home: Home) -> None:
    async with home.open() as kept:
        first = await kept.store.log(THREAD, turn("000"), (file("a"),))
        few = await kept.store.context(THREAD, turns=4, tail=0)
        await talk(kept, 6, first=1)

        many = await kept.store.context(THREAD, turns=4, tail=0)
        none = await kept.store.context(THREAD, turns=0, tail=0)

        assert few.older == none.older == ()
        assert few.files == many.older == many.files == first.files
