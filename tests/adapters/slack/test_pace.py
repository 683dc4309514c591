"""Slack's limits, kept before they are hit."""

import asyncio

import pytest

from adapters.slack.pace import Pace


async def test_the_second_post_in_a_channel_waits_and_another_channel_does_not() -> None:
    pace = Pace(post_seconds=1000)
    await pace.post("C1")
    await pace.post("C2")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await pace.post("C1")


async def test_progress_gives_way_to_answers() -> None:
    pace = Pace(edits=25)

    shown = 0
    while pace.spare:
        await pace.edit()
        shown += 1
    async with asyncio.timeout(1):
        for _ in range(25 - shown):
            await pace.edit()

    assert 1 <= shown <= 5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await pace.edit()


async def test_an_edit_that_is_promised_is_taken_from_what_progress_may_use() -> None:
    pace = Pace(edits=25)

    promised = 0
    while pace.promise():
        promised += 1
    spare_meanwhile = pace.spare
    for _ in range(promised):
        pace.redeem()

    assert 1 <= promised <= 5
    assert not spare_meanwhile
    assert pace.spare


async def test_what_slack_said_to_wait_for_is_waited_for() -> None:
    pace = Pace()

    pace.hold("chat.update", 30)

    assert 29 < pace.held("chat.update") <= 30
    assert pace.held("chat.postMessage C1") == 0
