"""Several programs take messages from one inbox on PostgreSQL: killed, frozen, cut off, at once."""

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store import Persistence, open_persistence
from adapters.store.notifications import LocalNotifications
from pipeline.domain import AnswerPart, Channel, Incoming, RunId, Thread
from pipeline.errors import LeaseLost
from pipeline.fencing import SHARE_UNPOSTED
from pipeline.ports import Position, Posting, Progress, QueuedMessage, Sharing
from tests.contracts.conftest import EMPTIED
from tests.contracts.messages import THREAD, message
from tests.contracts.postgres import order
from tests.contracts.runs import run

ONE, TWO, THREE = RunId("run1"), RunId("run2"), RunId("run3")
SHORT = Sharing(seconds=0.6)
"""Renewed each 0.2 seconds; long enough for a busy machine."""
LONG = Sharing(seconds=600)
_END_BACKENDS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_LAPSE = "UPDATE inbox SET leased_until = 0 WHERE owner IS NOT NULL"
"""As if all programs had been silent for too long."""


@dataclass
class Program:
    """A program on the database, and what it has taken."""

    kept: Persistence
    taken: AsyncIterator[QueuedMessage] = field(init=False)

    def __post_init__(self) -> None:
        self.taken = self.kept.inbox.take()

    @property
    def progress(self) -> Progress:
        assert self.kept.progress
        return self.kept.progress

    async def take(self) -> QueuedMessage:
        async with asyncio.timeout(30):
            return await anext(self.taken)

    async def finds_nothing(self) -> bool:
        """Whether it can take nothing now. Not to be asked of a program that takes afterwards."""
        try:
            async with asyncio.timeout(1.2):  # two looks
                await anext(self.taken)
        except TimeoutError:
            return True
        return False

    def freeze(self) -> None:
        """It does not renew what it has, nor hear that others took it."""
        self.kept.run_leases.list_renewable = dict  # type: ignore[method-assign]


@asynccontextmanager
async def programs(
    url: str, count: int = 2, sharing: Sharing = LONG
) -> AsyncIterator[list[Program]]:
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(count):
            kept = await stack.enter_async_context(open_persistence(url, sharing=sharing))
            program = Program(kept)
            stack.push_async_callback(program.taken.aclose)  # type: ignore[attr-defined]
            opened.append(program)
        yield opened


@pytest.fixture
def server(postgres: str) -> str:
    asyncio.run(order(postgres, EMPTIED))
    return postgres


def elsewhere(number: int) -> Thread:
    return Thread(Channel("slack", "T1", f"C{number}"), "1")


async def ask(url: str, query: str) -> list[tuple[object, ...]]:
    engine = create_async_engine(make_url(url).set(drivername="postgresql+asyncpg"))
    async with engine.connect() as connection:
        rows = [tuple(row) for row in await connection.execute(text(query))]
    await engine.dispose()
    return rows


async def test_a_message_is_taken_by_one_program(server: str) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)

        assert (await one.take()).run == ONE
        assert await two.finds_nothing()


async def test_a_duplicate_that_another_program_gets_is_accepted_once(server: str) -> None:
    async with programs(server, 3) as several, asyncio.TaskGroup() as group:
        accepts = [
            group.create_task(
                several[n % 3].kept.inbox.accept(message(f"{n % 5}"), RunId(f"{n % 5}"))
            )
            for n in range(30)
        ]

    assert sum(accept.result() for accept in accepts) == 5


async def test_a_program_is_woken_by_what_another_one_accepts(server: str) -> None:
    async with programs(server) as (one, two), asyncio.TaskGroup() as group:
        waiting = group.create_task(two.take())
        await asyncio.sleep(0)
        await one.kept.inbox.accept(message("1"), ONE)

        assert (await waiting).run == ONE


async def test_the_next_of_a_thread_waits_for_the_one_that_another_program_answers(
    server: str,
) -> None:
    async with programs(server, 3) as (one, two, three):
        for number, each in (("1", ONE), ("2", TWO)):
            await one.kept.inbox.accept(message(number), each)
        assert (await one.take()).run == ONE
        assert await three.finds_nothing()

        await one.kept.inbox.finish(ONE)

        assert (await two.take()).run == TWO


