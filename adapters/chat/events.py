"""Incoming platform events: deduplicated, ordered within a channel, with failures contained.

Commands and clicks are stored before they are acknowledged, and answered after a restart, too.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterator,
    Sequence,
)
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeVar, TypeVarTuple
from uuid import uuid4
from weakref import WeakValueDictionary

import stamina
import structlog
from cachetools import TTLCache

from adapters.chat.uploads import Sign
from pipeline.codec import dump, load
from pipeline.domain import Blob, Command, Incoming, Link, LocalizedText, Reply, Thread
from pipeline.errors import ChatError, StoreUnavailable, TroupeError, is_passing
from pipeline.outage import Outage, Tell
from pipeline.ports import (
    Cache,
    ChatLog,
    Fetch,
    Files,
    Interactions,
    Ledger,
    MediaTools,
    PendingInteraction,
)
from pipeline.words import say

Json = dict[str, Any]
T = TypeVar("T")
Args = TypeVarTuple("Args")

_MOST_KEPT, _HOUR = 100_000, 3600
_LONGEST_WAIT = 60.0
_MOST_HELD = 2_000
"""Events that wait in memory. Those beyond are read from the platform later."""
_TELLING_SECONDS = 2.0
"""For telling, at the end of the program, that something was not stored."""
_LONGEST = timedelta(days=3)
"""How old a missed message may be to be taken."""
_STEP, _MARGIN = timedelta(seconds=10), timedelta(minutes=5)
"""How often a mark is moved, and how far before it reading starts.

