"""The conversation as chats see it: messages go to the inbox, where the runner takes them."""

import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import structlog

from bot.addressing import is_addressed
from bot.commands.buttons import press, read_choice
from bot.commands.context import CommandContext, Typed
from bot.commands.parsing import parse_command
from bot.commands.table import COMMANDS, complete, execute, make_form, offer_more
from bot.commands.tasks import list_abilities
from bot.intake import Intake, make_run_id
from bot.rate_limits import MessageLimits
from pipeline.domain import (
    Action,
    Addressing,
    ButtonClick,
    ChannelSettings,
    Command,
    Done,
    Incoming,
    InputForm,
    Invocation,
    Overview,
    Person,
    Planned,
    PlanPreview,
    Reply,
    RunId,
    RunState,
    Thread,
)
from pipeline.errors import NotAllowed, TroupeError
from pipeline.ports import Chat
from pipeline.response.respond import ReplyStream
from pipeline.run.plan_draft import PlanDraft, propose
from pipeline.run.rerun import check_rerun
from pipeline.tools import detect_nothing
from pipeline.words import language_of

log = structlog.get_logger()

DetectLocale = Callable[[str], Awaitable[str]]
"""The language of a text, of those in which the program answers; "" if it is not sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The Listener of every chat. There is one per program.

    A message is committed to the inbox before it is acknowledged to its platform.
    """

    intake: Intake
    context: CommandContext
    limits: MessageLimits
    mention: str
    """Whether follow-ups need a mention ("always", "threads"), unless the channel sets it."""
    detect_locale: DetectLocale = detect_nothing
    """Finds the language of the words of a request that others read, too."""

    @property
    def commands(self) -> Sequence[Command]:
        return COMMANDS

    async def on_message(self, message: Incoming) -> RunId | None:
        """Put a message that is for the bot into the inbox; log another one as context.

        Returns the run that will answer it; None for a message that is not for the bot, or that
        was accepted before.
        """
        settings = await self.context.store.settings(message.thread.channel)
        addressed = is_addressed(message, settings.mention or self.mention)
        if not addressed:
            takes_part = await self._takes_part(message)
            if addressed is False or not takes_part:
                await self.intake.thread_log.log_overheard(message, takes_part=takes_part)
                return None
        locale = await self._choose_locale(message, settings)
        message = replace(message, person=replace(message.person, locale=locale))
        message = replace(message, beside=parse_command(message) is not None)
        run = make_run_id(message)
        return run if await self.context.inbox.accept(message, run) else None

    async def on_edit(self, message: Incoming) -> None:
        """Restart the run of a message that is not answered yet; else only change what is stored.

        Taking the mention away takes the request back. Adding it to a message that met silence
        asks.
        """
        runs = await self.context.inbox.of(message.key)
        await self.intake.thread_log.log_edit(message)
        if not runs or parse_command(message) is not None:
            return  # an edit gives no command
        run, before = runs[-1].run, runs[-1].message
        was_overheard = before.addressing.is_overheard
        is_overheard = message.addressing.is_overheard
        if before.content == message.content and was_overheard == is_overheard:
            return
        await self.context.inbox.amend(message)
        is_waiting = run in await self.context.inbox.list_waiting(message.thread)
        if is_waiting and is_overheard and not was_overheard:
            await self.on_delete(message.thread, message.id)
            takes_part = await self._takes_part(message)
            await self.intake.thread_log.log_overheard(message, takes_part=takes_part)
        elif is_waiting or (was_overheard and not is_overheard and await self._met_silence(run)):
            new_run = make_run_id(message, f"edit:{len(runs)}:{message.text}")
            edited = replace(message, person=before.person)
            await self.context.inbox.accept(edited, new_run, after=run)
            await self.context.inbox.cancel(run)

    async def _met_silence(self, run: RunId) -> bool:
        record = await self.context.store.load(run)
        return record is not None and record.state in {RunState.SILENT, RunState.LEFT}

    async def on_delete(self, thread: Thread, message: str) -> None:
        """Delete a message with its runs, then stop them: so they end without a word."""
        key = f"{thread.channel.key}:{message}"
        runs = [queued.run for queued in await self.context.inbox.of(key)]
        orphans = await self.context.store.unlog(key)
        for run in runs:
            await self.context.inbox.cancel(run)
        await self.context.tools.files.discard(orphans)

    async def on_retract(self, run: RunId) -> None:
        """Forget an answer; what is not answered yet, or silently, goes on."""
        record = await self.context.store.load(run)
        if record is not None and record.state is RunState.ANSWERED:
            await self.context.tools.files.discard(await self.context.store.unlog(run))

    async def on_click(self, click: ButtonClick) -> Reply:
        """Do what a button says. Raises NotAllowed, and TroupeError for a run that is unknown."""
        click = await self._find_place(click)
        settings = await self.context.store.settings(click.thread.channel)
        click = replace(click, person=_localise(click.person, settings))
        self.context.gate.check(click.person, click.thread)
        if click.action in (Action.RETRY, Action.ANOTHER, Action.CHOOSE):
            return await self._retry(click)
        return await press(click, self.context)

    async def _find_place(self, click: ButtonClick) -> ButtonClick:
        """The click, in the thread of its run. Raises TroupeError if it was made elsewhere.

        An answer may stand elsewhere: in another message that is known to be a part of the run, or
        in the direct messages of the person who asked.
        """
        message = await self.context.inbox.message(click.run)
        if message is None:
            record = await self.context.store.load(click.run)
            is_here = record is None or record.thread == click.thread.key
            asker, thread = record.person if record else "", click.thread
        else:
            is_here = message.thread == click.thread
            asker, thread = message.asker.id, message.thread
        if is_here or click.shown == click.run or (click.direct and click.person.id == asker):
            return replace(click, thread=thread)
        log.warning("click from elsewhere", run=click.run, thread=click.thread.key)
        raise TroupeError("run-forgotten")

    async def on_command(self, invocation: Invocation) -> Reply:
        """Run a command; "ask" makes a message of it, whose run is in the reply.

        Raises NotAllowed if the person may not, or if there is no such command.
        """
        settings = await self.context.store.settings(invocation.thread.channel)
        person = _localise(invocation.person, settings)
        invocation = replace(invocation, person=person)
        if invocation.command != "ask":
            reply = await execute(self.context, invocation)
            return replace(reply, more=await offer_more(self.context, invocation))
        self.context.gate.check(person, invocation.thread)
        message = Incoming(
            id=f"ask-{invocation.id}",
            thread=invocation.thread,
            person=person,
            text=invocation.args.get("text", ""),
            files=invocation.files,
            at=datetime.now(UTC),
            addressing=Addressing(mentioned=True),
            alone=invocation.alone,
        )
        locale = await self._choose_locale(message, settings)
        message = replace(message, person=replace(person, locale=locale))
        run = make_run_id(message)
        await self.context.inbox.accept(message, run)
        return Reply("", run=run)

    async def form(self, invocation: Invocation) -> InputForm | None:
        return await make_form(self.context, invocation)

    async def completions(
        self, command: str, option: str, typed: str, locale: str
    ) -> Sequence[str]:
        return await complete(self.context, command, Typed(option, typed, locale))

    async def overview(self, person: Person, thread: Thread) -> Overview:
        abilities = await list_abilities(self.context, thread.channel)
        return Overview(
            abilities=tuple(abilities), is_admin=self.context.gate.is_admin(person, thread)
        )

    async def preview(self, message: Incoming, chat: Chat) -> PlanPreview:
        """Plan a message without running it. Counts towards the limits. Raises RequestError."""
        self.context.gate.check(message.person, message.thread)
        await self.limits.check(message.person, message.thread)
        request = await self.intake.preview(message, chat, RunId(uuid.uuid4().hex))
        draft = PlanDraft()
        async for part in propose(request, self.context.tools.planners):
            draft.apply(part)
        plan = Planned(draft.plan, draft.repairs)
        written = ReplyStream(request, lambda _: None)
        said = await written.finish(draft.reply.text) if draft.reply.text else None
        return PlanPreview(plan, said.text if said else "", tuple(draft.notices))

    async def _retry(self, click: ButtonClick) -> Reply:
        """Run a message again for the person who clicked, with other models if they want that.

        Clicking twice before the answer is there makes one run, and so does a click that a restart
        interrupted. Commands are never repeated: an admin may have given them.
        """
        inbox = self.context.inbox
        message = await inbox.message(click.run)
        if message is None:
            raise TroupeError("run-forgotten")
        if parse_command(message) is not None:
            raise NotAllowed("command-not-repeated")
        earlier = await inbox.of(message.key)
        if of_click := [each.run for each in earlier if each.message.click == click.id]:
            return Reply("", run=of_click[0])
        settings = await self.context.store.settings(message.thread.channel)
        own = replace(message, person=click.person)
        asker = replace(click.person, locale=await self._choose_locale(own, settings))
        changed = replace(message, retried_by=asker, click=click.id)
        message = await self._change(changed, click)
        waiting = {*await inbox.list_waiting(message.thread)} - {click.run}
        finished = [each.run for each in earlier if each.run not in waiting]
        again = ("again", click.run, click.action, click.value, *finished[-1:])
        run = make_run_id(message, ":".join(again))
        is_ours = await inbox.accept(message, run, after=click.run)
        if not is_ours:  # by this click, which came twice at once, or by another one
            taken = await inbox.message(run)
            is_ours = taken is not None and taken.click == click.id
        return Reply("", run=run if is_ours else None)

    async def _change(self, message: Incoming, click: ButtonClick) -> Incoming:
        """The message to run again: whole, or from the task that the click names.

        Raises NotAllowed if there is no such task, or the chosen model may not be used.
        """
        if click.action is Action.RETRY and not click.value:
            return replace(message, anew=True)
        record = await self.context.store.load(click.run)
        if click.action is Action.ANOTHER:
            outcomes = record.outcomes.values() if record else ()
            used = (outcome.model.id for outcome in outcomes if isinstance(outcome, Done))
            avoid = tuple(dict.fromkeys((*message.avoid, *used)))
            return replace(message, anew=True, avoid=avoid, rerun=None)
        if record is None:
            raise TroupeError("run-forgotten")
        rerun = read_choice(click)
        settings = await self.context.store.settings(click.thread.channel)
        await check_rerun(rerun, record, settings, self.context.tools.candidates)
        return replace(message, anew=True, rerun=rerun)

    async def _choose_locale(self, message: Incoming, settings: ChannelSettings) -> str:
        """The language to answer in: the channel's, else that of the words that others read, too.

        If it cannot be detected, the answer is in the language of the person's client.
        """
        own = message.person.locale
        if settings.language or message.addressing.direct or not message.text.strip():
            return settings.language or own
        detected = await self.detect_locale(message.text)
        return own if not detected or language_of(own) == detected else detected

    async def _takes_part(self, message: Incoming) -> bool:
        """Whether the bot takes part in a message's thread, or is called into it by an earlier one.

        A message from before that may come again after a restart or when we catch up.
        """
        thread, inbox = message.thread, self.context.inbox
        if await self.context.store.takes_part(thread, before=message.key):
            return True
        waiting = [await inbox.message(run) for run in await inbox.list_waiting(thread)]
        return any(each and (each.is_command or each.id < message.id) for each in waiting)


def _localise(person: Person, settings: ChannelSettings) -> Person:
    """The person with the channel's language, if one is set."""
    return replace(person, locale=settings.language or person.locale)
