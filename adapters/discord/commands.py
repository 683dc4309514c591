"""Slash commands, their completions and buttons: stored, acknowledged, carried out, answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import discord
import structlog

from adapters.chat.events import (
    ChatPorts,
    Dispatcher,
    InteractionQueue,
    contain,
    contain_reply,
)
from adapters.chat.wishes import join_request, word_wish
from adapters.discord.calls import make_nonce, open_file, retry_call
from adapters.discord.forms import (
    find_form,
    make_confirmation,
    make_modal,
    make_selects,
    read_submission,
)
from adapters.discord.messages import (
    PLATFORM,
    find_thread,
    read_file,
    read_files,
    read_person,
    read_text,
)
from adapters.discord.registration import ASK, MENU, find_wish
from adapters.discord.rendering import (
    CommandButton,
    escape,
    parse_button,
    parse_command_button,
    split_messages,
)
from adapters.discord.threads import find_thread_of
from adapters.discord.webhook import may_post, save_webhook
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
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import ChatError, ChatGone, ChatRefused
from pipeline.ports import Listener, Posting
from pipeline.text import shorten
from pipeline.words import say

_LONGEST_QUOTE, _MOST_FILES = 300, 10
_ACKNOWLEDGE_SECONDS = 2.5
"""Discord accepts an acknowledgement for three seconds."""
_RUNNING = (Action.RETRY, Action.ANOTHER, Action.CHOOSE)
"""Buttons that start a run, whose answer is the reply."""

Json = dict[str, Any]
Interaction = discord.Interaction[discord.Client]

log = structlog.get_logger()


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

    async def on_interaction(self, payload: Json) -> None:
        kind = payload["type"]
        if kind == discord.InteractionType.autocomplete.value:
            await self._complete(self._read(payload))
        else:
            await self._queue.accept(str(payload["id"]), payload)

    async def resume(self) -> None:
        """Answer what a restart interrupted."""
        await self._queue.resume()

    @property
    def _queue(self) -> InteractionQueue:
        return InteractionQueue(
            platform=PLATFORM,
            interactions=self.ports.interactions,
            dispatcher=self.dispatcher,
            find_person=lambda payload: str((payload.get("member") or payload)["user"]["id"]),
            execute=self._execute,
            send=self._send,
        )

    def _read(self, payload: Json) -> Interaction:
        state = self.client._connection  # noqa: SLF001 - the library only makes them from events
        return discord.Interaction(data=cast("Any", payload), state=state)

    async def _complete(self, interaction: Interaction) -> None:
        data = _data(interaction)
        option, typed = find_focused(data)
        thread = await _find_thread(interaction)
        words = await self.listener.completions(str(data["name"]), option, typed, thread)
        choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
        try:
            await retry_call(lambda: interaction.response.autocomplete(choices), seconds=1.0)
        except ChatError as error:
            log.info("completions not shown", error=str(error))

    # --- carrying out ---

    async def _execute(self, payload: Json) -> Reply:
        """Acknowledge an interaction and carry it out. Raises ChatError if Discord is down."""
        interaction = self._read(payload)
        match interaction.type:
            case discord.InteractionType.application_command:
                if await self._open_form(interaction):
                    return Reply("")
                return await self._run_command(interaction)
            case discord.InteractionType.modal_submit:
                return await self._run_command(interaction)
            case discord.InteractionType.component:
                if decided := _find_decision(interaction):
                    return await self._decide(interaction, decided)
                return await self._click(interaction)
            case _:
                log.info("unknown interaction", kind=str(interaction.type))
                return Reply("")

    async def _click(self, interaction: Interaction) -> Reply:
        data, button = _data(interaction), _find_button(interaction)
        if button is None:
            return Reply("")
        runs_here = button[0] in _RUNNING and not may_post(interaction)
        await self._acknowledge(interaction, is_private=not runs_here)
        if runs_here:
            await save_webhook(self.ports.cache, interaction)
        person = read_person(interaction.user, str(interaction.locale))
        thread = await _find_thread(interaction)
        value = next(iter(data.get("values") or ()), "")
        click = ButtonClick(str(interaction.id), *button, person, thread, value)
        return await contain_reply(self.listener.on_click(click), person.locale)

    async def _run_command(self, interaction: Interaction) -> Reply:
        command = self._find_command(interaction)
        if command is None:
            return Reply("")
        await self._acknowledge(interaction, is_private=command.private)
        person = read_person(interaction.user, str(interaction.locale))
        if question := self._find_question(interaction):
            return Reply(_ask_to_erase(question, person.locale))
        root = "" if command.private else await self._find_root(interaction)
        args, files = self._read_arguments(interaction)
        runs_here = not (command.private or may_post(interaction))
        if runs_here:
            await save_webhook(self.ports.cache, interaction)
        thread = await _find_thread(interaction, root)
        invocation = Invocation(str(interaction.id), command.name, args, person, thread, files)
        reply = await contain_reply(self.listener.on_command(invocation), person.locale)
        if reply.text or reply.files or runs_here:
            return reply
        return Reply(_quote_request(invocation), reply.private, run=reply.run)

    async def _decide(self, interaction: Interaction, button: CommandButton) -> Reply:
        """Carry out what the person who was asked confirmed; anybody else is asked, too."""
        await self._acknowledge(interaction, is_private=True)
        person = read_person(interaction.user, str(interaction.locale))
        if question := self._find_question(interaction):
            return Reply(_ask_to_erase(question, person.locale))
        if not _is_decision(interaction):
            return Reply("")
        name, _, what = button.words.partition(" ")
        command = next((each for each in self.listener.commands if each.name == name), None)
        if command is None:
            return Reply(say(person.locale, LocalizedText("erase-cancelled")))
        thread = find_thread(_find_room(interaction), button.root)
        args = {command.options[0].name: what}
        invocation = Invocation(str(interaction.id), name, args, person, thread)
        return await contain_reply(self.listener.on_command(invocation), person.locale)

    def _find_question(self, interaction: Interaction) -> CommandButton | None:
        """The command that must be confirmed before it is carried out; None if that is not so."""
        user = str(interaction.user.id)
        if button := _find_decision(interaction):
            is_other = button.words and button.person != user
            return replace(button, person=user) if is_other else None
        command = self._find_command(interaction)
        args = self._read_arguments(interaction)[0] if command else {}
        is_final = command is not None and command.erases(args)
        words = " ".join([command.name, *args.values()]) if command else ""
        return CommandButton(user, "", words) if is_final else None

    async def ask_to_erase(self, message: discord.Message, incoming: Incoming, words: str) -> None:
        """Ask below a message whether to carry out its command that deletes. Raises ChatError."""
        key, locale = f"{incoming.key}:erase", incoming.person.locale
        if (await self.ports.ledger.begin(key))[0] is Posting.POSTED:
            return
        question = CommandButton(incoming.person.id, incoming.thread.root, words)
        text, view = _ask_to_erase(question, locale), make_confirmation(question, locale)
        nonce = make_nonce(key)
        sent = await retry_call(lambda: message.channel.send(text, view=view, nonce=nonce))
        await self.ports.ledger.done(key, str(sent.id))

    async def _open_form(self, interaction: Interaction) -> bool:
        """Ask for the arguments of a command that was used without any, if there is a form.

        The form must be the first response, so nothing is acknowledged before it.
        """
        command = self._find_form_command(interaction)
        if command is None:
            return False
        person = read_person(interaction.user, str(interaction.locale))
        thread = await _find_thread(interaction)
        invocation = Invocation(str(interaction.id), command.name, {}, person, thread)
        form = await contain(self.listener.form(invocation))
        if not isinstance(form, InputForm):  # the command itself says what is wrong
            return False
        modal = make_modal(command.name, form, person.locale)
        await self._respond_in_time(interaction, lambda: interaction.response.send_modal(modal))
        return True

    def _read_arguments(self, interaction: Interaction) -> tuple[dict[str, str], tuple[Link, ...]]:
        """The options of a command; for a message's menu, a wish with its words and files."""
        data = _data(interaction)
        resolved: Any = data.get("resolved") or {}
        if find_form(data):
            args, sent = read_submission(data)
            state = self.client._connection  # noqa: SLF001 - as above
            attachments = (discord.Attachment(data=cast("Any", file), state=state) for file in sent)
            return args, tuple(map(read_file, attachments))
        if data.get("type") == MENU:
            payload, room = (
                resolved["messages"][data["target_id"]],
                cast("Any", interaction.channel),
            )
            state = self.client._connection  # noqa: SLF001 - as above
            target = discord.Message(state=state, channel=room, data=payload)
            wish = word_wish(find_wish(str(data["name"])), str(interaction.locale))
            text = join_request(wish, read_text(target, self.client.user))
            return {"text": text}, read_files(target)
        options = data.get("options") or []
        values = dict([*discord.app_commands.Namespace(interaction, resolved, options)])
        files = tuple(read_file(v) for v in values.values() if isinstance(v, discord.Attachment))
        args = {k: str(v) for k, v in values.items() if not isinstance(v, discord.Attachment)}
        return args, files

    def _find_command(self, interaction: Interaction) -> Command | None:
        """The command that is given, by its name or with its form; None for a click."""
        data = _data(interaction)
        name = ASK if data.get("type") == MENU else find_form(data) or data.get("name")
        return next((each for each in self.listener.commands if each.name == name), None)

    def _find_form_command(self, interaction: Interaction) -> Command | None:
        """The command that is given without arguments, if a form asks for them."""
        command, data = self._find_command(interaction), _data(interaction)
        is_slash = interaction.type is discord.InteractionType.application_command
        is_bare = is_slash and data.get("type") != MENU and not data.get("options")
        return command if command and command.form and is_bare else None

    async def _acknowledge(self, interaction: Interaction, *, is_private: bool) -> None:
        """Tell Discord that a reply will come.

        It may know already: the response to an earlier attempt, here or before a restart, got lost.
        """
        awaits_new = _awaits_reply(interaction) and not _is_decision(interaction)
        options = {"ephemeral": is_private, "thinking": awaits_new}
        await self._respond_in_time(interaction, lambda: interaction.response.defer(**options))

    async def _respond_in_time(
        self, interaction: Interaction, respond: Callable[[], Awaitable[object]]
    ) -> None:
        """Make the first response; a failure is only logged, as Discord may have got it."""
        try:
            async with asyncio.timeout(_ACKNOWLEDGE_SECONDS):
                await retry_call(respond, seconds=_ACKNOWLEDGE_SECONDS)
        except ChatGone:
            self._expired.add(interaction.id)
        except (ChatError, TimeoutError) as error:
            log.info("not acknowledged", error=str(error))

    async def _find_root(self, interaction: Interaction) -> str:
        """The id of the message on which the answer's thread starts; "" if there is none."""
        if interaction.id in self._expired:
            return ""
        try:
            return str((await retry_call(interaction.original_response)).id)
        except ChatGone:
            return ""

    # --- replying ---

    async def _send(self, payload: Json, reply: Reply) -> None:
        """Send a reply. If Discord takes none here any more, send it as a message.

        Words that Discord refuses are replaced with a sentence that says so. Raises ChatError if
        Discord is down.
        """
        interaction = self._read(payload)
        try:
            if interaction.id not in self._expired:
                await self._respond(interaction, reply)
                return
        except ChatGone as gone:
            log.info("interaction expired", error=str(gone))
        except ChatRefused as refused:
            words = say(str(interaction.locale), refused.sentence)
            await self._respond(interaction, Reply(words))
            return
        if reply.text:
            await self._post(interaction, reply)
        self._expired.discard(interaction.id)

    async def _respond(self, interaction: Interaction, reply: Reply) -> None:
        """The first text replaces "thinking"; the others are for the person alone."""
        if not (reply.text or reply.files):
            if self._find_form_command(interaction):
                return  # the form is the response
            is_run_here = reply.run is not None and not may_post(interaction)
            if _awaits_reply(interaction) and self._is_ours(interaction) and not is_run_here:
                await retry_call(interaction.delete_original_response)
            return
        texts = split_messages(reply.text) or ("✅",)
        for number, text in enumerate(texts):
            is_last = number == len(texts) - 1
            blobs = await self._load_files(reply) if is_last else ()
            options = self._make_controls(interaction, reply) if is_last else {}
            if number == 0 and _awaits_reply(interaction):
                await retry_call(
                    lambda text=text, blobs=blobs, options=options: (  # type: ignore[misc]
                        interaction.edit_original_response(
                            content=text, attachments=_open_files(blobs), **options
                        )
                    )
                )
            else:
                await self._follow_up(interaction, number, text, blobs, options)

    def _make_controls(self, interaction: Interaction, reply: Reply) -> Json:
        """What stands below a reply; a decision takes away the buttons of its question."""
        locale = str(interaction.locale)
        if reply.select:
            return {"view": make_selects(reply.select, locale)}
        if question := self._find_question(interaction):
            return {"view": make_confirmation(question, locale)}
        return {"view": None} if _is_decision(interaction) else {}

    async def _follow_up(
        self,
        interaction: Interaction,
        number: int,
        text: str,
        blobs: Sequence[Blob],
        options: Json,
    ) -> None:
        """Post a further text, unless it is known to be posted."""
        key = f"{interaction.id}:{number}"
        if (await self.ports.ledger.begin(key))[0] is Posting.POSTED:
            return
        options |= {"ephemeral": True, "wait": True, "suppress_embeds": True}

        async def post() -> discord.Message:
            posted = self._find_follow_up(interaction, text)
            return posted or await interaction.followup.send(
                text, files=_open_files(blobs), **options
            )

        sent = await retry_call(post)
        await self.ports.ledger.done(key, str(sent.id))

    def _find_follow_up(self, interaction: Interaction, text: str) -> discord.Message | None:
        """A message that was posted although the response was lost: the gateway reports it."""
        for message in self.client.cached_messages:
            answered = message.interaction_metadata
            if answered and answered.id == interaction.id and message.content == text.strip():
                return message
        return None

    async def _post(self, interaction: Interaction, reply: Reply) -> None:
        """Post a reply: one for the person alone as a direct message."""
        command = self._find_command(interaction)
        room: Any = interaction.channel
        try:
            if command is None or command.private or not may_post(interaction):
                room = await retry_call(lambda: self.client.create_dm(interaction.user))
            for number, text in enumerate(split_messages(reply.text)):
                nonce = make_nonce(f"{interaction.id}:{number}")
                await retry_call(lambda text=text, nonce=nonce: room.send(text, nonce=nonce))  # type: ignore[misc]
        except ChatGone as gone:
            log.info("a reply was not delivered", error=str(gone))

    async def _load_files(self, reply: Reply) -> Sequence[Blob]:
        return [
            Blob(
                await self.ports.files.get(file.hash), file.media_type, file.name, file.description
            )
            for file in reply.files[:_MOST_FILES]
        ]

    def _is_ours(self, interaction: Interaction) -> bool:
        clicked = _find_button(interaction) or _find_decision(interaction)
        return bool(clicked or self._find_command(interaction))


