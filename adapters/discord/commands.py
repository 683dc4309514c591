"""Slash commands, their completions and buttons: stored, acknowledged, carried out, answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import discord
import structlog
from cachetools import LRUCache

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.erasure import ask_to_erase
from adapters.chat.failures import contain, contain_reply
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.chat.wishes import choose_object, join_request, word_wish
from adapters.discord.acting.confirmation import (
    CommandButton,
    make_confirmation,
    parse_command_button,
)
from adapters.discord.acting.forms import find_form, make_modal, read_submission
from adapters.discord.acting.selects import find_more, make_more, make_selects
from adapters.discord.connecting.registration import ASK, MENU, find_wish
from adapters.discord.reading.contents import read_text
from adapters.discord.reading.files import read_file, read_files
from adapters.discord.reading.messages import read_person
from adapters.discord.reading.threads import find_thread, find_thread_of
from adapters.discord.showing.buttons import parse_button
from adapters.discord.showing.files import open_file
from adapters.discord.showing.markdown import escape, split_messages
from adapters.discord.showing.webhook import may_post, save_webhook
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.rooms import PLATFORM, find_room
from adapters.discord.web_api.spoilers import hide_spoilers
from pipeline.domain import (
    Action,
    Blob,
    ButtonClick,
    Command,
    Incoming,
    InputForm,
    Invocation,
    Link,
    LocalizedText,
    Person,
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import (
    ChatError,
    ChatGone,
    ChatRefused,
    RequestError,
    StoreUnavailable,
)
from pipeline.outage import limit_patience
from pipeline.ports import Listener, Posting
from pipeline.text import shorten
from pipeline.words import say

_LONGEST_QUOTE = 300
"""Characters of a request that are quoted above its answer."""
_MOST_FILES = 10
"""Files of a message."""
_MOST_KEPT = 10_000
"""Responses whose message is remembered."""
_ACKNOWLEDGE_SECONDS = 2.5
"""Discord accepts an acknowledgement for three seconds."""
_STORE_SECONDS = 0.5
"""How long a form or completions may wait for the database."""
_RUNNING = (Action.RETRY, Action.ANOTHER, Action.CHOOSE)
"""Buttons that start a run, whose answer is the reply."""

Json = dict[str, Any]
Interaction = discord.Interaction[discord.Client]
Response = discord.InteractionCallbackResponse[discord.Client]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """What a person asks for with an interaction: a command, a button of a run, or neither.

    Neither: something of another version of the program.
    """

    interaction: Interaction
    person: Person
    button: tuple[Action, RunId] | None = None
    choice: CommandButton | None = None
    """A button of the question whether to carry out a command that deletes."""
    command: Command | None = None
    """The one that is given by name, with a form or a menu, or confirmed."""
    args: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Link, ...] = ()
    alone: bool = False
    """Whether it is about nothing but the message in whose menu it was chosen."""
    is_more: bool = False
    """Whether it was chosen in a select of what else a command can show; the reply replaces it."""
    problem: LocalizedText | None = None
    """Why the message has nothing for it."""
    may_open_form: bool = False
    """Whether the command is given without arguments, and has a form for them."""

    @property
    def is_choice(self) -> bool:
        """Whether the person who was asked has chosen: the reply replaces the question."""
        is_own = self.choice is not None and self.choice.person == self.person.id
        return self.is_more or is_own

    @property
    def question(self) -> CommandButton | None:
        """What must be confirmed first, also by who presses a button meant for another person."""
        if self.choice:
            is_other = self.choice.words and not self.is_choice
            return replace(self.choice, person=self.person.id) if is_other else None
        if self.command is None or not self.command.erases(self.args):
            return None
        words = " ".join([self.command.name, *self.args.values()])
        return CommandButton(self.person.id, "", words)

    @property
    def may_run(self) -> bool:
        """Whether a run may begin with it, whose answer everybody sees."""
        if self.button:
            return self.button[0] in _RUNNING
        is_public = self.command is not None and not self.command.private
        return is_public and not (self.choice or self.problem)

    @property
    def runs_here(self) -> bool:
        """Whether the answer of that run is the response, as the bot may post nothing else."""
        return self.may_run and not may_post(self.interaction)

    @property
    def is_private(self) -> bool:
        return not (self.runs_here if self.button else self.may_run)

    @property
    def awaits_reply(self) -> bool:
        """Whether "thinking" is shown, or the question, until the reply replaces it.

        Not where a run is the answer and is posted by itself.
        """
        return not (self.button and self.may_run) or self.runs_here


@dataclass(slots=True)
class DiscordCommands:
    """Slash commands, buttons and selects. Every failure is reported to the person who used them.

    An interaction is stored before it is acknowledged; what a restart interrupts is resumed.
    """

    client: discord.Client
    listener: Listener
    ports: ChatPorts
    dispatcher: Dispatcher
    _expired: set[int] = field(default_factory=set)
    """Interactions that expired at Discord before they were acknowledged."""
    _responses: LRUCache[int, int] = field(default_factory=lambda: LRUCache(_MOST_KEPT))
    """The messages that say "thinking", by interaction, as Discord's acknowledgement told."""
    _opened: set[int] = field(default_factory=set)
    """Interactions whose form is open, though they are not stored yet."""

    async def on_interaction(self, payload: Json) -> None:
        if payload["type"] == discord.InteractionType.autocomplete.value:
            await self._complete(payload)
            return
        if await self._queue.accept(payload) is not None:
            return
        use = self._read(payload)  # it is held, and Discord wants a response now
        if use.may_open_form and await self._open_form(use):
            self._opened.add(use.interaction.id)
        else:
            await self._acknowledge(use)

    async def resume(self) -> None:
        """Answer what a restart interrupted."""
        await self._queue.resume()

    @property
    def _queue(self) -> InteractionQueue:
        return InteractionQueue(
            platform=PLATFORM,
            interactions=self.ports.interactions,
            dispatcher=self.dispatcher,
            find_id=lambda payload: str(payload["id"]),
            find_person=lambda payload: str((payload.get("member") or payload)["user"]["id"]),
            execute=self._execute,
            send=self._send,
            notify=self._notify,
        )

    def _read_interaction(self, payload: Json) -> Interaction:
        state = self.client._connection  # noqa: SLF001 - the library only makes them from events
        return discord.Interaction(data=cast("Any", payload), state=state)

    def _read(self, payload: Json) -> _Use:
        interaction, data = self._read_interaction(payload), payload.get("data") or {}
        custom_id, is_menu = str(data.get("custom_id", "")), data.get("type") == MENU
        more, what = find_more(data)
        name = ASK if is_menu else more or find_form(data) or data.get("name")
        if choice := parse_command_button(custom_id):
            name, _, what = choice.words.partition(" ")
        command = next((each for each in self.listener.commands if each.name == name), None)
        args: dict[str, str] = {}
        files: tuple[Link, ...] = ()
        problem: LocalizedText | None = None
        if command and (choice or more):
            args = {command.options[0].name: what}
        elif command:
            try:
                args, files = self._read_arguments(interaction, data)
            except RequestError as error:
                problem = error.sentence
        is_slash = interaction.type is discord.InteractionType.application_command and not is_menu
        return _Use(
            interaction=interaction,
            person=read_person(interaction.user, str(interaction.locale)),
            button=parse_button(custom_id),
            choice=choice,
            command=command,
            args=args,
            files=files,
            alone=is_menu,
            is_more=bool(more),
            problem=problem,
            may_open_form=bool(is_slash and command and command.form and not data.get("options")),
        )

    def _read_arguments(
        self, interaction: Interaction, data: Json
    ) -> tuple[dict[str, str], tuple[Link, ...]]:
        """The options of a command; for a message's menu, a wish with its words or files.

        Raises RequestError if the message has nothing that the wish could be about.
        """
        state = self.client._connection  # noqa: SLF001 - as above
        resolved: Any = data.get("resolved") or {}
        if find_form(data):
            args, sent = read_submission(data)
            attachments = (discord.Attachment(data=cast("Any", file), state=state) for file in sent)
            return args, tuple(map(read_file, attachments))
        if data.get("type") == MENU:
            message = resolved["messages"][data["target_id"]]
            room = cast("Any", interaction.channel)
            target = discord.Message(state=state, channel=room, data=message)
            wish = find_wish(str(data["name"]))
            words = word_wish(wish, str(interaction.locale))
            every = read_files(target, previews=True)
            text, files = choose_object(wish, read_text(target, self.client.user), every)
            return {"text": join_request(words, text)}, files
        options = data.get("options") or []
        values = dict([*discord.app_commands.Namespace(interaction, resolved, options)])
        files = tuple(read_file(v) for v in values.values() if isinstance(v, discord.Attachment))
        args = {k: str(v) for k, v in values.items() if not isinstance(v, discord.Attachment)}
        return args, files

    async def _complete(self, payload: Json) -> None:
        interaction, data = self._read_interaction(payload), payload["data"]
        option, typed = find_focused(data)
        try:
            with limit_patience(_STORE_SECONDS):
                words = await self.listener.completions(
                    str(data["name"]), option, typed, str(interaction.locale)
                )
            choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
            await retry_call(lambda: interaction.response.autocomplete(choices), seconds=1.0)
        except (ChatError, StoreUnavailable) as error:
            log.info("completions not shown", error=str(error))

    # --- carrying out ---

    async def _execute(self, payload: Json) -> Reply:
        """Acknowledge an interaction and carry it out. Raises ChatError if Discord is down."""
        use = self._read(payload)
        if await self._show_form(use):
            return Reply("")
        await self._acknowledge(use)
        sentence = ask_to_erase(use.question.words) if use.question else use.problem
        if sentence is not None:
            return Reply(say(use.person.locale, sentence))
        if use.runs_here:
            await save_webhook(self.ports.cache, use.interaction)
        if use.button:
            return await self._click(use, *use.button)
        if use.command:
            return await self._run_command(use, use.command)
        if use.choice and not use.is_choice:
            return Reply("")
        id_ = "erase-cancelled" if use.choice else "run-forgotten"
        return Reply(say(use.person.locale, LocalizedText(id_)))

    async def _show_form(self, use: _Use) -> bool:
        """Open the form of a command, if it has one for this person; it may be open already."""
        if use.interaction.id in self._opened:
            self._opened.discard(use.interaction.id)
            return True
        return use.may_open_form and await self._open_form(use)

    async def _click(self, use: _Use, action: Action, run: RunId) -> Reply:
        id_, data = str(use.interaction.id), cast("Json", use.interaction.data)
        value = next(iter(data.get("values") or ()), "")
        thread, shown = await _find_thread(use.interaction), await self._find_run(use.interaction)
        is_direct = use.interaction.guild_id is None
        click = ButtonClick(
            id=id_,
            action=action,
            run=run,
            person=use.person,
            thread=thread,
            value=value,
            shown=shown,
            direct=is_direct,
        )
        return await contain_reply(self.listener.on_click(click), use.person.locale)

    async def _find_run(self, interaction: Interaction) -> RunId | None:
        """The run of which the message with a button is a part, or the one that it was shown for.

        What is shown to one person is the response to a button of the run.
        """
        if (message := interaction.message) is None:
            return None
        shown_for = getattr(message.interaction_metadata, "interacted_message_id", None)
        for id_ in (message.id, shown_for):
            if run := await self.ports.ledger.find_run(f"{message.channel.id}/{id_}"):
                return run
        return None

    async def _run_command(self, use: _Use, command: Command) -> Reply:
        if use.choice:
            thread = find_thread(_find_room(use.interaction), use.choice.root)
            room, here = find_room(self.client, use.choice.root), use.interaction.channel
            if isinstance(room, discord.Thread) and room.is_private() and room != here:
                return Reply(say(use.person.locale, LocalizedText("run-forgotten")))
        else:
            root = "" if command.private else await self._find_root(use.interaction)
            thread = await _find_thread(use.interaction, root)
        invocation = Invocation(
            id=str(use.interaction.id),
            command=command.name,
            args=use.args,
            person=use.person,
            thread=thread,
            files=use.files,
            alone=use.alone,
        )
        reply = await contain_reply(self.listener.on_command(invocation), use.person.locale)
        if reply.text or reply.files or use.runs_here or use.choice:
            return reply
        return Reply(_quote_request(invocation), private=reply.private, run=reply.run)

    async def ask_to_erase(self, message: discord.Message, incoming: Incoming, words: str) -> None:
        """Ask below a message whether to carry out its command that deletes. Raises ChatError."""
        key, locale = f"{incoming.key}:erase", incoming.person.locale
        if (await self.ports.ledger.begin(key))[0] is Posting.POSTED:
            return
        question = CommandButton(incoming.person.id, incoming.thread.root, words)
        text, view = say(locale, ask_to_erase(words)), make_confirmation(question, locale)
        nonce = make_nonce(key)
        sent = await retry_call(lambda: message.channel.send(text, view=view, nonce=nonce))
        await self.ports.ledger.done(key, str(sent.id))

    async def _open_form(self, use: _Use) -> bool:
        """Ask for the arguments of a command, if the conversation has a form for this person.

        The form must be the first response, so nothing is acknowledged before it.
        """
        interaction, name = use.interaction, use.command.name if use.command else ""
        thread = await _find_thread(interaction)
        invocation = Invocation(
            id=str(interaction.id), command=name, args={}, person=use.person, thread=thread
        )
        try:
            with limit_patience(_STORE_SECONDS):
                form = await contain(self.listener.form(invocation))
        except StoreUnavailable:
            return False
        if not isinstance(form, InputForm):  # the command itself says what is wrong
            return False
        modal = make_modal(name, form, use.person.locale)
        await self._respond_in_time(interaction, lambda: interaction.response.send_modal(modal))
        return True

    async def _acknowledge(self, use: _Use) -> None:
        """Tell Discord that a reply will come.

        It may know already: the response to an earlier attempt, here or before a restart, got lost.
        """
        interaction, is_new = use.interaction, use.awaits_reply and not use.is_choice
        options = {"ephemeral": use.is_private, "thinking": is_new}
        await self._respond_in_time(interaction, lambda: interaction.response.defer(**options))

    async def _respond_in_time(
        self, interaction: Interaction, respond: Callable[[], Awaitable[Response | None]]
    ) -> None:
        """Make the first response; a failure is only logged, as Discord may have got it."""
        try:
            async with asyncio.timeout(_ACKNOWLEDGE_SECONDS):
                response = await retry_call(respond, seconds=_ACKNOWLEDGE_SECONDS)
                if response and response.message_id:
                    self._responses[interaction.id] = response.message_id
        except ChatGone:
            self._expired.add(interaction.id)
        except (ChatError, TimeoutError) as error:
            log.info("not acknowledged", error=str(error))

    async def _find_root(self, interaction: Interaction) -> str:
        """The id of the message on which the answer's thread starts; "" if there is none."""
        if interaction.id in self._expired:
            return ""
        if known := self._responses.get(interaction.id):
            return str(known)
        try:
            return str((await retry_call(interaction.original_response)).id)
        except ChatGone:
            return ""

    # --- replying ---

    async def _notify(self, payload: Json, sentence: LocalizedText) -> None:
        """Tell the person something at once: in place of "thinking", which the reply replaces."""
        use = self._read(payload)
        interaction, text = use.interaction, escape(say(use.person.locale, sentence))
        if interaction.id in self._opened:
            return
        try:
            if use.awaits_reply:
                await retry_call(lambda: interaction.edit_original_response(content=text))
            else:
                await retry_call(lambda: interaction.followup.send(text, ephemeral=True))
        except ChatError as error:
            log.info("not notified", error=str(error))

    async def _send(self, payload: Json, reply: Reply) -> None:
        """Send a reply. If Discord takes none here any more, send it as a message.

        Words that Discord refuses are replaced with a sentence that says so. Raises ChatError if
        Discord is down.
        """
        use = self._read(payload)
        if not reply.private and use.is_private:
            await self._tell_all(use, reply)
        try:
            if use.interaction.id not in self._expired:
                await self._respond(use, reply)
                return
        except ChatGone as gone:
            log.info("interaction expired", error=str(gone))
        except ChatRefused as refused:
            await self._respond(use, Reply(say(use.person.locale, refused.sentence)))
            return
        if reply.text:
            await self._post(use, reply)
        self._expired.discard(use.interaction.id)

    async def _tell_all(self, use: _Use, reply: Reply) -> None:
        """Post a reply that concerns others, too, where the command was given."""
        room: Any = use.interaction.channel
        try:
            for number, text in enumerate(split_messages(reply.text)):
                nonce = make_nonce(f"{use.interaction.id}:all:{number}")
                await retry_call(lambda text=text, nonce=nonce: room.send(text, nonce=nonce))  # type: ignore[misc]
        except (ChatGone, ChatRefused) as error:
            log.info("others were not told", error=str(error))

    async def _respond(self, use: _Use, reply: Reply) -> None:
        """The first text replaces "thinking"; the others are for the person alone."""
        if not (reply.text or reply.files):
            is_response = use.may_open_form or (reply.run is not None and use.runs_here)
            if use.awaits_reply and not is_response:
                await retry_call(use.interaction.delete_original_response)
            return
        texts, before = split_messages(reply.text) or ("✅",), 0
        for number, text in enumerate(texts):
            is_last = number == len(texts) - 1
            blobs = await self._load_files(reply) if is_last else ()
            options = _make_controls(use, reply) if is_last else {}
            before = await self._send_part(use, number, text, blobs, options, before)

    async def _send_part(
        self,
        use: _Use,
        number: int,
        text: str,
        blobs: Sequence[Blob],
        options: Json,
        after: int,
    ) -> int:
        """Replace "thinking" with a text, or post it further below unless that is done already.

        Returns the message's id. `after` is that of the part before, or 0.
        """
        interaction, key = use.interaction, f"{use.interaction.id}:{number}"
        if number == 0 and use.awaits_reply:
            edit = interaction.edit_original_response
            edited = await retry_call(
                lambda: edit(content=text, attachments=_open_files(blobs), **options)
            )
            return edited.id
        state, receipt = await self.ports.ledger.begin(key)
        if state is Posting.POSTED:
            return int(receipt)
        options |= {"ephemeral": True, "wait": True, "suppress_embeds": True}

        async def post() -> discord.Message:
            posted = self._find_follow_up(interaction, text, after)
            return posted or await interaction.followup.send(
                text, files=_open_files(blobs), **options
            )

        sent = await retry_call(post)
        await self.ports.ledger.done(key, str(sent.id))
        return sent.id

    def _find_follow_up(
        self, interaction: Interaction, text: str, after: int
    ) -> discord.Message | None:
        """A message that was posted although the response was lost: the gateway reports it."""
        for message in self.client.cached_messages:
            answered = message.interaction_metadata
            is_own = answered is not None and answered.id == interaction.id
            if is_own and message.id > after and message.content == text.strip():
                return message
        return None

    async def _post(self, use: _Use, reply: Reply) -> None:
        """Post a reply: one for the person alone as a direct message."""
        interaction = use.interaction
        room: Any = interaction.channel
        try:
            if use.is_private or use.runs_here:
                room = await retry_call(lambda: self.client.create_dm(interaction.user))
            for number, text in enumerate(split_messages(reply.text)):
                nonce = make_nonce(f"{interaction.id}:{number}")
                await retry_call(lambda text=text, nonce=nonce: room.send(text, nonce=nonce))  # type: ignore[misc]
        except ChatGone as gone:
            log.info("a reply was not delivered", error=str(gone))

    async def _load_files(self, reply: Reply) -> Sequence[Blob]:
        return [
            Blob(
                await self.ports.files.get(file.hash),
                file.media_type,
                file.name,
                alt=file.description,
            )
            for file in reply.files[:_MOST_FILES]
        ]


