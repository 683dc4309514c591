"""What cannot be stored at the moment is waited for, and people are told."""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Sequence

import pytest
from structlog.testing import capture_logs

from pipeline.domain import LocalizedText
from pipeline.errors import LeaseLost, StoreDamaged, StoreUnavailable
from pipeline.outage import Outage, limit_patience, wait_for_room


class Store:
    """Is away until it is opened; counts the calls."""

    def __init__(self, error: StoreUnavailable | None = None) -> None:
        self.error, self.calls = error or StoreUnavailable("store-gone"), 0
        self.is_open = asyncio.Event()

    async def call(self) -> str:
        self.calls += 1
        if not self.is_open.is_set():
            raise self.error
        return "stored"


async def test_a_call_is_repeated_until_it_is_stored() -> None:
    store, outage = Store(), Outage()

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(outage.wait_out(store.call))
        while store.calls < 2:  # noqa: ASYNC110 - the outage has no event for it
            await asyncio.sleep(0)
        store.is_open.set()

    assert waiting.result() == "stored"


async def test_whoever_is_in_a_hurry_is_refused_and_others_wait_on() -> None:
    store, outage = Store(), Outage()

    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(outage.wait_out(store.call))
        with pytest.raises(StoreUnavailable), limit_patience(0):
            await outage.wait_out(store.call)
        store.is_open.set()

    assert waiting.result() == "stored"


async def test_a_call_that_hangs_is_given_up_by_who_is_in_a_hurry() -> None:
    with pytest.raises(StoreUnavailable), limit_patience(0.01):
        await Outage(hanging=0).wait_out(asyncio.Event().wait)


async def test_what_is_damaged_is_not_waited_for() -> None:
    store = Store(StoreDamaged("store-damaged"))

    with pytest.raises(StoreDamaged):
        await Outage().wait_out(store.call)

    assert store.calls == 1


async def test_who_waits_in_an_outage_is_told_once_and_why() -> None:
    store, outage, told = Store(StoreUnavailable("store-full")), Outage(late=0), list[object]()

    async def tell(sentence: LocalizedText) -> None:
        told.append(sentence)
        store.is_open.set()

    async with outage.tell_if_late(tell):
        await outage.wait_out(store.call)
        await outage.wait_out(store.call)

    assert told == [LocalizedText("store-waiting", {"problem": "store-full"})]
    assert outage.seconds == 0


async def test_of_a_call_that_only_takes_long_no_more_is_said() -> None:
    outage, told, is_stored = Outage(late=0), list[object](), asyncio.Event()

    async def tell(sentence: LocalizedText) -> None:
        told.append(sentence)
        is_stored.set()

    async with outage.tell_if_late(tell):
        await outage.wait_out(is_stored.wait)

    assert told == [LocalizedText("store-waiting", {"problem": "store-slow"})]


@pytest.mark.parametrize(
    ("error", "logged"), [(ZeroDivisionError(), ["not told"]), (LeaseLost("lease-lost"), [])]
)
async def test_what_waits_goes_on_though_telling_fails(
    error: Exception, logged: Sequence[str]
) -> None:
    store, outage = Store(), Outage(late=0)

    async def tell(_: LocalizedText) -> None:
        store.is_open.set()
        raise error

    with capture_logs() as logs:
        async with outage.tell_if_late(tell):
            assert await outage.wait_out(store.call) == "stored"

    assert [each["event"] for each in logs if each["log_level"] == "error"] == logged


async def test_who_does_not_wait_is_not_told() -> None:
    store, outage = Store(), Outage(late=0)

    async def tell(_: LocalizedText) -> None:
        raise AssertionError

    async with asyncio.TaskGroup() as group:
        group.create_task(outage.wait_out(store.call))
        while not outage.seconds:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0)
        async with outage.tell_if_late(tell, after=60):
            pass
        store.is_open.set()


async def test_an_outage_stops_the_clock_of_a_timeout() -> None:
    store, outage = Store(), Outage(late=0)

    async with outage.timeout(0.05):
        asyncio.get_running_loop().call_later(0.2, store.is_open.set)
        stored = await outage.wait_out(store.call)

    assert stored == "stored"


async def test_a_timeout_ends_what_is_slow_for_other_reasons() -> None:
    with pytest.raises(TimeoutError):
        async with Outage().timeout(0.01):
            await asyncio.Event().wait()


def _failing(*errors: OSError) -> Callable[[], Awaitable[str]]:
    left = [*errors]

    async def work() -> str:
        if left:
            raise left.pop(0)
        return "done"

    return work


async def test_work_waits_for_room_on_the_disk() -> None:
    full = OSError(errno.ENOSPC, "no room")

    assert await wait_for_room(_failing(full)) == "done"


async def test_another_fault_of_the_disk_is_no_lack_of_room() -> None:
    with pytest.raises(PermissionError):
        await wait_for_room(_failing(PermissionError()))
