"""The record of one run: its events as they come, and what is kept of it in the end."""

import asyncio
import time
import traceback
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.timeline import RunTimeline
from bot.watch import RunWatch, count_seconds_since
from pipeline.codec import dump
from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Attachment,
    Event,
    FellBack,
    Finished,
    LocalizedText,
    Person,
    Plan,
    Planned,
    Progressed,
    Request,
    Run,
    RunState,
    SentPrompt,
    Started,
    TaskId,
    Turn,
    derive_trace_id,
)
from pipeline.ports import QueuedMessage
from pipeline.prompts import versions
from pipeline.words import say

_ALT_LENGTH = 120
"""Limit for the description of a generated file, which later planners read."""
_TRACE_LENGTH = 6000
"""Characters of a traceback that are kept: its end, which says what went wrong."""
_MOST_PROMPTS = 40
"""Prompts that are kept of a run."""
_PROMPT_LENGTH = 60_000
"""Characters that are kept of each."""
_REPLY_LENGTH = 20_000
"""Characters that are kept of its reply."""
BOT = Person("troupe", "Troupe", is_bot=True)


@dataclass(slots=True)
class Recorder:
    """Buffers the events of one run. `record` never blocks; the reader reads at its own pace."""

    queued: QueuedMessage
    request: Request | None = None
    """What the message asks for; None until it is known, and for a command."""
    stopped: bool = False
    watch: RunWatch = field(default_factory=RunWatch)
    """For operators: the run's stages and calls."""
    timeline: RunTimeline | None = None
    """What its trace is made of; None: it is not traced."""
    prompts: list[SentPrompt] = field(default_factory=list)
    """What language models were asked, where that is kept."""
    _events: list[Event] = field(default_factory=list)
    _first: int = 0
    """Index of the first event that is shown."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def reference(self) -> str:
        """The number by which people and operators name the run."""
        return self.queued.run[:8]

    @property
    def trace_id(self) -> str:
        """The id of the run's trace; "" if it is not traced."""
        return "" if self.timeline is None else derive_trace_id(self.queued.run)

    @property
    def _end(self) -> Answered | Apologised | None:
        last = self._events[-1] if len(self._events) > self._first else None
        return last if isinstance(last, Answered | Apologised) else None

    @property
    def apology(self) -> Apologised | None:
        """The apology that the run ended with, unless a person stopped it."""
        return self._end if isinstance(self._end, Apologised) and not self.stopped else None

    @property
    def seconds(self) -> float:
        """How long ago its message was accepted."""
        return max(self.watch.seconds, count_seconds_since(self.queued.accepted_at))

    @property
    def queued_seconds(self) -> float:
        """How long the message had waited when its run began."""
        return max(0.0, count_seconds_since(self.queued.accepted_at) - self.watch.seconds)

    @property
    def stage_seconds(self) -> Mapping[str, float]:
        """The seconds of each stage until now, with those that the run was "queued" before them."""
        stages = self.watch.measure_stages()
        return {"queued": self.queued_seconds} | {each.value: took for each, took in stages.items()}

    @property
    def is_queued(self) -> bool:
        """Whether a task waits in a queue."""
        notes: dict[TaskId, str] = {}
        for event in self._events:
            match event:
                case Progressed(task, _, note):
                    notes[task] = note
                case Started(task) | FellBack(task) | Finished(task):
                    notes.pop(task, None)
                case _:
                    pass
        return any(notes.values())

    def record(self, event: Event) -> None:
        """Add an event, with its time. Events after the final one are dropped."""
        if not self._end:
            if isinstance(event, Started | Finished | Answered | Apologised):
                event = replace(event, at=round(self.seconds, 3))
            self._events.append(event)
            now = time.monotonic()
            self.watch.note(event, now)
            if self.timeline is not None:
                self.timeline.note_event(event, now)
            self._news.set()

    def note_prompt(self, prompt: SentPrompt) -> None:
        """Keep a prompt and its reply, if there is room left for them."""
        if len(self.prompts) < _MOST_PROMPTS:
            text, reply = prompt.text[:_PROMPT_LENGTH], prompt.reply[:_REPLY_LENGTH]
            self.prompts.append(SentPrompt(prompt.model, text, reply))

    def apologise(
        self, reason: LocalizedText, *, error: BaseException | None = None, stopped: bool = False
    ) -> None:
        """End with an apology; `error` is what it is for."""
        self.watch.error = type(error).__name__ if error and not self._end else self.watch.error
        self.stopped = self.stopped or (stopped and not self._end)
        may_retry = not self.queued.message.beside  # only commands are answered beside others
        self.record(Apologised(reason, self.reference, may_retry=may_retry))

    def end_silently(self) -> None:
        """End without an answer: the message was deleted or edited."""
        self.stopped = self.stopped or not self._end
        self.record(Answered(Answer(self.queued.run, "", is_silent=True)))

    def apologise_for_bug(self, error: BaseException) -> None:
        """End with an apology that gives the reference."""
        if not self._end:
            self.watch.trace = "".join(traceback.format_exception(error))[-_TRACE_LENGTH:]
        reason = LocalizedText("apology-bug", {"reference": self.reference})
        self.apologise(reason, error=error)

    def replace_with_apology(self, error: BaseException) -> None:
        """Hide the events so far, since showing them hit a bug, and end with an apology."""
        self._first, self.stopped = len(self._events), False
        self.apologise_for_bug(error)

    async def events(self) -> AsyncIterator[Event]:
        """Yield the events as they come, up to the final one. For one reader at a time."""
        index = self._first
        while not self._end or index < len(self._events):
            self._news.clear()
            if index == len(self._events):
                await self._news.wait()
            yield self._events[index]
            index += 1

    def serialize(self) -> Sequence[tuple[int, str]]:
        """Number and JSON of each event.

        AnswerParts are left out, because the answer has the text, and so is progress.
        """
        shown = self._events[self._first :]
        events = [event for event in shown if not isinstance(event, AnswerPart | Progressed)]
        return [(number, dump(event, Event)) for number, event in enumerate(events)]

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files of the answer, each with what it shows as its description."""
        files = self._end.answer.files if isinstance(self._end, Answered) else ()
        return tuple(replace(file.attachment, description=file.alt[:_ALT_LENGTH]) for file in files)

    @property
    def turn(self) -> Turn | None:
        """The bot's turn for the chat log, without its files; None for the reply to a command.

        The command is not in the log either, and its reply may be shown to one person only.
        """
        message = self.queued.message
        if message.beside:
            return None
        turn = Turn(key=self.queued.run, person=BOT, text="", files=(), at=datetime.now(UTC))
        match self._end:
            case Answered(Answer(text=text, sentence=sentence, results=results) as answer):
                known = answer.references
                said = replace(
                    turn, text=text, sentence=sentence, results=results, references=known
                )
                return None if answer.is_silent else said
            case Apologised(reason):
                return replace(turn, text=say(message.asker.locale, reason), sentence=reason.id)
            case _:
                return None

    @property
    def run(self) -> Run:
        """The record of the run as it stands."""
        message, request, end = self.queued.message, self.request, self._end
        plans = [event for event in self._events if isinstance(event, Planned)]
        finished = [event for event in self._events if isinstance(event, Finished)]
        state = RunState.APOLOGISED if end else RunState.RUNNING
        if isinstance(end, Answered):
            state = RunState.SILENT if end.answer.is_silent else RunState.ANSWERED
            state = RunState.LEFT if end.answer.leaves_thread else state
        planned = plans[-1] if plans else Planned(Plan())
        return Run(
            id=self.queued.run,
            thread=message.thread.key,
            person=message.person.id,
            text=request.text if request else message.text,
            state=RunState.STOPPED if self.stopped else state,
            plan=planned.plan,
            repairs=planned.repairs,
            outcomes={event.task: event.outcome for event in finished},
            answer=end.answer if isinstance(end, Answered) else None,
            rejected=request.rejected if request else (),
            estimate=planned.estimate,
            sent=tuple(file.attachment.type for file in request.files) if request else (),
            audience=message.addressing.audience,
            prompts=versions(),
            message=message.key,
            calls=tuple(self.watch.calls),
            seconds={stage: round(took, 3) for stage, took in self.stage_seconds.items()},
            error=self.watch.error,
            trace=self.watch.trace,
            undelivered=self.watch.undelivered,
        )