def _find_button(interaction: Interaction) -> tuple[Action, RunId] | None:
    return parse_button(str(_data(interaction).get("custom_id", "")))


def _find_decision(interaction: Interaction) -> CommandButton | None:
    return parse_command_button(str(_data(interaction).get("custom_id", "")))


def _is_decision(interaction: Interaction) -> bool:
    """Whether the person who was asked decided: the reply then replaces the question."""
    button = _find_decision(interaction)
    return button is not None and button.person == str(interaction.user.id)


def _ask_to_erase(question: CommandButton, locale: str) -> str:
    return say(locale, LocalizedText("erase", {"what": question.words}))


def _awaits_reply(interaction: Interaction) -> bool:
    """Whether "thinking" is shown until the reply replaces it.

    Not where a run is the answer and is posted by itself.
    """
    button = _find_button(interaction)
    return button is None or button[0] not in _RUNNING or not may_post(interaction)


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


def _data(interaction: Interaction) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", interaction.data or {})


def _quote_request(invocation: Invocation) -> str:
    """The request as a quote, so that others see what the answer is about."""
    files = (f"📎 {file.name}" for file in invocation.files)
    words = shorten(" ".join([*invocation.args.values(), *files]), _LONGEST_QUOTE)
    args = {"name": invocation.person.name, "words": words}
    return escape(say(invocation.person.locale, LocalizedText("discord-asked", args)))