async def test_a_dead_program_s_run_is_taken_over_in_its_place(server: str) -> None:
    async with programs(server, sharing=SHORT) as (dead, alive):
        await dead.kept.inbox.accept(message("1"), ONE)
        await dead.kept.inbox.accept(message("2"), TWO)
        assert (await dead.take()).run == ONE
        dead.freeze()

        taken = await alive.take()

        assert (taken.run, taken.attempt) == (ONE, 2)
        assert alive.kept.run_leases.takeovers == 1
        await alive.kept.inbox.finish(ONE)
        assert (await alive.take()).run == TWO


async def test_a_program_that_renews_keeps_its_run(server: str) -> None:
    async with programs(server, sharing=SHORT) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()

        assert await two.finds_nothing()
        assert await one.kept.inbox.finish(ONE)


async def test_what_a_woken_program_still_writes_is_refused(server: str) -> None:
    async with programs(server, sharing=SHORT) as (frozen, other):
        await frozen.kept.inbox.accept(message("1"), ONE)
        await frozen.take()
        await frozen.kept.ledger.begin(f"{ONE}:page:0")
        frozen.freeze()
        await other.take()
        writes = (
            frozen.kept.journal.record(ONE, "plan", '"late"'),
            frozen.kept.ledger.begin(f"{ONE}:page:1"),
            frozen.kept.ledger.done(f"{ONE}:page:0", "late"),
            frozen.kept.store.keep(run(ONE), THREAD),
            frozen.kept.store.keep_prompts(ONE, ()),
            frozen.progress.tell(ONE, Position(), [AnswerPart("late")]),
            frozen.kept.inbox.check(ONE),
            frozen.kept.inbox.await_cancellation(ONE),
            frozen.kept.inbox.finish(ONE),
        )

        for write in writes:
            with pytest.raises(LeaseLost):
                await write

        assert frozen.kept.run_leases.losses == 1
        assert await other.kept.journal.recall(ONE) == {}
        assert await other.kept.ledger.begin(f"{ONE}:page:0") == (Posting.UNSURE, "")
        assert await other.kept.ledger.begin(f"{ONE}:page:1") == (Posting.FRESH, "")
        await other.kept.journal.record(ONE, "plan", '"ours"')
        await other.kept.ledger.done(f"{ONE}:page:0", "ours")
        await other.progress.tell(ONE, Position(), [AnswerPart("ours")])
        await other.kept.store.keep(run(ONE), THREAD)
        assert await other.kept.inbox.finish(ONE)
        assert await other.kept.journal.recall(ONE) == {"plan": '"ours"'}


async def test_whoever_loses_a_run_is_told_by_the_renewal(server: str) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        await order(server, _LAPSE)
        await two.take()

        one.kept.run_leases.is_due.set()

        async with asyncio.timeout(30):
            with pytest.raises(LeaseLost):
                await one.kept.inbox.await_cancellation(ONE)
        with pytest.raises(LeaseLost):
            await one.kept.inbox.check(ONE)


@pytest.mark.parametrize("left", [-1, LONG.seconds * SHARE_UNPOSTED - 1])
async def test_a_lease_that_is_about_to_run_out_is_renewed_before_a_post(
    server: str, left: float
) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        await order(server, _LAPSE)
        leases = one.kept.run_leases
        leases.runs[ONE].until = leases.clock() + left

        async with asyncio.timeout(30):
            await one.kept.inbox.check(ONE)

        assert await two.finds_nothing()


async def test_a_program_takes_no_run_that_it_still_works_on(server: str) -> None:
    async with programs(server, 1) as (one,):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        await order(server, _LAPSE)

        assert await one.finds_nothing()


async def test_a_run_that_was_lost_and_left_can_be_taken_again(server: str) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        await order(server, _LAPSE)
        await two.take()
        one.kept.run_leases.lose(ONE)
        await one.kept.inbox.give_back(ONE)
        await two.kept.inbox.give_back(ONE)

        taken = await one.take()

        assert (taken.run, taken.attempt) == (ONE, 3)
        assert await one.kept.inbox.finish(ONE)


async def test_what_a_stopped_program_gives_back_is_taken_at_once(server: str) -> None:
    async with programs(server, 1) as (one,):
        await one.kept.inbox.accept(message("1"), ONE)
        async with programs(server, 1) as (two,):
            assert (await two.take()).run == ONE

        taken = await one.take()

        assert (taken.run, taken.attempt) == (ONE, 2)


async def test_a_taking_whose_answer_got_lost_heals_by_itself(server: str) -> None:
    async with programs(server, sharing=SHORT) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        one.kept.run_leases.drop(ONE)  # as if the answer had never come

        assert (await two.take()).attempt == 2