Messages are handled side by side: an older one may be taken after a newer one has moved the mark.
Our clock, too, may be ahead of the platform's. What is read twice is taken once.
"""
_MOST_LOGGED = 100

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPorts:
    """The ports that chat platforms use."""

    ledger: Ledger
    files: Files
    media: MediaTools
    sign: Sign
    fetch: Fetch
    chat_log: ChatLog
    cache: Cache
    interactions: Interactions
    outage: Outage


@dataclass(slots=True)
class Dispatcher:
    """Handles events concurrently, but one at a time within a channel."""

    tasks: asyncio.TaskGroup | None = None
    """Runs the handlers; None while the bot is not listening."""
    outage: Outage = field(default_factory=Outage)
    known: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """What was handled and is stored: platforms deliver some events repeatedly."""
    _held: int = 0
    _locks: WeakValueDictionary[int | str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    @property
    def is_full(self) -> bool:
        """Whether so many events wait in memory that others had better not."""
        return self._held >= _MOST_HELD

    def lock(self, channel: int | str) -> asyncio.Lock:
        """The lock that keeps a channel's events in order."""
        return self._locks.setdefault(channel, asyncio.Lock())

    def start(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int | str = "",
        tell: Tell | None = None,
    ) -> bool:
        """Handle something in the background; what has the same channel is handled in order.

        `tell` is called if it has to wait because nothing can be stored. False while the bot is
        not listening: the platform or the inbox repeats it.
        """
        if self.tasks is None:
            return False
        work = self._contain(handle, *args, channel=channel, tell=tell)
        try:
            self.tasks.create_task(work)
        except RuntimeError:  # we are shutting down
            work.close()
            return False
        return True

    async def _contain(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int | str,
        tell: Tell | None,
    ) -> None:
        """Handle one event and log a bug in that, so that the other events go on."""
        try:
            async with self.hold(channel, tell):
                await handle(*args)
        except Exception:
            log.exception("event handler failed")

    @asynccontextmanager
    async def hold(self, channel: int | str, tell: Tell | None) -> AsyncIterator[None]:
        """Keep an event in memory, from its arrival until it is handled in order."""
        self._held += 1
        try:
            async with (
                self.outage.tell_if_late(tell) if tell else nullcontext(),
                self.lock(channel) if channel else nullcontext(),
            ):
                yield
        finally:
            self._held -= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractionQueue:
    """Answers a platform's commands and clicks, each once.

    The ids of `interactions` name no person. What a restart interrupts is resumed; what fails
    because the platform or the database is down is retried until it is up again. Platforms send
    each only once, and want to hear of it within seconds: what cannot be stored by then is held in
    memory, and the person is told so.
    """

    platform: str
    interactions: Interactions
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

    async def accept(self, payload: Json) -> bool | None:
        """Store an interaction durably and start to answer it. False for a duplicate.

        None if it is not stored in time, but held. Raises StoreUnavailable while the bot is not
        listening.
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
                await self._try_to_answer(pending)
        if is_new:
            await self.interactions.finish(self.platform, pending.id)

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

    async def resume(self) -> None:
        """Go on with the interactions that were interrupted."""
        for pending in await self.interactions.list_pending(self.platform):
            self.dispatcher.start(self._answer, pending)

    async def _answer(self, pending: PendingInteraction) -> None:
        await self._try_to_answer(pending)
        await self.interactions.finish(self.platform, pending.id)

    async def _try_to_answer(self, pending: PendingInteraction) -> None:
        try:
            await self._execute_and_send(pending)
        except Exception:  # boundary: nothing is left to try
            log.exception("interaction not answered", platform=self.platform)

    async def _execute_and_send(self, pending: PendingInteraction) -> None:
        payload: Json = json.loads(pending.payload)
        retry = make_retrying(self.first_wait, is_passing)
        if pending.reply:
            reply: Reply = load(Reply, pending.reply)
        else:
            reply = await retry(self.execute, payload)
            await retry(self.interactions.record, self.platform, pending.id, dump(reply))
        await retry(self.send, payload, reply)


def make_retrying(
    first_wait: float, on: Callable[[Exception], bool]
) -> stamina.BoundAsyncRetryingCaller:
    """A caller that repeats a call as long as it raises such errors."""
    return stamina.AsyncRetryingCaller(
        attempts=None,
        timeout=None,
        wait_initial=first_wait,
        wait_max=_LONGEST_WAIT,
        wait_jitter=first_wait,
    ).on(on)


async def contain(work: Awaitable[T]) -> T | LocalizedText:
    """Await what a person asked for: its result, or the sentence that says what went wrong.

    Raises an error that passes: then it can be tried again.
    """
    try:
        return await work
    except TroupeError as error:
        if is_passing(error):
            raise
        return error.sentence
    except Exception:
        reference = uuid4().hex[:8]
        log.exception("request failed", reference=reference)
        return LocalizedText("apology-bug", {"reference": reference})


def find_erasing(message: Incoming, commands: Sequence[Command]) -> str:
    """The words of a command to the bot that deletes for good; "" if a message is none."""
    words = " ".join(message.bare_text.lower().split())
    erasing = [f"{command.name} {what}" for command in commands for what in command.erasing]
    return words if words in erasing and not message.addressing.is_overheard else ""


def ask_to_erase(words: str) -> LocalizedText:
    """The question whether to carry out a command that deletes: what it deletes, and where."""
    return LocalizedText("erase", {"what": words, "scope": words.partition(" ")[2]})


async def contain_reply(work: Awaitable[Reply], locale: str) -> Reply:
    """The reply to a command or click; an error becomes a reply, too."""
    result = await contain(work)
    return Reply(say(locale, result)) if isinstance(result, LocalizedText) else result


def is_unexpected_page(blob: Blob, link: Link) -> bool:
    """Whether a download returned a web page, such as a sign-in page, instead of the file."""
    start = blob.data[:200].lstrip().lower()
    is_page = "html" in blob.media_type or start.startswith((b"<!doctype html", b"<html"))
    is_unknown_page = link.media_type == "text/html" and link.size < 0
    return is_page and not is_unknown_page and link.size != len(blob.data)


# --- what happened while the bot was away ---


@dataclass(frozen=True, slots=True)
class Gap:
    """A place (a workspace or a server) to read, because the bot was away."""

    place: str
    threads: Sequence[tuple[Thread, str]]
    """Those in which somebody wrote lately, with the id of the last message."""
    since: datetime
    spans: dict[str, tuple[datetime, Collection[str]]] = field(default_factory=dict)
    """By channel or thread: after when it was read, and the ids of the messages in it."""
    failures: list[ChatError] = field(default_factory=list)
    """What must be read again."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Read a part. What the platform refuses for good is left out."""
        try:
            yield
        except ChatError as error:
            log.warning("could not backfill", place=self.place, error=str(error))
            self.failures.extend([error] if is_passing(error) else ())

    def misses(self, thread: Thread, message: str, at: datetime) -> bool:
        """Whether a message of a thread is gone. The first one stands in the thread's channel."""
        room = thread.channel.id if message == thread.root else thread.root
        start, ids = self.spans.get(room, (at, ()))
        return at > start and message not in ids


