"""A platform's commands and clicks: stored before they are acknowledged, answered once."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import structlog

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.retrying import make_retrying
from pipeline.codec import dump, load
from pipeline.domain import LocalizedText, Reply
from pipeline.errors import LeaseLost, StoreUnavailable, is_passing
from pipeline.leasing import hold_lease
from pipeline.ports import Interactions, Leases, PendingInteraction

Json = dict[str, Any]

_TELLING_SECONDS = 2.0
"""For telling, at the end of the program, that something was not stored."""
_LOOK_SECONDS = 5.0
"""The pause between two looks for interactions that nobody works on."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionQueue:
    """Answers a platform's commands and clicks, each once.

    A platform sends an interaction only once and wants to hear of it within seconds. So `accept`
    stores it and returns; in the background, it is carried out, its reply is recorded, and the
    reply is sent. After a restart, `watch` goes on with those that have no answer yet, also with
    those of a replica of the program that died: each has a lease while it is worked on. What fails
    because the platform or the database is down is retried until it is up again. What cannot be
    stored within `patience` is held in memory, and the person is told so.

    An example, where a program is killed after the reply was recorded:

        await queue.accept({"id": "7"})  # True: stored; execute({"id": "7"}) returns Reply("Done.")
        await queue.accept({"id": "7"})  # False: known
        # killed, and started again
        await queue.watch()              # send({"id": "7"}, Reply("Done.")), and no execute
    """

    platform: str
    interactions: Interactions
    """Stores them. Their ids name no person."""
    leases: Leases
    dispatcher: Dispatcher
    find_id: Callable[[Json], str]
    """The platform's id of an interaction."""
    find_person: Callable[[Json], str]
    """The id of the person who typed or pressed."""
    execute: Callable[[Json], Awaitable[Reply]]
    """Carries out an interaction, given the platform's JSON. Repeated if it is interrupted."""
    send: Callable[[Json, Reply], Awaitable[None]]
    """Sends the reply. Repeated if it is interrupted, or raises ChatError for an outage."""
    notify: Callable[[Json, LocalizedText], Awaitable[None]]
    """Tells the person something at once, without the database. Must not raise."""
    first_wait: float = 1.0
    """Seconds to wait before the first retry."""
    patience: float = 1.5
    """Seconds until an acknowledgement must not wait for the database any more."""
    working: set[str] = field(default_factory=set)
    """The ids of those that are worked on here."""

    async def accept(self, payload: Json) -> bool | None:
        """Store an interaction durably and start to answer it.

        Returns True if it is new, False if it is known, None if it is not stored in time, but held.
        Raises StoreUnavailable while the bot is not listening.
        """
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        if not self.dispatcher.start(self._take, payload, stored):
            raise StoreUnavailable("store-gone")
        await asyncio.wait((stored,), timeout=self.patience)
        return None if stored.cancel() else stored.result()

    async def _take(self, payload: Json, stored: asyncio.Future[bool]) -> None:
        """Store an interaction, however long that takes, and answer it."""
        pending = PendingInteraction(self.find_id(payload), json.dumps(payload))
        async with self.dispatcher.outage.tell_if_late(partial(self.notify, payload)):
            try:
                is_new = await self._store(pending, payload)
            except asyncio.CancelledError:
                if stored.cancelled():  # it was held, and nobody will know of it any more
                    await self._tell_of_end(payload)
                raise
        if not stored.done():
            stored.set_result(is_new)
        if is_new:
            await self._work_on(pending)

    async def _store(self, pending: PendingInteraction, payload: Json) -> bool:
        person = self.find_person(payload)
        try:
            return await self.interactions.accept(
                self.platform, pending.id, pending.payload, person
            )
        except StoreUnavailable as damaged:
            log.exception("interaction not stored", platform=self.platform)
            await self.notify(payload, damaged.sentence)
            return False

    async def _tell_of_end(self, payload: Json) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_TELLING_SECONDS):
                await self.notify(payload, LocalizedText("store-stopped"))

    async def accept_and_wait(
        self, payload: Json, *, seconds: float, fits: Callable[[Reply], bool]
    ) -> Reply | None:
        """Like `accept`; return the reply if it is there in time and fits an acknowledgement.

        Such a reply counts as sent, so it is neither lost nor repeated after a restart.
        """
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        async def hand_over(payload: Json, reply: Reply) -> None:
            if fits(reply) and not waiting.done():
                waiting.set_result(reply)
            else:
                waiting.cancel()
                await self.send(payload, reply)

        if not await replace(self, send=hand_over).accept(payload):
            waiting.cancel()
            return None
        await asyncio.wait((waiting,), timeout=seconds)
        if waiting.cancel() or waiting.cancelled():
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(self.patience):
                await self.interactions.finish(self.platform, self.find_id(payload))
        return waiting.result()

    async def watch(self) -> None:
        """Go on with interactions that were interrupted, here or in a replica, until cancelled."""
        while True:
            try:
                for pending in await self.interactions.list_pending(self.platform):
                    self.dispatcher.start(self._work_on, pending)
            except StoreUnavailable:
                log.exception("interrupted interactions not found", platform=self.platform)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _work_on(self, pending: PendingInteraction) -> None:
        """Answer an interaction, unless it is worked on already, here or in a replica."""
        if pending.id in self.working:
            return
        self.working.add(pending.id)
        name = f"interaction:{self.platform}:{pending.id}"
        tell = partial(self.notify, json.loads(pending.payload))
        try:
            async with hold_lease(self.leases, name) as is_ours:
                if is_ours:
                    async with self.dispatcher.outage.tell_if_late(tell):
                        # Whoever worked on it may have finished it since it was stored or listed.
                        find = self.interactions.list_pending
                        for each in await find(self.platform, pending.id):
                            await self._answer(each)
                    await self.interactions.finish(self.platform, pending.id)
        except LeaseLost:
            log.warning("another replica goes on with an interaction", platform=self.platform)
        finally:
            self.working.discard(pending.id)

    async def _answer(self, pending: PendingInteraction) -> None:
        """Carry out an interaction unless its reply is known, and send the reply. Never raises."""
        payload: Json = json.loads(pending.payload)
        retry = make_retrying(self.first_wait, is_passing)
        try:
            if pending.reply:
                reply: Reply = load(Reply, pending.reply)
            else:
                reply = await retry(self.execute, payload)
                record = self.interactions.record
                if not await retry(record, self.platform, pending.id, dump(reply)):
                    log.info("interaction answered by another program", platform=self.platform)
                    return
            await retry(self.send, payload, reply)
        except Exception:  # boundary: nothing is left to try
            log.exception("interaction not answered", platform=self.platform)
