"""Signs that a message was taken, before its answer begins."""

from contextlib import suppress

import discord
import structlog

from adapters.discord.showing.targets import Targets, has_threads
from adapters.discord.web_api.errors import CALL_ERRORS
from adapters.discord.web_api.rooms import find_room
from pipeline.domain import Incoming
from pipeline.errors import ChatError

_EYES = "👀"
"""The reaction that says that a message was taken."""

log = structlog.get_logger()


async def show_taken(
    client: discord.Client, targets: Targets, message: discord.Message, incoming: Incoming
) -> None:
    """Show at once that a message was taken, where its answer will stand.

    A thread that is opened on it is sign enough; inside of one, and in a direct message, the bot
    types; where it can only reply, it reacts. A sign that fails is only logged.
    """
    channel = find_room(client, incoming.thread.channel.id)
    try:
        if find_room(client, incoming.thread.root) is not None:
            await message.channel.typing()
            return
        thread = None
        if has_threads(channel):
            with suppress(ChatError):
                thread = await targets.open_thread(channel, incoming)
        if thread is None:
            await message.add_reaction(_EYES)
    except CALL_ERRORS as error:
        log.info("no sign shown", problem=type(error).__name__)
