"""Commands, buttons, selects and forms: stored, acknowledged, carried out, answered."""

from dataclasses import dataclass, field
from typing import cast

import discord

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.erasure import ask_to_erase
from adapters.chat.failures import contain_reply
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.discord.acting.first_responses import FirstResponses
from adapters.discord.acting.replies import DiscordReplies
from adapters.discord.acting.requests import InteractionRequest, read_request
from adapters.discord.reading.threads import find_thread, find_thread_of_interaction
from adapters.discord.showing.markdown import escape
from adapters.discord.showing.webhook import save_webhook
from adapters.discord.web_api.library import Interaction, Json, make_interaction
from adapters.discord.web_api.rooms import PLATFORM, find_room
from adapters.discord.web_api.servers import Servers
from adapters.discord.web_api.spoilers import hide_spoilers
from pipeline.domain import Action, ButtonClick, Command, Invocation, LocalizedText, Reply, RunId
from pipeline.ports import Listener
from pipeline.text import shorten
from pipeline.words import say

_LONGEST_QUOTE = 300
"""Characters of a request that are quoted above its answer."""


@dataclass(slots=True, kw_only=True)
class DiscordInteractions:
    """Takes interactions. Every failure is reported to the person who used them.

    An interaction is stored before it is acknowledged; what a restart interrupts is resumed.
    """

    client: discord.Client
    listener: Listener
    ports: ChatPorts
    dispatcher: Dispatcher
    servers: Servers
    _first: FirstResponses = field(init=False)
    _replies: DiscordReplies = field(init=False)
    _queue: InteractionQueue = field(init=False)

    def __post_init__(self) -> None:
        self._first = FirstResponses(self.listener)
        self._replies = DiscordReplies(self.client, self.ports, self._first)
        self._queue = InteractionQueue(
            platform=PLATFORM,
            interactions=self.ports.interactions,
            leases=self.ports.leases,
            dispatcher=self.dispatcher,
            find_id=lambda payload: str(payload["id"]),
            find_person=lambda payload: str((payload.get("member") or payload)["user"]["id"]),
            execute=self._execute,
            send=self._send,
            notify=lambda payload, text: self._replies.notify(self._read(payload), text),
        )

    async def on_interaction(self, payload: Json) -> None:
        """Take an interaction, given its JSON."""
        if payload["type"] == discord.InteractionType.autocomplete.value:
            interaction = make_interaction(self.client, payload)
            await self._first.complete(interaction, payload["data"])
        elif await self._queue.accept(payload) is None:  # it is held: Discord wants a response now
            await self._first.respond_unstored(self._read(payload))

    async def watch(self) -> None:
        """Answer what a restart interrupted, or the death of a replica, until cancelled."""
        await self._queue.watch()

    def _read(self, payload: Json) -> InteractionRequest:
        return read_request(self.client, self.listener.commands, payload)

    async def _execute(self, payload: Json) -> Reply:
        """Acknowledge an interaction and carry it out. Raises ChatError if Discord is down."""
        await self._meet(payload)
        request = self._read(payload)
        if await self._first.show_form(request):
            return Reply("")
        await self._first.acknowledge(request)
        locale, question = request.person.locale, request.question
        sentence = ask_to_erase(question.words) if question else request.problem
        if sentence is not None:
            return Reply(say(locale, sentence))
        if request.runs_here:
            await save_webhook(self.ports.cache, request.interaction)
        if request.button:
            return await self._click(request, *request.button)
        if request.command:
            return await self._run_command(request, request.command)
        if request.choice and not request.is_choice:
            return Reply("")
        id_ = "erase-cancelled" if request.choice else "run-forgotten"
        return Reply(say(locale, LocalizedText(id_)))

    async def _send(self, payload: Json, reply: Reply) -> None:
        await self._meet(payload)
        await self._replies.send(self._read(payload), reply)

    async def _meet(self, payload: Json) -> None:
        """Get to know the server, of which only another replica may have heard."""
        if server := payload.get("guild_id"):
            await self.servers.meet_server(int(server))

    async def _click(self, request: InteractionRequest, action: Action, run: RunId) -> Reply:
        interaction = request.interaction
        values = cast("Json", interaction.data).get("values")
        click = ButtonClick(
            id=str(interaction.id),
            action=action,
            run=run,
            person=request.person,
            thread=await find_thread_of_interaction(interaction),
            value=next(iter(values or ()), ""),
            shown=await self._find_run(interaction),
            direct=interaction.guild_id is None,
        )
        return await contain_reply(self.listener.on_click(click), request.person.locale)

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

    async def _run_command(self, request: InteractionRequest, command: Command) -> Reply:
        interaction, locale = request.interaction, request.person.locale
        if request.choice:
            here, root = interaction.channel, request.choice.root
            thread = find_thread(here or discord.Object(interaction.channel_id or 0), root)
            room = find_room(self.client, root)
            if isinstance(room, discord.Thread) and room.is_private() and room != here:
                return Reply(say(locale, LocalizedText("run-forgotten")))
        else:
            root = "" if command.private else await self._first.find_message(interaction)
            thread = await find_thread_of_interaction(interaction, root)
        invocation = Invocation(
            id=str(interaction.id),
            command=command.name,
            args=request.args,
            person=request.person,
            thread=thread,
            files=request.files,
            alone=request.alone,
        )
        reply = await contain_reply(self.listener.on_command(invocation), locale)
        if reply.text or reply.files or request.runs_here or request.choice:
            return reply
        return Reply(_quote_request(invocation), private=reply.private, run=reply.run)


def _quote_request(invocation: Invocation) -> str:
    """The request as a quote, so that others see what the answer is about."""
    files = (f"📎 {file.name}" for file in invocation.files)
    words = hide_spoilers(" ".join([*invocation.args.values(), *files]))
    args = {"name": invocation.person.name, "words": shorten(words, _LONGEST_QUOTE)}
    return escape(say(invocation.person.locale, LocalizedText("discord-asked", args)))