@dataclass(slots=True, kw_only=True)
class Backfill:
    """Takes missed messages, edits and deletions, place by place.

    Each place has a mark, kept in the cache: the time of the newest message before which everything
    was taken. It stands still from the loss of the connection until the place was read up.
    """

    platform: str
    ports: ChatPorts
    find_time: Callable[[str], datetime | None]
    """When a message was written, by its id; None for the id of a run or a command."""
    make_id: Callable[[datetime], str]
    """An id that a message of this time may have."""
    read_rooms: Callable[[Gap], Awaitable[None]]
    """Takes what was written and edited in a gap."""
    skip: Callable[[Thread, str], None]
    """Makes `read_rooms` take nothing but an edit of this message."""
    delete: Callable[[Thread, str], Awaitable[None]]
    """Handles the deletion of a message of a thread."""
    pause: float = 15.0
    """Seconds before the first retry."""
    _losses: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: 1))
    """How often the connection was lost; 0 once what came meanwhile is read."""
    _marks: dict[str, datetime] = field(default_factory=dict)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def suspend(self, place: str) -> None:
        """Leave the mark where it is until `read`."""
        self._losses[place] += 1

    def read_later(self, place: str, dispatcher: Dispatcher) -> None:
        """Miss a message now, and catch up when the database takes messages again."""
        if not self._losses[place]:  # else somebody will do so
            self.suspend(place)
            dispatcher.start(self.read, place)

    def leave(self, place: str) -> None:
        """Try no more to read a place that the bot was removed from."""
        self._losses[place] = 0

    async def advance(self, place: str, message: str) -> None:
        """Move the mark of a place to a message that was taken there."""
        at, mark = self.find_time(message), self._marks.get(place)
        if at and not self._losses[place] and (mark is None or at >= mark + _STEP):
            await self._save(place, at)

    async def read(self, place: str) -> None:
        """Catch up. Without a mark, nothing is read; while something is down, try again."""
        retry = make_retrying(self.pause, lambda e: is_passing(e) and self._losses[place] > 0)
        await retry(self._read, place)

    async def _read(self, place: str) -> None:
        async with self._reading:
            losses, now = self._losses[place], datetime.now(UTC)
            active = await self.ports.chat_log.active_threads(self.platform, since=now - _LONGEST)
            threads = [each for each in active if each[0].channel.workspace == place]
            cached = await self.ports.cache.get(self._name(place))
            times = (self.find_time(id_) for thread, last in threads for id_ in (thread.root, last))
            mark = (
                self.find_time(cached.value) if cached else max(filter(None, times), default=None)
            )
            if mark:
                await self._fill(Gap(place, threads, max(mark - _MARGIN, now - _LONGEST)), mark)
            if self._losses[place] == losses:  # else it was lost again meanwhile
                self._losses[place] = 0
                await self._save(place, now)

    async def _fill(self, gap: Gap, mark: datetime) -> None:
        """Read a gap. Raises ChatError if the platform is down somewhere; the rest is read."""
        logged = [each for thread, _ in gap.threads for each in await self._find_logged(thread)]
        for thread, message, at in logged:
            if at <= mark:  # left to the people then, even if we take part in it now
                self.skip(thread, message)
        await self.read_rooms(gap)
        for thread, message, at in logged:
            if gap.misses(thread, message, at):
                await self.delete(thread, message)
        if gap.failures:
            raise gap.failures[0]

    async def _find_logged(self, thread: Thread) -> Sequence[tuple[Thread, str, datetime]]:
        """The newest messages of people that are logged for a thread."""
        context = await self.ports.chat_log.context(thread, turns=_MOST_LOGGED, tail=0)
        ids = (turn.key.removeprefix(f"{thread.channel.key}:") for turn in context.turns)
        return [(thread, id_, at) for id_ in ids if (at := self.find_time(id_))]

    async def _save(self, place: str, mark: datetime) -> None:
        self._marks[place] = mark
        await self.ports.cache.put(self._name(place), self.make_id(mark))

    def _name(self, place: str) -> str:
        return f"{self.platform}:{place}:read"
