"""The runner: answers the messages in the inbox and saves the runs."""

import asyncio
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from structlog.contextvars import bound_contextvars

from adapters.chat.retrying import make_retrying
from adapters.telemetry.spans import TraceSender
from bot.commands.context import CommandContext
from bot.commands.parsing import parse_command
from bot.commands.table import execute
from bot.delivery import deliver_run
from bot.intake import Intake
from bot.metrics import Metrics
from bot.rate_limits import MessageLimits
from bot.recorder import Recorder
from bot.run_log import log_run
from bot.run_spans import build_spans
from bot.summarization import Summarization
from bot.timeline import RunTimeline
from bot.watch import Stage
from pipeline.domain import Answer, Answered, Incoming, LocalizedText, ModelCall, Request, RunId
from pipeline.errors import (
    ChatError,
    LeaseLost,
    RequestError,
    StoreUnavailable,
    TroupeError,
    cause,
    is_passing,
)
from pipeline.fencing import fence_in
from pipeline.metering import keep_prompts, meter_calls, meter_work
from pipeline.outage import Outage
from pipeline.ports import Chat, Listener, QueuedMessage
from pipeline.run.answer import answer
from pipeline.run.rerun import answer_again, reuse_inputs
from pipeline.run.voice import transcribe_voice
from pipeline.tools import RunJournal, open_run_journal

log = structlog.get_logger()

_OVER_SECONDS = 1.5
"""How long an outage may last before people are told: a run that could begin may be the first that
notices that the database is back."""


