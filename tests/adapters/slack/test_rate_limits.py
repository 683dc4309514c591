"""Slack's limits, kept before they are hit."""

import asyncio

import pytest

from adapters.slack.web_api.limits import EDITS_FOR_ANSWERS, SlackLimits, take_if_free


async def test_a_few_posts_in_a_channel_do_not_wait_and_another_channel_never_does() -> None:
    limits = SlackLimits(post_seconds=1000)
    async with asyncio.timeout(1):
        for _ in range(4):
            await limits.post("C1")
        await limits.post("C2")

    for _ in range(2):  # whoever gives up makes no room
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await limits.post("C1")


async def test_in_no_span_of_time_are_there_more_posts_than_slack_takes() -> None:
    limits, loop = SlackLimits(post_seconds=0.02), asyncio.get_running_loop()
    times = []
    for _ in range(10):
        await limits.post("C1")
        times.append(loop.time())

    assert all(later - first >= 0.08 for first, later in zip(times, times[4:], strict=False))


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
