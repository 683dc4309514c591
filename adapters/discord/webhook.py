"""The place of an interaction where the bot is no member: it may answer there for 15 minutes.

Such are servers, group conversations and conversations between people in which a person who
installed the bot for themselves uses it.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import discord
from discord.http import MultipartParameters, Route

from adapters.discord.calls import retry_call
from adapters.discord.messages import PLATFORM
from pipeline.domain import Incoming
from pipeline.ports import Cache

MakeParameters = Callable[[], AbstractContextManager[MultipartParameters]]
"""The content of a message; made for each attempt, as the library closes files."""
_ORIGINAL, _WAIT = "@original", {"wait": "true"}


def may_post(interaction: discord.Interaction[discord.Client]) -> bool:
    """Whether the bot is a member of the place of an interaction, and may post there.

    A server may have installed its commands without the bot.
    """
    if interaction.guild_id is None:
        return not interaction.context.private_channel
    return interaction.client.get_guild(interaction.guild_id) is not None


async def save_webhook(cache: Cache, interaction: discord.Interaction[discord.Client]) -> None:
    """Keep the token with which a run that this interaction starts is answered."""
    channel = interaction.channel_id or 0
    await cache.put(_name(str(interaction.id)), f"{channel}/{interaction.token}")


async def find_webhook(client: discord.Client, cache: Cache, message: Incoming) -> "Webhook | None":
    """The place of the interaction that started a run; None if the run is answered elsewhere."""
    id_ = message.click or message.id.rpartition("-")[2]
    saved = await cache.get(_name(id_)) if id_ != message.id else None
    if saved is None:
        return None
    channel, _, token = saved.value.partition("/")
    return Webhook(client, int(channel), token)


def _name(interaction: str) -> str:
    return f"{PLATFORM}:interaction:{interaction}"


@dataclass(frozen=True, slots=True)
class Webhook:
    """Posts through an interaction: its original response first, then further messages.

    Calls raise ChatGone after 15 minutes.
    """

    client: discord.Client
    id: int
    """The channel's."""
    token: str
    guild: None = None

    async def post(self, content: MakeParameters, *, is_first: bool) -> discord.PartialMessage:
        """Post a message. The first one replaces "thinking", so that repeats do no harm."""
        if is_first:
            data = await self._call("PATCH", content, _ORIGINAL)
        else:
            data = await self._call("POST", content)
        return self.client.get_partial_messageable(self.id).get_partial_message(int(data["id"]))

    async def edit(self, message: int, content: MakeParameters) -> dict[str, Any]:
        """Edit a message and return its JSON."""
        return await self._call("PATCH", content, str(message))

    async def delete(self, message: int) -> None:
        await retry_call(lambda: self._request("DELETE", str(message)))

    async def _call(
        self, method: str, content: MakeParameters, message: str = ""
    ) -> dict[str, Any]:
        async def call() -> dict[str, Any]:
            with content() as params:
                options: dict[str, Any] = {"json": params.payload}
                if params.files:
                    options = {"form": params.multipart, "files": params.files}
                data: dict[str, Any] = await self._request(method, message, **options)
                return data

        return await retry_call(call)

    def _request(self, method: str, message: str, **options: Any) -> Awaitable[Any]:  # noqa: ANN401 - the library's own
        route = Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + ("/messages/{message}" if message else ""),
            webhook_id=self.client.application_id,
            webhook_token=self.token,
            message=message,
        )
        return self.client.http.request(route, params=None if message else _WAIT, **options)
