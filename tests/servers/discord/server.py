"""The played Discord as one server on a loopback port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from tests.servers.discord.cdn import Cdn
from tests.servers.discord.faults import Faults
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.limits import Limits
from tests.servers.discord.people import People
from tests.servers.discord.rest import Rest
from tests.servers.discord.values import Account, Channel, Message, Snowflakes
from tests.servers.discord.world import World
from tests.servers.loopback import listen

TOKEN = "MTAx.played.discord"


@dataclass(frozen=True, slots=True)
class DiscordServer:
    """Everything a test needs: addresses, people, switches and the transcript."""

    world: World
    gateway: Gateway
    people: People
    cdn: Cdn

    @property
    def api(self) -> str:
        return f"{self.world.address}/api/v10"

    @property
    def bot(self) -> Account:
        return self.world.bot

    @property
    def faults(self) -> Faults:
        return self.world.faults

    @property
    def violations(self) -> list[str]:
        return self.world.violations

    def transcript(self, place: Channel) -> list[Message]:
        """What the bot said here and what is still there, in order."""
        return place.by(self.bot)

    def calls(self, name: str) -> int:
        return sum(call.name == name for call in self.world.calls)


@asynccontextmanager
async def play_discord(
    *,
    window: float = 0.1,
    interval: float = 41.25,
    shards: int = 1,
    port: int = 0,
    identify_seconds: float = 0.0,
) -> AsyncIterator[DiscordServer]:
    """Start the server; windows of the rate limits are multiplied by `window`.

    `interval` is that of the heartbeat, in seconds; `port` 0 is any free one. `identify_seconds`:
    within which one shard may begin a session; 0 for as many as like.
    """
    ids = Snowflakes()
    bot = Account(ids.next(), "troupe", bot=True)
    world = World(
        token=TOKEN, bot=bot, ids=ids, faults=Faults(), limits=Limits(window=window), shards=shards
    )
    gateway = Gateway(world, interval=interval, identify_seconds=identify_seconds)
    cdn = Cdn(world)
    world.hear = gateway.hear
    app = web.Application(client_max_size=200 << 20)
    Rest(world).add_to(app)
    cdn.add_to(app)
    app.router.add_get("/gateway", gateway.connect)
    app.router.add_get("/gateway/", gateway.connect)
    async with listen(app, port, handler_cancellation=True) as world.address:
        try:
            yield DiscordServer(world, gateway, People(world), cdn)
        finally:
            await gateway.close(1012)
