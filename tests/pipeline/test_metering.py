"""Who is told of the calls of language models."""

import asyncio
from contextlib import suppress

from pipeline.domain import ModelCall, TaskId
from pipeline.metering import Work, find_work, meter_calls, meter_work, note_call, time_work

ONE, TWO = ModelCall("one"), ModelCall("two")


async def test_a_meter_is_told_of_the_calls_in_the_tasks_started_under_it() -> None:
    mine, others = list[ModelCall](), list[ModelCall]()

    async def call(which: ModelCall) -> None:
        note_call(which)

    with meter_calls(others.append):
        async with asyncio.TaskGroup() as group:
            with meter_calls(mine.append):
                group.create_task(call(ONE))
            group.create_task(call(TWO))

    assert (mine, others) == ([ONE], [TWO])


def test_without_a_meter_nobody_is_told() -> None:
    note_call(ONE)


async def test_timed_work_knows_what_it_is_part_of_also_in_tasks_of_its_own() -> None:
    works, seen = list[Work](), list[int]()

    async def post() -> None:
        with time_work("post"):
            seen.append(find_work())

    with meter_work(works.append), suppress(KeyError), time_work("expert", TaskId(3)):
        async with asyncio.TaskGroup() as group:
            group.create_task(post())
        raise KeyError

    inner, outer = works
    assert (inner.what, outer.what, outer.task) == ("post", "expert", TaskId(3))
    assert (inner.inside, outer.inside, seen) == (outer.number, 0, [inner.number])
    assert (inner.error, outer.error) == ("", "KeyError")
    assert outer.began <= inner.began <= inner.ended <= outer.ended
    assert find_work() == 0


def test_where_nobody_meters_work_it_has_no_number() -> None:
    with time_work("select"):
        assert find_work() == 0