async def test_what_is_taken_during_a_renewal_is_not_judged_by_it(server: str) -> None:
    async with programs(server, 1) as (one,):
        leases = one.kept.run_leases
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        asked = leases.list_renewable()
        await one.kept.inbox.accept(message("2", elsewhere(2)), TWO)
        await one.take()

        leases.note_renewal(asked, {ONE: False}, leases.clock())
        assert not leases.runs[TWO].is_lost
        leases.note_renewal(asked, {}, leases.clock())
        assert leases.runs[ONE].is_lost
        assert not leases.runs[TWO].is_lost


async def test_a_renewal_is_not_judged_for_a_later_attempt_of_the_run(server: str) -> None:
    async with programs(server, 1) as (one,):
        leases = one.kept.run_leases
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        asked = leases.list_renewable()
        await one.kept.inbox.give_back(ONE)
        await one.take()

        leases.note_renewal(asked, {}, leases.clock())

        assert not leases.runs[ONE].is_lost


async def test_a_run_is_cancelled_from_another_program(server: str) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()

        assert await two.kept.inbox.cancel(ONE)

        async with asyncio.timeout(30):
            await one.kept.inbox.await_cancellation(ONE)


async def test_a_cancelled_run_is_known_to_be_by_whoever_takes_it_over(server: str) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.kept.inbox.cancel(ONE)
        await one.take()
        await order(server, _LAPSE)

        await two.take()

        async with asyncio.timeout(30):
            await two.kept.inbox.await_cancellation(ONE)


async def test_without_notifications_everything_is_found_by_looking(server: str) -> None:
    async with programs(server, sharing=SHORT) as (one, two):
        for each in (one, two):
            each.kept.notifications.subscribers = LocalNotifications("one")  # type: ignore[attr-defined]
        await one.kept.inbox.accept(message("1"), ONE)
        await one.kept.inbox.accept(message("2"), TWO)
        assert (await two.take()).run == ONE
        await one.kept.inbox.cancel(ONE)
        async with asyncio.timeout(30):
            await two.kept.inbox.await_cancellation(ONE)
        await two.kept.inbox.finish(ONE)

        assert (await one.take()).run == TWO


async def test_the_work_goes_on_when_the_server_has_cut_all_connections(server: str) -> None:
    async with programs(server, sharing=SHORT) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.kept.inbox.accept(message("2"), TWO)
        await one.take()
        await order(server, _END_BACKENDS)

        await one.kept.journal.record(ONE, "plan", "1")
        await one.kept.inbox.finish(ONE)
        await order(server, _END_BACKENDS)

        assert (await two.take()).run == TWO
        assert await two.kept.inbox.finish(TWO)


async def test_a_program_takes_as_many_as_it_has_room_for_and_commands_beside(server: str) -> None:
    async with programs(server, sharing=replace(LONG, most_runs=5)) as (one, two):
        for number in range(12):
            await one.kept.inbox.accept(
                message(str(number), elsewhere(number)), RunId(f"run{number}")
            )
        first = [await one.take() for _ in range(5)]
        command = replace(message("99"), beside=True)
        await two.kept.inbox.accept(command, RunId("command"))

        assert (await one.take()).run == "command"
        second = [await two.take() for _ in range(5)]
        await one.kept.inbox.finish(first[0].run)
        assert (await one.take()).run == "run10"
        assert len({each.run for each in first + second}) == 10


async def test_what_is_stopped_while_nobody_has_room_for_it_is_taken_at_once(server: str) -> None:
    async with programs(server, sharing=replace(LONG, most_runs=1)) as (one, two):
        for number, run in enumerate(("busy", "busy too", "waits", "is stopped")):
            await one.kept.inbox.accept(message(str(number), elsewhere(number)), RunId(run))
        await one.take()
        await two.take()
        await two.kept.inbox.cancel(RunId("is stopped"))

        stopped = await one.take()
        await one.kept.inbox.await_cancellation(stopped.run)
        assert stopped.run == "is stopped"


async def test_a_message_of_a_newer_version_is_left_for_a_program_that_reads_it(
    server: str,
) -> None:
    async with programs(server, 1) as (one,):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.kept.inbox.accept(message("2"), TWO)
        await order(server, "UPDATE inbox SET body = '{\"new\"\\:1}' WHERE run = 'run1'")

        assert (await one.take()).run == TWO  # it does not hold up the others here
        assert await one.finds_nothing()
        assert await ask(server, "SELECT owner, attempts FROM inbox WHERE run = 'run1'") == [
            (None, 0)
        ]


