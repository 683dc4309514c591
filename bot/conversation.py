"""The conversation: what chats hear becomes runs, runs are answered where they were asked, once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import structlog

from bot.addressing import meant_for_us
from bot.commands import Desk, find, parse, right
from bot.commands.buttons import press
from bot.folding import Folding
from bot.intake import Intake, run_of
from bot.record import Recorder
from bot.showing import show
from pipeline.codec import dump
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Command,
    Event,
    Incoming,
    Invocation,
    Person,
    Press,
    Reply,
    RunId,
    RunState,
    Sentence,
    Thread,
)
from pipeline.errors import ChatError, NotAllowed, TroupeError, cause
from pipeline.ports import Chat, Gate, Inbox, Limits, Seen, Taken
from pipeline.run import answer
from pipeline.tools import Memory, Tools, remember

log = structlog.get_logger()


@dataclass(slots=True)
class Conversation:
    """Listens to every chat, and answers. One for the program.

    A message is durable in the inbox before the platform is told that it was taken; every step of its run is in the journal before
    the next one builds on it; it leaves the inbox when its answer stands in the chat. So the program may end at any point.
    """

    inbox: Inbox
    seen: Seen
    intake: Intake
    tools: Tools
    desk: Desk
    gate: Gate
    limits: Limits
    folding: Folding
    mention: str
    patience: int = 5
    """After how many interrupted attempts that came no step further a message is apologised for instead of tried again."""
    again: tuple[float, ...] = (1.0, 5.0, 30.0, 120.0)
    """Seconds to wait before a run is shown once more, when its platform was not reached."""
    chats: dict[str, Chat] = field(default_factory=dict)
    _ending: bool = field(default=False, init=False)

    # --- what chats hear (the Listener port) ---

    @property
    def commands(self) -> Sequence[Command]:
        return self.desk.commands

    async def said(self, message: Incoming) -> RunId | None:
        if not await self._addressed(message):
            await self.intake.overheard(message)
            return None
        message = replace(message, person=await self._spoken_to(message.person, message.thread))
        run = run_of(message)
        message = replace(message, beside=parse(message) is not None)
        return run if await self.inbox.accept(message, run) else None

    async def edited(self, message: Incoming) -> None:
        """An edit of a message that is being answered starts it anew; an edit of any other changes only the log."""
        runs = await self.inbox.of(message.key)
        await self.intake.reworded(message)
        if not runs or runs[-1].message.text == message.text:
            return
        if runs[-1].run in await self.inbox.waiting(message.thread):
            again = run_of(message, f"edit:{len(runs)}:{message.text}")
            before = runs[-1].message
            message = replace(message, heard=before.heard, person=before.person)
            await self.inbox.accept(message, again)
            await self.inbox.cancel(runs[-1].run)

    async def deleted(self, thread: Thread, message: str) -> None:
        key = f"{thread.channel.key}:{message}"
        for taken in await self.inbox.of(key):
            await self.inbox.cancel(taken.run)
        await self.tools.files.discard(await self.desk.store.unlog(key))

    async def pressed(self, pressed: Press) -> Reply:
        if not await self.seen.first(f"press:{pressed.id}"):
            return Reply("")
        person = await self._spoken_to(pressed.person, pressed.thread)
        pressed = replace(pressed, person=person)
        await self.gate.check(person, pressed.thread, pressed.action.value)
        if pressed.action in (Action.RETRY, Action.ANOTHER):
            return await self._again(pressed)
        return await press(pressed, self.desk)

    async def invoked(self, invocation: Invocation) -> Reply:
        if not await self.seen.first(f"command:{invocation.id}"):
            return Reply("")
        person = await self._spoken_to(invocation.person, invocation.thread)
        invocation = replace(invocation, person=person)
        await self.gate.check(person, invocation.thread, right(invocation))
        if invocation.command == "ask":
            return await self._asked(invocation)
        return await self._commanded(invocation)

    async def completions(
        self,
        command: str,
        option: str,
        typed: str,
        thread: Thread,  # noqa: ARG002 - the port's
    ) -> Sequence[str]:
        row = find(command)
        if row is None or row.complete is None:
            return ()
        words = await row.complete(self.desk, option, typed)
        return [word[:100] for word in words][:25]

    # --- answering ---

    async def serve(self) -> None:
        """Answer what is in the inbox, until cancelled."""
        async with asyncio.TaskGroup() as group:
            try:
                async for taken in self.inbox.take():
                    group.create_task(self.converse(taken))
            finally:
                self._ending = True

    async def converse(self, taken: Taken) -> None:
        """One message of the inbox to its answer in the chat. It stays in the inbox when the program ends meanwhile."""
        chat = self.chats.get(taken.message.thread.channel.platform)
        if chat is None:  # that platform is not configured any more
            log.warning("no such chat now", run=taken.run)
            return
        try:
            await self.deliver(taken, chat)
        except Exception:  # the boundary of a delivery: what goes wrong with one harms no other
            log.exception("record not kept", run=taken.run)
        await self._fold(taken)
        if self._ending:  # something went wrong just then; it is taken up again
            return
        if not await self.inbox.finish(taken.run):  # forgotten meanwhile, with what was kept before
            await self.tools.files.discard(await self.desk.store.unlog(taken.run))

    async def _fold(self, taken: Taken) -> None:
        if taken.message.beside:  # a command: another message of the thread may be folding, and a restart would do it again
            return
        try:
            await self.folding.fold(taken.message.thread)
        except Exception:  # the boundary of what is done after an answer: the answer stands
            log.exception("not folded", run=taken.run)

    async def deliver(self, taken: Taken, chat: Chat) -> None:
        """The answer to a message, wherever it came from, into a chat; and the record of it."""
        recorder = Recorder(taken)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._work(taken, chat, recorder))
                group.create_task(show(taken, chat, recorder, self.again))
        except* ChatError as errors:
            log.warning("not delivered", run=taken.run, errors=[str(e) for e in errors.exceptions])
        except* Exception:
            log.exception("conversation broke", run=taken.run)
        await self._keep(taken, recorder)

    async def _work(self, taken: Taken, chat: Chat, recorder: Recorder) -> None:
        """Puts the run's events where the chat sees them; the last one is always Answered or Apologised."""
        async with asyncio.TaskGroup() as group:
            work = group.create_task(self._guarded(taken, chat, recorder))
            watch = group.create_task(self._stop_when_asked(taken, work, recorder))
            await asyncio.wait((work,))
            watch.cancel()

    async def _stop_when_asked(
        self, taken: Taken, work: asyncio.Task[None], recorder: Recorder
    ) -> None:
        await self.inbox.cancelled(taken.run)
        last = (await self.inbox.of(taken.message.key))[-1:]
        edited = any(found.message.text != taken.message.text for found in last)
        recorder.apologise(Sentence("stopped-edited" if edited else "stopped"), RunState.STOPPED)
        work.cancel()

    async def _guarded(self, taken: Taken, chat: Chat, recorder: Recorder) -> None:
        try:
            async with asyncio.timeout(self.tools.pace.request):
                await self._answer(taken, chat, recorder)
        except TimeoutError:
            seconds = self.tools.pace.request
            recorder.apologise(Sentence("apology-out-of-time", {"seconds": seconds}))
        except Exception as error:  # the boundary of a request: every failure is told in a sentence
            if (told := cause(error)) is not None:
                log.info("apologised", run=taken.run, why=str(told))
                recorder.apologise(told.sentence)
                return
            log.exception("run broke", run=taken.run, reference=recorder.reference)
            recorder.apologise(Sentence("apology-bug", {"reference": recorder.reference}))

    async def _answer(self, taken: Taken, chat: Chat, recorder: Recorder) -> None:
        message = taken.message
        memory = Memory(taken.run, self.tools.journal, {})
        if taken.attempt > 1:
            memory = await remember(taken.run, self.tools.journal)
            await self._look_for_progress(taken, memory)
        await self.gate.check(message.person, message.thread, "ask")
        if taken.attempt == 1:
            await self.limits.check(message.person, message.thread)
        if (invocation := parse(message)) is not None:
            await self.gate.check(message.person, message.thread, right(invocation))
            reply = await self._commanded(replace(invocation, run=taken.run))
            recorder.tell(Answered(Answer(taken.run, reply.text)))
            return
        request = await self.intake.request(message, chat, memory)
        recorder.unused = request.unused
        recorder.sent = tuple(file.attachment.type for file in request.files)
        await answer(request, self.tools, memory, recorder.tell)

    async def _look_for_progress(self, taken: Taken, memory: Memory) -> None:
        """Raises TroupeError when the last attempts all ended at the same step: the message itself may be what kills us."""
        steps = sum(not step.startswith("attempt:") for step in memory.known)
        before = memory.recall(f"attempt:{taken.attempt - self.patience}", int)
        if before == steps:
            raise TroupeError("apology-patience", attempts=self.patience)
        await memory.keep(f"attempt:{taken.attempt}", steps, int)

    async def _keep(self, taken: Taken, recorder: Recorder) -> None:
        """The bot's turn in the log, the run's record and its events."""
        thread = taken.message.thread
        store = self.desk.store
        if recorder.stopped and await self.inbox.message(taken.run) is None:
            return  # it was deleted or forgotten
        if (turn := recorder.turn(datetime.now(UTC))) is not None:
            names = await store.name_files(thread, turn.key, recorder.attachments)
            turn = replace(turn, files=names)
        events = recorder.numbered(lambda event: dump(event, Event))
        await store.keep(recorder.run, thread, turn, events)

    # --- commands and buttons ---

    async def _commanded(self, invocation: Invocation) -> Reply:
        row = find(invocation.command)
        if row is None:
            raise NotAllowed("command-unknown", name=invocation.command)
        return await row.run(self.desk, invocation)

    async def _asked(self, invocation: Invocation) -> Reply:
        message = self.desk.message(invocation)
        run = run_of(message)
        await self.inbox.accept(message, run)
        return Reply("", run=run)

    async def _again(self, pressed: Press) -> Reply:
        """Another run of the same message; with other models where that was asked for."""
        message = await self.inbox.message(pressed.run)
        if message is None:
            raise TroupeError("run-forgotten")
        message = replace(message, anew=True)
        if pressed.action is Action.ANOTHER:
            message = replace(message, avoid=await self.desk.models_of(pressed.run))
        run = run_of(message, f"again:{pressed.id}")
        await self.inbox.accept(message, run)
        return Reply("", run=run)

    async def _addressed(self, message: Incoming) -> bool:
        if message.heard.mentioned or message.heard.direct:
            return meant_for_us(message, takes_part=False, mention=self.mention)
        settings = await self.desk.store.settings(message.thread.channel)
        mention = settings.mention or self.mention
        return meant_for_us(message, takes_part=await self._takes_part(message), mention=mention)

    async def _takes_part(self, message: Incoming) -> bool:
        """Whether something was answered in the thread, or is about to be."""
        thread = message.thread
        return bool(await self.desk.store.runs(thread, limit=1) or await self.inbox.waiting(thread))

    async def _spoken_to(self, person: Person, thread: Thread) -> Person:
        """The person, in the language of the channel where it has one."""
        settings = await self.desk.store.settings(thread.channel)
        return replace(person, locale=settings.language or person.locale)
