"""Several replicas of the program on one Slack."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from math import inf

import pytest

from adapters.slack.reading.messages import make_ts
from adapters.slack.web_api.errors import NotNow
from adapters.slack.web_api.limits import Burst, SlackLimits, take_if_free
from adapters.slack.web_api.pauses import LimitPauses
from adapters.store.rate_limits import LocalRateLimits
from pipeline.ports import Topic
from tests.adapters.slack.runs import whole
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.fakes.events import one_by_one
from tests.fakes.replicas import FakeReplicas
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Limited
from tests.servers.slack.workspace import ANNA, TEAM


def replicas(slack: SlackServer, count: int = 2) -> list[Stage]:
    """Replicas that nobody has started yet, on one database."""
    first = Stage(slack, replicas=FakeReplicas(), ping=0.05)
    return [first, *(first.again() for _ in range(count - 1))]


async def test_each_event_reaches_one_of_them_and_all_are_taken_once(slack: SlackServer) -> None:
    one, two = replicas(slack)
    async with listening(one), listening(two):
        await slack.until(lambda: len(slack.socket.lines) == 2)
        for number in range(10):
            slack.people.say(f"{BOT} draw {number}")
        await one.listener.next(10)
        await slack.settled()

    assert sorted(message.text for message, _ in one.listener.received) == [
        f"draw {number}" for number in range(10)
    ]


@pytest.mark.parametrize("how", ["close", "reset", "ask_to_reconnect"])
async def test_nothing_is_lost_while_their_lines_break(slack: SlackServer, how: str) -> None:
    one, two = replicas(slack)
    async with listening(one), listening(two):
        await slack.until(lambda: len(slack.socket.lines) == 2)
        for number in range(4):
            broken = getattr(slack.socket, how)()
            if broken is not None:
                await broken
            slack.people.say(f"{BOT} draw {number}")
            await one.listener.next(number + 1)
        await slack.settled()

    assert len(one.listener.received) == 4


async def test_who_writes_slack_s_word_for_a_refusal_ends_no_connection(
    slack: SlackServer,
) -> None:
    (one,) = replicas(slack, 1)
    async with listening(one):
        await slack.until(lambda: len(slack.socket.lines) == 1)
        slack.people.say("too_many_websockets")
        slack.people.say(f"{BOT} draw")
        await one.listener.next(1)
        await slack.settled()

        assert len(slack.socket.lines) == 1
        assert [each.text for each, _ in one.listener.received][-1] == "draw"


async def test_one_that_dies_leaves_its_events_to_the_other(slack: SlackServer) -> None:
    one, two = replicas(slack)
    async with listening(one):
        async with listening(two):
            await slack.until(lambda: len(slack.socket.lines) == 2)
        for number in range(4):
            slack.people.say(f"{BOT} draw {number}")
        await one.listener.next(4)
        await slack.settled()

    assert len(one.listener.received) == 4


async def test_one_too_many_answers_without_a_line_of_its_own(slack: SlackServer) -> None:
    slack.socket.most = 2
    every = replicas(slack, 3)
    async with AsyncExitStack() as stack:
        for at in every[:2]:
            await stack.enter_async_context(listening(at))
        await slack.until(lambda: len(slack.socket.lines) == 2)
        await stack.enter_async_context(listening(every[2]))
        await slack.until(lambda: slack.socket.refused)
        run = await every[0].mention("hello")
        message = every[0].listener.received[0][0]
        await slack.until(lambda: every[2].chat._socket)  # noqa: SLF001
        await every[2].chat.follow(message, run, one_by_one(*whole(run, "hello to you")))

        assert await every[2].chat.is_connected()
        assert slack.socket.refused < 4
        assert len(slack.socket.lines) == 2


async def test_after_an_outage_one_of_them_reads_what_was_missed(slack: SlackServer) -> None:
    one, two = replicas(slack)
    await one.cache.put(f"slack:{TEAM}:read", make_ts(datetime.now(UTC) - timedelta(hours=1)))
    slack.delivery.subscribed = set()
    slack.people.say(f"{BOT} draw a dot")
    async with listening(one), listening(two):
        await one.listener.next()
        await asyncio.sleep(10)

    assert len(one.listener.received) == 1


async def test_two_replicas_post_no_more_than_slack_takes() -> None:
    shared, loop = FakeReplicas().rate_limits, asyncio.get_running_loop()
    limits = [SlackLimits(post_seconds=0.02, shared=shared, key="k") for _ in range(2)]
    times: list[float] = []

    async def post(by: SlackLimits) -> None:
        for _ in range(6):
            await by.post("C1")
            times.append(loop.time())

    async with asyncio.TaskGroup() as group:
        for each in limits:
            group.create_task(post(each))

    times.sort()
    assert len(times) == 12
    assert all(later - first >= 0.08 for first, later in zip(times, times[4:], strict=False))


@dataclass
class NotedLimits(LocalRateLimits):
    """Notes for how long whoever asked would have waited."""

    patiences: list[float] = field(default_factory=list)

    async def reserve(
        self, key: str, *, most: int, seconds: float, patience: float = inf
    ) -> float | None:
        self.patiences.append(patience)
        return await super().reserve(key, most=most, seconds=seconds, patience=patience)


async def test_a_replica_that_posts_alone_waits_for_no_other() -> None:
    shared = NotedLimits(asyncio.get_running_loop().time)
    limits = SlackLimits(shared=shared, key="k")

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(limits.post("C1"))

    assert set(shared.patiences) == {0.0}


async def test_of_the_places_for_posts_the_one_that_is_free_first_is_taken() -> None:
    shared = NotedLimits(asyncio.get_running_loop().time)
    for place, seconds in enumerate((3.0, 2.9, 0.7, 2.0)):
        await shared.reserve(f"k:{place}", most=1, seconds=seconds)

    await Burst(4, 4.0, shared, "k").acquire()

    waits = {place: await shared.reserve(f"k:{place}", most=1, seconds=4.0) for place in range(4)}
    assert max(waits, key=lambda place: waits[place] or 0.0) == 2


async def test_progress_of_all_replicas_leaves_edits_for_answers() -> None:
    shared = FakeReplicas().rate_limits
    one, two = (SlackLimits(shared=shared, key="k") for _ in range(2))

    shown = 0
    for _ in range(9):
        shown += await take_if_free(one.edits, 20) + await take_if_free(two.edits, 20)
    async with asyncio.timeout(1):
        for _ in range(25 - shown):
            await two.edits.acquire()

    assert 1 <= shown <= 5
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await one.edits.acquire()


async def test_other_workspaces_have_limits_of_their_own() -> None:
    shared = FakeReplicas().rate_limits
    limits = SlackLimits(shared=shared).for_token("xoxb-1")
    other = replace(limits).for_token("xoxb-2")

    while await take_if_free(limits.streams):
        pass

    assert await take_if_free(other.streams)


@pytest.mark.parametrize("most", [19, 20])
async def test_a_limit_smaller_than_what_is_left_of_it_has_no_room(most: int) -> None:
    limits = SlackLimits(shared=FakeReplicas().rate_limits, most_edits=most).for_token("xoxb-1")

    assert not await take_if_free(limits.edits, 20)


async def test_what_slack_tells_one_replica_to_wait_the_others_wait_too(
    slack: SlackServer,
) -> None:
    one, two = replicas(slack)
    told: list[str | None] = []
    async with listening(one), listening(two):
        slack.faults.once("users.info", Limited(30))
        with one.replicas.notifications().subscribe(Topic.PAUSES, told.append):
            await one.chat._workspaces.client.call("users.info", user=ANNA)  # noqa: SLF001
        client = two.chat._workspaces.client  # noqa: SLF001 - what a replica keeps
        client.pauses.hear(told[0])
        waits = client.pauses.find(client._place, "users.info")  # noqa: SLF001
        with pytest.raises(NotNow):
            await client.call_now("users.info", user=ANNA)

        assert len(told) == 1
        assert 0 < waits <= 30
        assert client.pauses.find(client._place, "users.list") == 0  # noqa: SLF001


async def test_a_strange_word_about_limits_pauses_nothing() -> None:
    pauses = LimitPauses()
    for text in ("{", "[]", '{"place": 1}', '{"place": "p", "method": "m", "seconds": "x"}', None):
        pauses.hear(text)

    assert pauses.find("p", "m") == 0
