"""Queues serve first who began first."""

import asyncio
from collections.abc import Callable, Iterable

import pytest

from pipeline.queues import FIRST, PrioritySemaphore, Ticket

_Queue = asyncio.Task[None]


async def _pass_time() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class _Place:
    """A place with one slot, which writes down who is served and what those who wait are told."""

    def __init__(self) -> None:
        self.slots = PrioritySemaphore(1)
        self.served: list[str] = []
        self.places: list[tuple[str, int]] = []

    async def work(self, name: str, began: float) -> None:
        def report(place: int) -> None:
            self.places.append((name, place))

        async with self.slots.slot(Ticket(began, report)):
            self.served.append(name)
            await asyncio.sleep(0)

    async def serve(self, jobs: Iterable[tuple[str, float]]) -> None:
        """Let all of these arrive, in order, while the slot is taken."""
        async with asyncio.TaskGroup() as group, self.slots.slot(FIRST):
            for name, began in jobs:
                group.create_task(self.work(name, began))
            await _pass_time()


async def test_the_run_that_began_first_is_served_first() -> None:
    place = _Place()

    await place.serve([("third", 3), ("first", 1), ("second", 2), ("first again", 1)])

    assert place.served == ["first", "first again", "second", "third"]


async def test_short_work_without_a_turn_is_served_before_all_runs() -> None:
    place = _Place()

    await place.serve([("run", 1), ("short", FIRST.began)])

    assert place.served == ["short", "run"]


async def test_who_waits_is_told_its_place_until_it_is_served() -> None:
    place = _Place()

    await place.serve([("first", 1), ("second", 2), ("third", 3)])

    assert [number for name, number in place.places if name == "first"] == [1, 0]
    assert [number for name, number in place.places if name == "third"] == [3, 2, 1, 0]


async def test_a_place_does_not_get_worse_when_an_earlier_run_has_another_step() -> None:
    place = _Place()

    await place.serve([("late", 2), ("early", 1)])

    assert place.served == ["early", "late"]
    assert [number for name, number in place.places if name == "late"] == [1, 0]


async def test_who_need_not_wait_is_told_nothing() -> None:
    place = _Place()

    await place.work("alone", 1)

    assert place.served == ["alone"]
    assert not place.places


def _before_it_is_called(_free: Callable[[], None], waiting: _Queue) -> None:
    waiting.cancel()


def _in_the_moment_it_is_called(free: Callable[[], None], waiting: _Queue) -> None:
    free()
    waiting.cancel()


def _just_before_it_is_called(free: Callable[[], None], waiting: _Queue) -> None:
    waiting.cancel()
    free()


@pytest.mark.parametrize(
    "cancel", [_before_it_is_called, _in_the_moment_it_is_called, _just_before_it_is_called]
)
async def test_who_gives_up_leaves_its_place_to_the_next(
    cancel: Callable[[Callable[[], None], _Queue], None],
) -> None:
    place, slot = _Place(), asyncio.Event()

    async def hold() -> None:
        async with place.slots.slot(FIRST):
            await slot.wait()

    async with asyncio.TaskGroup() as group:
        holder = group.create_task(hold())
        await _pass_time()
        gives_up = group.create_task(place.work("gives up", 1))
        group.create_task(place.work("next", 2))
        await _pass_time()
        cancel(slot.set, gives_up)
        await _pass_time()
        slot.set()
        await holder

    await place.work("later", 3)
    assert place.served == ["next", "later"]
    assert ("later", 1) not in place.places


async def test_work_that_fails_frees_its_slot() -> None:
    place = _Place()

    with pytest.raises(ValueError, match="broken"):
        async with place.slots.slot(FIRST):
            raise ValueError("broken")

    await place.work("next", 1)
    assert place.served == ["next"]
