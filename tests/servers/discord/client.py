"""A plain discord.py client against the played Discord, for the server's own tests."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.servers.discord.server import DiscordServer


class Listener(discord.AutoShardedClient):
    """Keeps what it hears."""

    def __init__(self, *, content: bool = True, heartbeat_timeout: float = 60.0) -> None:
        intents = discord.Intents(guilds=True, messages=True)
        intents.message_content = content
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            heartbeat_timeout=heartbeat_timeout,
            guild_ready_timeout=0.05,
        )
        self.addressing: list[discord.Message] = []
        self.edited: list[discord.RawMessageUpdateEvent] = []
        self.deleted: list[discord.RawMessageDeleteEvent] = []
        self.used: asyncio.Queue[discord.Interaction] = asyncio.Queue()
        self.resumed = 0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Identify at once: the five seconds are for many shards at the real Discord."""

    async def on_message(self, message: discord.Message) -> None:
        self.addressing.append(message)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self.edited.append(event)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.deleted.append(event)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.used.put_nowait(interaction)

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.resumed += 1


def point_library_at(api: str, gateway: str) -> None:
    """Set discord.py's addresses, which are attributes of classes, before a client is made."""
    Route.BASE = api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def listener(
    server: DiscordServer, *, content: bool = True, heartbeat_timeout: float = 60.0
) -> Listener:
    """A client of this server that is not connected yet."""
    point_library_at(server.api, server.gateway.address)
    return Listener(content=content, heartbeat_timeout=heartbeat_timeout)


@asynccontextmanager
async def connected(client: Listener, token: str) -> AsyncIterator[Listener]:
    """The client, ready and closed afterwards."""
    await client.login(token)
    async with asyncio.TaskGroup() as group:
        group.create_task(client.connect())
        await client.wait_until_ready()
        try:
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def listening(
    server: DiscordServer, *, content: bool = True, heartbeat_timeout: float = 60.0
) -> AsyncIterator[Listener]:
    """A client that is ready, and closed afterwards."""
    client = listener(server, content=content, heartbeat_timeout=heartbeat_timeout)
    async with connected(client, server.world.token):
        yield client


def picture(name: str = "cat.png", description: str | None = "a cat") -> discord.File:
    return discord.File(io.BytesIO(b"\x89PNG" + b"0" * 64), name, description=description)
