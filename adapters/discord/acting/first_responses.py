"""The first response to an interaction, which Discord wants within three seconds."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import discord
import structlog
from cachetools import LRUCache

from adapters.chat.failures import contain
from adapters.discord.acting.forms import make_modal
from adapters.discord.acting.requests import InteractionRequest
from adapters.discord.reading.threads import find_thread_of_interaction
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import Interaction
from pipeline.domain import InputForm, Invocation
from pipeline.errors import ChatError, ChatGone, StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Listener

_ACKNOWLEDGE_SECONDS = 2.5
"""How long a first response is tried: Discord accepts it for three seconds."""
_COMPLETE_SECONDS = 1.0
"""How long completions are tried: the person has typed on by then."""
_STORE_SECONDS = 0.5
"""How long a form or completions may wait for the database."""
_MOST_KEPT = 10_000
"""Responses whose message is remembered."""

Response = discord.InteractionCallbackResponse[discord.Client]

log = structlog.get_logger()


@dataclass(slots=True)
class FirstResponses:
    """Says "thinking", opens a form or completes an option; remembers what came of it."""

    listener: Listener
    expired: set[int] = field(default_factory=set)
    """Interactions that expired at Discord before they were acknowledged."""
    open_forms: set[int] = field(default_factory=set)
    """Interactions whose form is open, though they are not stored yet."""
    _messages: LRUCache[int, int] = field(default_factory=lambda: LRUCache(_MOST_KEPT))
    """The messages that say "thinking", by interaction, as Discord's acknowledgement told."""

    async def complete(self, interaction: Interaction, data: Mapping[str, Any]) -> None:
        """Show completions of the option that is being typed; a failure is only logged."""
        (option, typed), locale = find_focused(data), str(interaction.locale)
        try:
            with limit_patience(_STORE_SECONDS):
                words = await self.listener.completions(str(data["name"]), option, typed, locale)
            choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
            respond = partial(interaction.response.autocomplete, choices)
            await retry_call(respond, seconds=_COMPLETE_SECONDS)
        except (ChatError, StoreUnavailable) as error:
            log.info("completions not shown", error=str(error))

    async def respond_unstored(self, request: InteractionRequest) -> None:
        """Respond to an interaction that is held in memory, since it cannot be stored."""
        if request.may_open_form and await self._open_form(request):
            self.open_forms.add(request.interaction.id)
        else:
            await self.acknowledge(request)

    async def show_form(self, request: InteractionRequest) -> bool:
        """Open the form of a command; it may be open already. False if it has none."""
        if request.interaction.id in self.open_forms:
            self.open_forms.discard(request.interaction.id)
            return True
        return request.may_open_form and await self._open_form(request)

    async def acknowledge(self, request: InteractionRequest) -> None:
        """Tell Discord that a reply will come.

        It may know already: the response to an earlier attempt, here or before a restart, got lost.
        """
        interaction = request.interaction
        is_new = request.awaits_reply and not request.is_choice
        options = {"ephemeral": request.is_private, "thinking": is_new}
        await self._respond(interaction, lambda: interaction.response.defer(**options))

    async def find_message(self, interaction: Interaction) -> str:
        """The id of the message that says "thinking"; "" if there is none. Raises ChatError."""
        if interaction.id in self.expired:
            return ""
        if known := self._messages.get(interaction.id):
            return str(known)
        try:
            return str((await retry_call(interaction.original_response)).id)
        except ChatGone:
            return ""

    async def _open_form(self, request: InteractionRequest) -> bool:
        """Ask for the arguments of a command, if the conversation has a form for this person.

        The form must be the first response, so nothing is acknowledged before it.
        """
        interaction, name = request.interaction, request.command.name if request.command else ""
        thread = await find_thread_of_interaction(interaction)
        invocation = Invocation(
            id=str(interaction.id), command=name, args={}, person=request.person, thread=thread
        )
        try:
            with limit_patience(_STORE_SECONDS):
                form = await contain(self.listener.form(invocation))
        except StoreUnavailable:
            return False
        if not isinstance(form, InputForm):  # the command itself says what is wrong
            return False
        modal = make_modal(name, form, request.person.locale)
        await self._respond(interaction, lambda: interaction.response.send_modal(modal))
        return True

    async def _respond(
        self, interaction: Interaction, respond: Callable[[], Awaitable[Response | None]]
    ) -> None:
        """Make the first response; a failure is only logged, as Discord may have got it."""
        try:
            async with asyncio.timeout(_ACKNOWLEDGE_SECONDS):
                response = await retry_call(respond, seconds=_ACKNOWLEDGE_SECONDS)
                if response and response.message_id:
                    self._messages[interaction.id] = response.message_id
        except ChatGone:
            self.expired.add(interaction.id)
        except (ChatError, TimeoutError) as error:
            log.info("not acknowledged", error=str(error))


def find_focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and its text so far."""
    option = next(each for each in data.get("options") or [] if each.get("focused"))
    return str(option["name"]), str(option["value"])
