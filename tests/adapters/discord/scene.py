"""The Discord adapter in front of the played Discord, and a person who uses it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp

from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.discord.connecting.chat import DiscordChat
from adapters.discord.connecting.times import DiscordTimes
from adapters.discord.web_api.library import Addresses
from pipeline.domain import Blob, FileHash, Incoming, RunId
from pipeline.errors import FetchError
from pipeline.outage import Outage
from pipeline.ports import Leases
from tests.adapters.discord.events import Told, begun
from tests.contracts.chats import Post
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeCache, FakeFiles, FakeInteractions, FakeLedger
from tests.fakes.replicas import FakeReplicas
from tests.fakes.stages import FakeMedia
from tests.fakes.store import FakeStore
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import Account, Channel, Message

RHYTHM = Rhythm(gather=0.0, first=0.0, silent=0.05, between=0.05)
QUICK = DiscordTimes(
    heartbeat=5.0, settle=0.05, backfill=0.05, rate_period=0.15, identify=0.0, rhythm=RHYTHM
)


class LoopbackFetch:
    """Fetches over real HTTP in bounds; a redirect is not followed."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        async with (
            aiohttp.ClientSession() as session,
            session.get(url, headers=headers, allow_redirects=False) as answer,
        ):
            if answer.status != 200:
                raise FetchError("fetch-status", host=url, status=answer.status)
            data = await answer.content.read(max_bytes + 1)
            while len(data) <= max_bytes and (more := await answer.content.read(max_bytes)):
                data += more
            if len(data) > max_bytes:
                raise FetchError("fetch-too-large", host=url, limit=max_bytes)
            return Blob(data, answer.content_type)


@dataclass
class DiscordScene:
    """One server with one channel, a person in it, and the bot."""

    server: DiscordServer
    listener: FakeListener
    ada: Account
    place: Channel
    files: FakeFiles = field(default_factory=FakeFiles)
    ledger: FakeLedger = field(default_factory=FakeLedger)
    store: FakeStore = field(default_factory=FakeStore)
    cache: FakeCache = field(default_factory=FakeCache)
    interactions: FakeInteractions = field(default_factory=FakeInteractions)
    outage: Outage = field(default_factory=Outage)
    replicas: FakeReplicas = field(default_factory=lambda: FakeReplicas(alone=True))
    times: DiscordTimes = QUICK
    leases: Leases = field(init=False)
    chat: DiscordChat = field(init=False)

    def __post_init__(self) -> None:
        self.chat = self.new_chat()

    def beside(self) -> "DiscordScene":
        """Another replica of the program, on the same database."""
        return DiscordScene(
            self.server,
            self.listener,
            self.ada,
            self.place,
            files=self.files,
            ledger=self.ledger,
            store=self.store,
            cache=self.cache,
            interactions=self.interactions,
            replicas=self.replicas,
            times=self.times,
        )

    def new_chat(self) -> DiscordChat:
        """The adapter as a program begins with it; what lasts is the same."""
        self.leases = self.replicas.leases()
        ports = ChatPorts(
            ledger=self.ledger,
            files=self.files,
            media=FakeMedia(),
            sign=lambda _file, _run: "",
            fetch=LoopbackFetch(),
            chat_log=self.store,
            cache=self.cache,
            interactions=self.interactions,
            leases=self.leases,
            rate_limits=self.replicas.rate_limits,
            notifications=self.replicas.notifications(),
            outage=self.outage,
        )
        here = self.server.world.address.removeprefix("http://")
        addresses = Addresses(self.server.api, self.server.gateway.address, (here,))
        return DiscordChat(
            token=self.server.world.token, ports=ports, addresses=addresses, times=self.times
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The bot is there, until it is killed at the end of the block."""
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(self.chat.listen(self.listener))
            before = self.server.gateway.identified
            await self.server.world.until(lambda: self.server.gateway.identified > before)
            await self.chat._online.wait()  # noqa: SLF001 - nothing outside needs to know
            try:
                yield
            finally:
                listening.cancel()

    @property
    def shards(self) -> list[int]:
        """The shards that this replica has connected."""
        session = self.chat._session  # noqa: SLF001 - as above
        return (
            sorted(id_ for id_, shard in session.client.shards.items() if not shard.is_closed())
            if session
            else []
        )

    @property
    def mention(self) -> str:
        return f"<@{self.server.bot.id}>"

    async def asks(
        self, text: str, files: Sequence[tuple[str, bytes]] = (), place: Channel | None = None
    ) -> tuple[Incoming, RunId]:
        number = len(self.listener.received) + 1
        self.server.people.say(self.ada, place or self.place, f"{self.mention} {text}", files)
        return await self.listener.next(number)

    @asynccontextmanager
    async def drawing(self) -> AsyncIterator[tuple[Incoming, RunId, Told]]:
        """The plan of a picture is shown; the block tells what follows, and None at the end."""
        message, run = await self.asks("draw a dot")
        events = Told()
        async with asyncio.TaskGroup() as group:
            group.create_task(self.chat.follow(message, run, aiter(events)))
            events.tell(*begun())
            await self.sees("Making a picture from words · painters/dot")
            yield message, run, events

    def thread(self, message: Incoming) -> Channel:
        """Where the answer to a message stands."""
        return self.server.world.channels[int(message.thread.root)]

    def answers(self, message: Incoming) -> list[Message]:
        return self.server.transcript(self.thread(message))

    # --- the contract's scene ---

    async def keep(self, data: bytes) -> FileHash:
        return await self.files.put(data)

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        return await self.asks(text, [(file.name, file.data) for file in files])

    async def sees(self, words: str) -> None:
        def stands() -> bool:
            every = [m for c in self.server.world.channels.values() for m in c.by(self.server.bot)]
            return any(words in message.text for message in every)

        await self.server.world.until(stands)

    async def posts(self) -> Sequence[Post]:
        threads = [c for c in self.server.world.channels.values() if c.type == 11]
        return [_post(c.by(self.server.bot)) for c in threads if c.by(self.server.bot)]


def _post(said: Sequence[Message]) -> Post:
    lines = [line for m in said for line in m.text.split("\n") if not line.startswith("-# ")]
    files = tuple((u.filename, u.description or "", u.body) for m in said for u in m.uploads)
    return Post("\n".join(lines), files)


@asynccontextmanager
async def scene(**play: float) -> AsyncIterator[DiscordScene]:
    """A scene with nobody listening yet; at the end nothing invalid was asked of Discord."""
    async with play_discord(**play) as server:  # type: ignore[arg-type]
        ada = server.people.person("ada")
        guild = server.people.guild("team", ada)
        opened = DiscordScene(server, FakeListener(), ada, server.people.channel(guild, "general"))
        yield opened
        assert server.violations == []


@asynccontextmanager
async def discord_scene() -> AsyncIterator[DiscordScene]:
    async with scene() as opened, opened.running():
        yield opened