@dataclass(slots=True, kw_only=True)
class Runner:
    """Answers the messages in the inbox. There is one per program.

    Every step of a run is in the journal before the next one builds on it, and a message leaves
    the inbox when its answer has been posted. So the program may end at any point.

    The inbox hands messages out by lane (`Incoming.lane`). For example, of "draw a cat" and "now in
    blue", said in one thread, and "draw a dog" in another, the first and the third are answered
    side by side, and the second begins when the answer to the first has been posted. A command such
    as "status" has a lane of its own, so it is answered at once.
    """

    intake: Intake
    context: CommandContext
    limits: MessageLimits
    summarization: Summarization
    listener: Listener
    patience: int = 5
    """Give a message up after this many interrupted attempts without progress."""
    first_wait: float = 1.0
    """Seconds before the first retry of a platform that is down."""
    outage: Outage = field(default_factory=Outage)
    chats: dict[str, Chat] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=Metrics)
    traces: TraceSender | None = None
    """Where the trace of each run goes; None: nothing is traced."""
    keeps_prompts: bool = False
    """Whether what language models are asked is kept with the run, for its owner."""
    under_way: dict[RunId, Recorder] = field(default_factory=dict, init=False)
    _ending: bool = field(default=False, init=False)

    async def serve(self) -> None:
        """Answer the messages of our chats' platforms, until cancelled."""
        async with asyncio.TaskGroup() as group:
            try:
                async for queued in self.context.inbox.take(self.chats):
                    group.create_task(self._process(queued))
            finally:
                self._ending = True

    async def _process(self, queued: QueuedMessage) -> None:
        """Answer a message, unless another program takes it over; give it back at shutdown."""
        is_left = False
        try:
            await self._answer_and_finish(queued)
        except* LeaseLost:
            is_left = True
            log.info("another program answers", run=queued.run)
        finally:
            if is_left or self._ending:
                await self.context.inbox.give_back(queued.run)

    async def _answer_and_finish(self, queued: QueuedMessage) -> None:
        """Answer a message and remove it from the inbox, unless the program is shutting down.

        Raises LeaseLost, alone or in a group, when another program has taken the message over.
        """
        chat = self.chats[queued.message.thread.channel.platform]
        recorder = await self._run_and_show(queued, chat)
        try:
            await self._keep(recorder)
        except LeaseLost:
            raise
        except Exception:  # boundary: one failed delivery must not stop the others
            log.exception("record not kept", run=queued.run)
        try:
            if not queued.message.beside:  # another message of the thread may be at it now
                await self.summarization.update(queued.message, queued.run)
        except Exception:  # boundary: the answer is already posted
            log.exception("not summarised", run=queued.run)
        if self._ending:  # shutdown may have caused a failure: try again at the next start
            return
        try:
            if not await self.context.inbox.finish(queued.run):
                # The message was forgotten meanwhile: delete what was saved since then, too.
                orphans = await self.context.store.unlog(queued.run)
                await self.context.tools.files.discard(orphans)
        except LeaseLost:
            raise
        except Exception:  # boundary: it is answered again at the next start
            log.exception("not finished", run=queued.run)

    async def deliver(self, queued: QueuedMessage, chat: Chat) -> None:
        """Run a message, deliver its answer to the chat and save the run."""
        await self._keep(await self._run_and_show(queued, chat))

    async def _run_and_show(self, queued: QueuedMessage, chat: Chat) -> Recorder:
        timeline = RunTimeline() if self.traces is not None else None
        recorder = self.under_way[queued.run] = Recorder(queued, timeline=timeline)
        platform, is_over = queued.message.thread.channel.platform, False

        def note_call(call: ModelCall) -> None:
            recorder.watch.calls.append(call)
            self.metrics.note_call(platform, call)
            if timeline is not None:
                timeline.note_call(call)

        try:
            with ExitStack() as around, meter_calls(note_call), bound_contextvars(run=queued.run):
                around.enter_context(fence_in(partial(self.context.inbox.check, queued.run)))
                if timeline is not None:
                    around.enter_context(meter_work(timeline.note_work))
                    around.enter_context(bound_contextvars(trace_id=recorder.trace_id))
                if self.keeps_prompts:
                    around.enter_context(keep_prompts(recorder.note_prompt))
                await self._run_and_deliver(recorder, chat)
            is_over = not self._ending
        finally:
            del self.under_way[queued.run]
            self._send_trace(recorder, is_interrupted=not is_over)
        if not self._ending:  # else the run goes on at the next start
            try:
                self.metrics.note_run(recorder)
                log_run(recorder)
            except Exception:  # boundary: what only tells operators must not stop what answers
                log.exception("run not counted", run=queued.run)
        return recorder

    def _send_trace(self, recorder: Recorder, *, is_interrupted: bool) -> None:
        """`is_interrupted`: another attempt goes on with the run, here or at another program."""
        if self.traces is not None:
            try:
                spans = build_spans(recorder, is_interrupted=is_interrupted)
                self.traces.send(recorder.trace_id, spans)
            except Exception:  # boundary: what only tells operators must not stop what answers
                log.exception("run not traced", run=recorder.queued.run)

    async def _run_and_deliver(self, recorder: Recorder, chat: Chat) -> None:
        queued = recorder.queued

        async def is_wanted() -> bool:
            """Also journals a step: an outage is progress, not an interrupted attempt."""
            step = f"undelivered:{queued.attempt}"
            await self.context.tools.journal.record(queued.run, step, "{}")
            return await self.context.inbox.message(queued.run) is not None

        notify = partial(chat.notify, queued.message, queued.run)

        async def tell(sentence: LocalizedText) -> None:
            if not queued.message.addressing.is_overheard:  # it may not be for the bot
                await notify(sentence)

        try:
            async with (
                self.outage.tell_if_late(tell, after=_OVER_SECONDS),
                asyncio.TaskGroup() as group,
            ):
                group.create_task(self._run_until_stopped(chat, recorder))
                delivery = deliver_run(chat, recorder, is_wanted, first_wait=self.first_wait)
                group.create_task(delivery)
        except* LeaseLost:
            raise
        except* ChatError as errors:
            recorder.watch.undelivered = type(cause(errors)).__name__
            log.warning("not delivered", run=queued.run, errors=[*map(str, errors.exceptions)])
        except* Exception as errors:
            recorder.watch.undelivered = type(errors.exceptions[0]).__name__
            log.exception("conversation broke", run=queued.run)
            if isinstance(known := cause(errors), StoreUnavailable):  # it is damaged
                await tell(known.sentence)

    async def _run_until_stopped(self, chat: Chat, recorder: Recorder) -> None:
        """Run until done or cancelled. The last event is always Answered or Apologised."""
        async with asyncio.TaskGroup() as group:
            work = group.create_task(self._run(chat, recorder))
            watch = group.create_task(self._stop_when_cancelled(work, recorder))
            await asyncio.wait((work,))
            watch.cancel()

    async def _stop_when_cancelled(self, work: asyncio.Task[None], recorder: Recorder) -> None:
        await self.context.inbox.await_cancellation(recorder.queued.run)
        if await self._is_current(recorder.queued):
            recorder.apologise(LocalizedText("stopped"), stopped=True)
        else:
            recorder.end_silently()
        work.cancel()

    async def _is_current(self, queued: QueuedMessage) -> bool:
        """False if the message was deleted, or edited and is answered by another run."""
        last = (await self.context.inbox.of(queued.message.key))[-1:]
        return any(each.message.content == queued.message.content for each in last)

    async def _hear_of_changes(self, message: Incoming, chat: Chat) -> None:
        """Take an edit or a deletion from while we were down; the platform may tell it too late.

        A platform that is down is waited for, but one that only takes its time is not.
        """

        async def reread() -> Incoming | None:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.intake.thread_log.reading_seconds):
                    return await chat.reread(message)
            return message

        current = await make_retrying(self.first_wait, is_passing)(reread)
        if current is None:
            await self.listener.on_delete(message.thread, message.id)
        elif current.content != message.content and not message.click:
            await self.listener.on_edit(current)

    async def _run(self, chat: Chat, recorder: Recorder) -> None:
        queued, seconds = recorder.queued, self.context.tools.limits.request
        try:
            if queued.attempt > 1 or queued.message.at < self.intake.thread_log.started:
                await self._hear_of_changes(queued.message, chat)
                if not await self._is_current(queued):
                    recorder.end_silently()
                    return
            async with self.outage.timeout(seconds):
                await self._answer(chat, recorder)
        except TimeoutError as error:
            reason = "apology-still-queued" if recorder.is_queued else "apology-out-of-time"
            recorder.apologise(LocalizedText(reason, {"seconds": seconds}), error=error)
        except Exception as error:  # boundary of a request: every failure becomes an apology
            if isinstance(known := cause(error), LeaseLost):
                raise
            if known:
                recorder.apologise(known.sentence, error=known)
            else:
                log.exception("run broke", run=queued.run, reference=recorder.reference)
                recorder.apologise_for_bug(error)

    async def _answer(self, chat: Chat, recorder: Recorder) -> None:
        queued, message = recorder.queued, recorder.queued.message
        journal = RunJournal(queued.run, self.context.tools.journal, {})
        if queued.attempt > 1:
            journal = await open_run_journal(queued.run, self.context.tools.journal)
            await self._check_progress(queued, journal)
        self.context.gate.check(message.asker, message.thread)
        if queued.attempt == 1:
            await self.limits.check(message.asker, message.thread)
        if (invocation := parse_command(message)) is not None:
            reply = await execute(self.context, replace(invocation, run=queued.run))
            recorder.record(Answered(Answer(queued.run, reply.text)))
        elif await self._was_sent_away(message):
            await self.intake.thread_log.log_overheard(
                message, takes_part=True
            )  # it did, when this was written
            recorder.record(Answered(Answer(queued.run, "", is_silent=True)))
        else:
            await self._answer_message(message, chat, journal, recorder)

    async def _answer_message(
        self, message: Incoming, chat: Chat, journal: RunJournal, recorder: Recorder
    ) -> None:
        if message.rerun is not None:
            journal = await reuse_inputs(message.rerun, journal)
        request = await self.intake.request(message, chat, journal)
        if request.voice:
            try:
                request = await transcribe_voice(
                    request, self.context.tools, journal, recorder.record
                )
            except RequestError:
                if not request.overheard:
                    raise
                recorder.record(Answered(Answer(journal.run, "", is_silent=True)))
                return
            await self.intake.log_voice(message, request)
        recorder.request = request
        recorder.watch.enter(Stage.PLAN)
        await self._answer_request(request, journal, recorder)

    async def _was_sent_away(self, message: Incoming) -> bool:
        """Whether the bot left the thread after it had accepted a message without a mention."""
        if message.click or not message.addressing.is_overheard:
            return False
        return not await self.context.store.takes_part(message.thread)

    async def _answer_request(
        self, request: Request, journal: RunJournal, recorder: Recorder
    ) -> None:
        tools, emit = self.context.tools, recorder.record
        if request.rerun is None:
            answered = await answer(request, tools, journal, emit)
            if answered.leaves_thread and answered.text:
                store, channel = self.context.store, request.thread.channel
                settings = replace(await store.settings(channel), mention_offered=True)
                await store.set(channel, settings)  # the setting `mention` is offered once
        elif (earlier := await self.context.store.load(request.rerun.run)) is not None:
            await answer_again(request, earlier, tools, journal, emit)
        else:
            raise TroupeError("run-forgotten")

    async def _check_progress(self, queued: QueuedMessage, journal: RunJournal) -> None:
        """Raises TroupeError after `patience` attempts without a new step: it may crash us."""
        steps = sum(not step.startswith("attempt:") for step in journal.known)
        if journal.recall(f"attempt:{queued.attempt - self.patience}", int) == steps:
            raise TroupeError("apology-patience", attempts=self.patience)
        await journal.keep(f"attempt:{queued.attempt}", steps, int)

    async def _keep(self, recorder: Recorder) -> None:
        """Save the run, its events and the bot's turn."""
        queued, thread = recorder.queued, recorder.queued.message.thread
        if recorder.stopped and await self.context.inbox.message(queued.run) is None:
            return  # it was deleted or forgotten
        await self.context.store.keep(
            recorder.run, thread, recorder.turn, recorder.serialize(), recorder.attachments
        )
        if recorder.prompts:
            await self.context.store.keep_prompts(queued.run, recorder.prompts)
