"""Slack's limits, kept before they are hit."""

import asyncio

import pytest

from adapters.slack.client import EDITS_FOR_ANSWERS, SlackLimits, take_if_free


async def test_the_second_post_in_a_channel_waits_and_another_channel_does_not() -> None:
    limits = SlackLimits(post_seconds=1000)
    await limits.post("C1")
    await limits.post("C2")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await limits.post("C1")


async def test_progress_gives_way_to_answers() -> None:
    limits = SlackLimits(most_edits=25)

    shown = 0
    while await take_if_free(limits.edits, EDITS_FOR_ANSWERS):
        shown += 1
    async with asyncio.timeout(1):
        for _ in range(25 - shown):
            await limits.edits.acquire()

    assert 1 <= shown <= 5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await limits.edits.acquire()
