"""Who is told of the calls of language models."""

import asyncio

from pipeline.domain import ModelCall
from pipeline.metering import meter_calls, note_call

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
