"""What a run told while it was under way: handed to the chat as it comes, and kept as the run's record."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from pipeline.domain import (
    Answered,
    AnswerPart,
    Apologised,
    Attachment,
    Estimate,
    Event,
    Finished,
    Outcome,
    Person,
    Plan,
    Planned,
    Repair,
    Run,
    RunState,
    Sentence,
    TaskId,
    Turn,
    Type,
    Unused,
)
from pipeline.ports import Taken
from pipeline.prompts import versions
from pipeline.words import say

_ALT = 120
"""Letters that tell later planners what is in a file that was made."""
BOT = Person("troupe", "Troupe", is_bot=True)


class Recorder:
    """The events of one run. `tell` never waits; whoever reads them reads at their own pace."""

    def __init__(self, taken: Taken) -> None:
        self._taken = taken
        self._told: list[Event] = []
        self._news = asyncio.Event()
        self._outcomes: dict[TaskId, Outcome] = {}
        self._plan = Plan()
        self._repairs: tuple[Repair, ...] = ()
        self._estimate: Estimate | None = None
        self._last: Answered | Apologised | None = None
        self._state = RunState.RUNNING
        self.unused: tuple[Unused, ...] = ()
        self.sent: tuple[Type, ...] = ()

    @property
    def reference(self) -> str:
        return self._taken.run[:8]

    @property
    def ended(self) -> bool:
        return self._last is not None

    @property
    def stopped(self) -> bool:
        return self._state is RunState.STOPPED

    def tell(self, event: Event) -> None:
        """What comes after the last event is not told any more."""
        if self.ended:
            return
        self._told.append(event)
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

    def apologise(self, reason: Sentence, state: RunState = RunState.APOLOGISED) -> None:
        if not self.ended:
            self.tell(Apologised(reason, self.reference))
            self._state = state

    def take_back(self, reason: Sentence) -> None:
        """Whatever was told, the end is this apology."""
        self._told, self._last = [], None
        self.apologise(reason)

    async def events(self) -> AsyncIterator[Event]:
        """The events from the first, as they come, to the last one. For one reader at a time."""
        seen = 0
        while not self.ended or seen < len(self._told):
            self._news.clear()
            for event in self._told[seen:]:
                seen += 1
                yield event
            if not self.ended and seen == len(self._told):
                await self._news.wait()

    def numbered(self, write: Callable[[Event], str]) -> Sequence[tuple[int, str]]:
        """The events for the store; pieces of the answer's text are left out, the answer holds them."""
        kept = [event for event in self._told if not isinstance(event, AnswerPart)]
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
                return Turn(self._taken.run, BOT, answer.text, (), at)
            case Apologised(reason):
                return Turn(self._taken.run, BOT, say("en", reason), (), at)
            case _:
                return None

    @property
    def run(self) -> Run:
        message = self._taken.message
        return Run(
            self._taken.run,
            message.thread.key,
            message.person.id,
            message.text,
            self._state,
            self._plan,
            self._repairs,
            dict(self._outcomes),
            self._last.answer if isinstance(self._last, Answered) else None,
            self.unused,
            self._estimate,
            self.sent,
            message.heard.audience,
            versions(),
        )
