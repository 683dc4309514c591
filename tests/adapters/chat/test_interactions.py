"""Of several replicas, one answers a command or click."""

import asyncio
from collections.abc import Awaitable, Callable

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue, Json
from pipeline.domain import LocalizedText, Reply
from pipeline.ports import LEASE_SECONDS
from tests.fakes.clock import SkippingLoop
from tests.fakes.persistence import FakeInteractions
from tests.fakes.replicas import FakeReplicas


def test_a_replica_that_loses_the_lease_leaves_an_interaction_to_the_other() -> None:
    interactions = FakeInteractions()
    begun, sent = list[str](), list[tuple[str, Reply]]()
    cancelled, is_sent = asyncio.Event(), asyncio.Event()

    async def hang(_: Json) -> Reply:
        begun.append("one")
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    async def execute(_: Json) -> Reply:
        begun.append("two")
        return Reply("Done.")

    def make(
        name: str,
        execute: Callable[[Json], Awaitable[Reply]],
        replicas: FakeReplicas,
        tasks: asyncio.TaskGroup,
    ) -> InteractionQueue:
        async def send(_: Json, reply: Reply) -> None:
            sent.append((name, reply))
            is_sent.set()

        async def notify(_: Json, sentence: LocalizedText) -> None:
            raise AssertionError(sentence)

        return InteractionQueue(
            platform="chat",
            interactions=interactions,
            leases=replicas.leases(),
            dispatcher=Dispatcher(tasks),
            find_id=lambda payload: str(payload["id"]),
            find_person=lambda _: "ada",
            execute=execute,
            send=send,
            notify=notify,
        )

    async def run() -> None:
        replicas = FakeReplicas(now=asyncio.get_running_loop().time)
        async with asyncio.TaskGroup() as tasks:
            one, two = make("one", hang, replicas, tasks), make("two", execute, replicas, tasks)
            assert await one.accept({"id": "7"})
            watching = tasks.create_task(two.watch())
            await asyncio.sleep(2 * LEASE_SECONDS)
            assert begun == ["one"]
            replicas.rows.clear()  # as if one had been frozen for longer than its lease
            assert await two.leases.acquire("interaction:chat:7", LEASE_SECONDS)
            await cancelled.wait()
            await is_sent.wait()
            watching.cancel()

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(run())

    assert begun == ["one", "two"]
    assert sent == [("two", Reply("Done."))]