def _make_controls(use: _Use, reply: Reply) -> Json:
    """What stands below a reply; that to a choice takes away the buttons of its question."""
    if reply.select:
        return {"view": make_selects(reply.select, use.person.locale)}
    if reply.more:
        return {"view": make_more(reply.more, use.person.locale)}
    if use.question:
        return {"view": make_confirmation(use.question, use.person.locale)}
    return {"view": None} if use.is_choice else {}


def _open_files(blobs: Sequence[Blob]) -> list[discord.File]:
    return [open_file(blob.data, blob.name, blob.alt) for blob in blobs]


async def _find_thread(interaction: Interaction, root: str = "") -> Thread:
    if interaction.message is not None:
        return await find_thread_of(interaction.message)
    return find_thread(_find_room(interaction), root)


def _find_room(interaction: Interaction) -> object:
    return interaction.channel or discord.Object(interaction.channel_id or 0)


def find_focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and its text so far."""
    option = next(each for each in data.get("options") or [] if each.get("focused"))
    return str(option["name"]), str(option["value"])


def _quote_request(invocation: Invocation) -> str:
    """The request as a quote, so that others see what the answer is about."""
    files = (f"📎 {file.name}" for file in invocation.files)
    words = hide_spoilers(" ".join([*invocation.args.values(), *files]))
    args = {"name": invocation.person.name, "words": shorten(words, _LONGEST_QUOTE)}
    return escape(say(invocation.person.locale, LocalizedText("discord-asked", args)))
