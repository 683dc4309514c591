"""How many requests people and channels may make."""

from dataclasses import replace

import pytest

from adapters.store.rate_limits import LocalRateLimits
from bot.rate_limits import MessageLimits
from pipeline.errors import OverLimit
from tests.bot.scenes import message
from tests.fakes.stages import ANN


async def test_two_programs_count_the_same_person_together() -> None:
    shared = LocalRateLimits()
    here, there = MessageLimits(shared, 2, 100), MessageLimits(shared, 2, 100)
    thread = message().thread

    await here.check(ANN, thread)
    await there.check(ANN, thread)

    with pytest.raises(OverLimit) as refused:
        await here.check(ANN, thread)
    assert refused.value.sentence.id == "over-limit-person"
    assert refused.value.sentence.args == {"limit": 2, "seconds": 30}


async def test_one_person_s_excess_does_not_use_up_the_channel() -> None:
    limits, thread = MessageLimits(LocalRateLimits(), 1, 2), message().thread
    await limits.check(ANN, thread)
    for _ in range(3):
        with pytest.raises(OverLimit):
            await limits.check(ANN, thread)

    await limits.check(replace(ANN, id="bob"), thread)

    with pytest.raises(OverLimit) as refused:
        await limits.check(replace(ANN, id="carol"), thread)
    assert refused.value.sentence.id == "over-limit-channel"