async def test_a_message_that_was_accepted_without_a_lane_gets_one(server: str) -> None:
    async with programs(server, 1) as (one,):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.kept.inbox.accept(replace(message("2"), beside=True), TWO)
        await order(server, "UPDATE inbox SET lane = NULL")

        assert {(await one.take()).run for _ in range(2)} == {ONE, TWO}


async def test_a_message_deleted_while_another_program_answers_it_is_stopped_there(
    server: str,
) -> None:
    async with programs(server) as (one, two):
        await one.kept.inbox.accept(message("1"), ONE)
        await one.take()
        await two.kept.store.unlog(message("1").key)
        await two.kept.inbox.cancel(ONE)

        async with asyncio.timeout(30):
            await one.kept.inbox.await_cancellation(ONE)
        assert await one.kept.inbox.message(ONE) is not None
        assert not await one.kept.inbox.finish(ONE)  # so that what it left is deleted
        await one.kept.store.unlog(ONE)
        assert await ask(server, "SELECT run FROM inbox") == []


async def test_what_waits_is_counted_by_platform_for_all_programs(server: str) -> None:
    async with programs(server) as (one, two):
        for number in range(3):
            await one.kept.inbox.accept(message(str(number)), RunId(f"run{number}"))
        console = Thread(Channel("console", "w", "c"), "1")
        await one.kept.inbox.accept(message("9", console), RunId("other"))
        await one.take()
        await one.take()

        for each in (one, two):
            waiting = await each.kept.inbox.measure_backlog()
            assert {name: number.count for name, number in waiting.items()} == {"slack": 2}
            listed = await each.kept.inbox.list_backlog(THREAD)
            assert [queued.run for queued in listed] == ["run1", "run2"]


async def work(
    program: Program, order_of: dict[str, list[str]], busy: set[str], *, seed: int
) -> None:
    """Answer what comes, sometimes losing it, until cancelled."""
    chance = random.Random(seed)

    async def process(queued: QueuedMessage) -> None:
        lane = queued.message.lane
        assert lane not in busy
        busy.add(lane)
        await asyncio.sleep(chance.random() / 100)
        await program.kept.journal.record(queued.run, "step", "1")
        busy.remove(lane)
        if chance.random() < 0.1:
            await program.kept.inbox.give_back(queued.run)
            return
        order_of[lane].append(queued.message.id)
        await program.kept.inbox.finish(queued.run)

    async with asyncio.TaskGroup() as group:
        async for queued in program.taken:
            group.create_task(process(queued))


@pytest.mark.parametrize("seed", range(3))
async def test_under_load_all_threads_are_answered_in_order_each_message_once(
    server: str, seed: int
) -> None:
    chance, order_of, busy = random.Random(seed), defaultdict[str, list[str]](list), set[str]()
    sent: dict[str, list[str]] = defaultdict(list)
    async with programs(server, 3) as several, limited_group() as group:
        workers = [
            group.create_task(work(each, order_of, busy, seed=seed + n))
            for n, each in enumerate(several)
        ]
        for number in range(200):
            each = message(f"{number:03}", elsewhere(chance.randrange(12)))
            sent[each.lane].append(each.id)
            await accept_somewhere(chance, several, each, RunId(f"run{number}"))
        while await several[0].kept.inbox.list_waiting():  # noqa: ASYNC110 - the port cannot tell
            await asyncio.sleep(0.05)
        for worker in workers:
            worker.cancel()

    assert order_of == sent
    assert not busy


@asynccontextmanager
async def limited_group() -> AsyncIterator[asyncio.TaskGroup]:
    """Tasks that have two minutes."""
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        yield group


async def accept_somewhere(
    chance: random.Random, several: list[Program], said: Incoming, name: RunId
) -> None:
    """Have one program accept a message, or two at once."""
    inboxes = [each.kept.inbox for each in chance.sample(several, chance.choice((1, 1, 2)))]
    async with asyncio.TaskGroup() as group:
        accepted = [group.create_task(inbox.accept(said, name)) for inbox in inboxes]
    assert [each.result() for each in accepted].count(True) == 1


async def test_no_connection_holds_locks_for_long(server: str) -> None:
    async with programs(server, 1) as (one,), asyncio.TaskGroup() as group:
        database = one.kept.store.database
        shown = [
            group.create_task(
                database.write(
                    lambda tx: tx.scalar(text("SHOW idle_in_transaction_session_timeout"))
                )
            )
            for _ in range(20)
        ]

    assert {each.result() for each in shown} == {"3s"}
