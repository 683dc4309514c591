"""Completes an option of a command while a person types it."""

from collections.abc import Mapping
from typing import Any

import discord
import structlog

from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import Interaction
from pipeline.errors import ChatError, StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Listener

_STORE_SECONDS = 0.5
"""How long completions may wait for the database."""
_CALL_SECONDS = 1.0
"""How long they are tried: the person has typed on by then."""

log = structlog.get_logger()


async def complete(listener: Listener, interaction: Interaction, data: Mapping[str, Any]) -> None:
    """Show completions of the option that is being typed; a failure is only logged."""
    option, typed = find_focused(data)
    try:
        with limit_patience(_STORE_SECONDS):
            words = await listener.completions(
                str(data["name"]), option, typed, str(interaction.locale)
            )
        choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
        await retry_call(lambda: interaction.response.autocomplete(choices), seconds=_CALL_SECONDS)
    except (ChatError, StoreUnavailable) as error:
        log.info("completions not shown", error=str(error))


def find_focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and its text so far."""
    option = next(each for each in data.get("options") or [] if each.get("focused"))
    return str(option["name"]), str(option["value"])
