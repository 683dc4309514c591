"""Delivery: the events of a run, recorded and shown in its chat until its end stands there."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import stamina
import structlog

from pipeline.domain import (
    Answered,
    AnswerPart,
    Apologised,
    Attachment,
    Estimate,
    Event,
    Finished,
    LocalizedText,
    Outcome,
    Person,
    Plan,
    Planned,
    RejectedFile,
    Repair,
    Run,
    RunState,
    TaskId,
    Turn,
    Type,
)
from pipeline.errors import ChatError, ChatGone, ChatRefused, SettingsError, cause
from pipeline.ports import Chat, QueuedMessage
from pipeline.prompts import versions
from pipeline.words import say

log = structlog.get_logger()

_ALT = 120
"""Letters that tell later planners what is in a file that was made."""
BOT = Person("troupe", "Troupe", is_bot=True)


class Recorder:
    """The events of one run. `record` never waits; whoever reads them reads at their own pace."""

    def __init__(self, queued: QueuedMessage) -> None:
        self._queued = queued
        self._events: list[Event] = []
        self._news = asyncio.Event()
        self._outcomes: dict[TaskId, Outcome] = {}
        self._plan = Plan()
        self._repairs: tuple[Repair, ...] = ()
        self._estimate: Estimate | None = None
        self._last: Answered | Apologised | None = None
        self._state = RunState.RUNNING
        self.rejected: tuple[RejectedFile, ...] = ()
        self.sent: tuple[Type, ...] = ()

    @property
    def reference(self) -> str:
        return self._queued.run[:8]

    @property
    def ended(self) -> bool:
        return self._last is not None

    @property
    def stopped(self) -> bool:
        return self._state is RunState.STOPPED

    def record(self, event: Event) -> None:
        """What comes after the last event is not told any more."""
        if self.ended:
            return
        self._events.append(event)
        match event:
            case Planned(plan, repairs, estimate):
                self._plan, self._repairs, self._estimate = plan, repairs, estimate
            case Finished(task, outcome):
                self._outcomes[task] = outcome
            case Answered():
                self._last, self._state = event, RunState.ANSWERED
            case Apologised():
                self._last, self._state = event, RunState.APOLOGISED
            case _:
                pass
        self._news.set()

    def apologise(self, reason: LocalizedText, state: RunState = RunState.APOLOGISED) -> None:
        if not self.ended:
            self.record(Apologised(reason, self.reference))
            self._state = state

    def apologise_for_bug(self) -> None:
        self.apologise(LocalizedText("apology-bug", {"reference": self.reference}))

    def replace_with_apology(self) -> None:
        """Drop what was recorded: showing it is a bug, so the end is an apology for that."""
        self._events, self._last = [], None
        self.apologise_for_bug()

    async def events(self) -> AsyncIterator[Event]:
        """The events from the first, as they come, to the last one. For one reader at a time."""
        seen = 0
        while not self.ended or seen < len(self._events):
            self._news.clear()
            for event in self._events[seen:]:
                seen += 1
                yield event
            if not self.ended and seen == len(self._events):
                await self._news.wait()

    def serialize(self, write: Callable[[Event], str]) -> Sequence[tuple[int, str]]:
        """The events for the store, without pieces of the text: the answer holds them."""
        kept = [event for event in self._events if not isinstance(event, AnswerPart)]
        return [(number, write(event)) for number, event in enumerate(kept)]

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        if isinstance(self._last, Answered):
            files = self._last.answer.files
            return tuple(replace(file.attachment, description=file.alt[:_ALT]) for file in files)
        return ()

    def turn(self, at: datetime) -> Turn | None:
        """What the bot said, for the chat log (its files still without names)."""
        match self._last:
            case Answered(answer):
                return Turn(self._queued.run, BOT, answer.text, (), at)
            case Apologised(reason):
                return Turn(self._queued.run, BOT, say("en", reason), (), at)
            case _:
                return None

    @property
    def run(self) -> Run:
        message = self._queued.message
        return Run(
            self._queued.run,
            message.thread.key,
            message.person.id,
            message.text,
            self._state,
            self._plan,
            self._repairs,
            dict(self._outcomes),
            self._last.answer if isinstance(self._last, Answered) else None,
            self.rejected,
            self._estimate,
            self.sent,
            message.addressing.audience,
            versions(),
            message.key,
        )


@dataclass(frozen=True, slots=True)
class Redelivery:
    """How long to wait, in seconds, before a platform that could not be reached is tried again."""

    first: float = 1.0
    longest: float = 60.0


async def deliver_run(
    queued: QueuedMessage,
    chat: Chat,
    recorder: Recorder,
    redelivery: Redelivery,
    is_wanted: Callable[[], Awaitable[bool]],
) -> None:
    """Show a run in its chat until its end stands there, however long the platform is away.

    `is_wanted` is asked before each further try; the run may have been forgotten meanwhile.
    A bug in showing the run is shown as an apology. Raises ChatGone or ChatRefused when
    trying again is of no use.
    """
    async for attempt in stamina.retry_context(
        on=_is_outage,
        attempts=None,
        timeout=None,
        wait_initial=redelivery.first,
        wait_max=redelivery.longest,
        wait_jitter=min(1.0, redelivery.first),
    ):
        if attempt.num > 1 and not await is_wanted():
            return
        with attempt:
            try:
                await _follow(queued, chat, recorder)
            except Exception as error:
                if cause(error) is not None:
                    raise
                log.exception("showing broke", run=queued.run)
                recorder.replace_with_apology()
                await _follow(queued, chat, recorder)


def _is_outage(error: BaseException) -> bool:
    """Whether the platform may take it later: it was not reached, or wants another token."""
    known = cause(error)
    if isinstance(known, ChatGone | ChatRefused):
        return False
    return isinstance(known, ChatError | SettingsError)


async def _follow(queued: QueuedMessage, chat: Chat, recorder: Recorder) -> None:
    """In a task of its own: an error raised while the program ends must not hide that it ends."""
    message = replace(queued.message, person=queued.message.asker)

    async def follow() -> Exception | None:
        try:
            await chat.follow(message, queued.run, recorder.events())
        except Exception as error:  # noqa: BLE001 - raised again below
            return error
        return None

    async with asyncio.TaskGroup() as group:
        following = group.create_task(follow())
    if (error := following.result()) is not None:
        raise error
