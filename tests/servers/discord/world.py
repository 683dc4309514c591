"""The state of the played Discord, and what everybody in it hears of a change."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.servers.discord import payloads
from tests.servers.discord.faults import Faults
from tests.servers.discord.limits import Limits
from tests.servers.discord.permissions import VIEW, demand
from tests.servers.discord.values import (
    DIRECT,
    THREAD,
    Account,
    Channel,
    Guild,
    Json,
    Message,
    Refusal,
    Snowflakes,
    Upload,
)

T = TypeVar("T")
TICK = 0.01


@dataclass(slots=True)
class Call:
    """One request of the bot, read."""

    name: str
    path: dict[str, str]
    query: dict[str, str]
    body: Any
    files: dict[int, Upload] = field(default_factory=dict)
    status: int = 0
    at: float = 0.0


@dataclass(slots=True)
class Interaction:
    """A person's use of a button, a command or an autocomplete."""

    id: int
    token: str
    kind: int
    place: Channel
    person: Account
    at: float
    owners: dict[str, str]
    """Whose installation allows it: "0" the server's, "1" the person's."""
    callback: Json | None = None
    message: Message | None = None
    trigger: "Interaction | None" = None
    """The interaction that the modal answered which is submitted now."""
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    acknowledged_after: float | None = None

    @property
    def is_by_person_alone(self) -> bool:
        """Whether the bot is here only because a person installed it."""
        return self.owners.keys() == {"1"}

    @property
    def answers(self) -> list[Message]:
        """What the person got to read, deferrals that were never filled left out."""
        first = [self.original] if self.original else []
        return [m for m in [*first, *self.followups] if not m.deleted]


@dataclass(slots=True)
class World:
    """Everything there is, with what was done wrong to it."""

    token: str
    bot: Account
    ids: Snowflakes
    faults: Faults
    limits: Limits
    address: str = ""
    application_flags: int = 1 << 19
    demand_nonce: bool = True
    shards: int = 1
    max_concurrency: int = 1
    """Groups of shards that may identify at the same time."""
    sessions_left: int = 1000
    has_index: bool = True
    """Whether servers can be searched yet."""
    latency: float = 0.0
    """Seconds that each call takes."""
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    accounts: dict[int, Account] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    installs: tuple[int, ...] = (0,)
    """Who may install the application: 0 servers, 1 people for themselves."""
    installed_by: set[int] = field(default_factory=set)
    """People who did."""
    interactions: dict[str, Interaction] = field(default_factory=dict)
    nonces: dict[tuple[int, str], Message] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    demanded: set[str] = field(default_factory=set)
    """Permissions that calls of the bot needed."""
    refusals: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    hear: Callable[[str, Json, Channel | Guild | None], None] = lambda *_: None
    _bell: asyncio.Event = field(default_factory=asyncio.Event)

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def ring(self) -> None:
        """Wake whoever waits for a change."""
        self._bell.set()
        self._bell = asyncio.Event()

    async def until(self, happened: Callable[[], T], seconds: float = 15.0) -> T:
        """Wait for something to be true; woken by the server, or soon for the client's side."""
        async with asyncio.timeout(seconds):
            while not (found := happened()):
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), TICK)
        return found

    def blame(self, call: str, why: str) -> None:
        self.violations.append(f"{call}: {why}")
        self.ring()

    def demand(self, place: Channel, *names: str) -> None:
        """Refuse what the bot may not do here."""
        if place.type not in DIRECT:
            self.demanded |= {VIEW, *names}
        demand(place, self.bot, *names)

    def channel(self, snowflake: str) -> Channel:
        place = self.channels.get(int(snowflake))
        if place is None:  # a message may have a thread, whose id is the same
            is_message = any(int(snowflake) in each.messages for each in self.channels.values())
            raise Refusal(404, 10003, "Unknown Channel", fault=not is_message)
        return place

    def message(self, place: Channel, snowflake: str) -> Message:
        said = place.messages.get(int(snowflake))
        if said is None or said.deleted:
            raise Refusal(404, 10008, "Unknown Message")
        return said

    def add_channel(self, place: Channel) -> Channel:
        self.channels[place.id] = place
        if place.guild is not None:
            place.guild.channels[place.id] = place
        return place

    def add_message(self, said: Message) -> Message:
        said.channel.messages[said.id] = said
        said.channel.archived = False
        self.tell_message("MESSAGE_CREATE", said)
        return said

    def tell_message(self, event: str, said: Message) -> None:
        """Announce a message that came or changed, as the gateway words it."""
        place: Channel | None = said.channel
        payload = payloads.message(said, self.address)
        if said.seen_only_by is not None:
            place = None  # it goes to the bot as if it were a direct message
        elif said.channel.guild is not None:
            payload["guild_id"] = str(said.channel.guild.id)
            payload["member"] = payloads.member(said.author, whole=False)
        if event == "MESSAGE_CREATE" or place is not None:
            self.hear(event, payload, place)
        self.ring()

    def tell(self, event: str, payload: Json, place: Channel | None) -> None:
        """Announce anything else that happened in a place."""
        guild = place.guild if place else None
        extra = {"guild_id": str(guild.id)} if guild else {}
        self.hear(event, payload | extra, place)
        self.ring()

    def remove(self, said: Message) -> None:
        said.deleted = True
        pointer = {"id": str(said.id), "channel_id": str(said.channel.id)}
        self.tell("MESSAGE_DELETE", pointer, said.channel)

    def change(self, said: Message, content: str, when: float) -> None:
        said.versions.append(said.content)
        said.content = content
        said.edited_at = when
        self.tell_message("MESSAGE_UPDATE", said)

    def open_thread(
        self,
        parent: Channel,
        name: str,
        owner: Account,
        root: Message | None,
        *,
        private: bool = False,
    ) -> Channel:
        """A thread, with the id of the message it hangs on."""
        thread = Channel(
            id=root.id if root else self.ids.next(),
            type=THREAD,
            name=name,
            guild=parent.guild,
            parent=parent,
            people=[owner],
            owner=owner,
            private=private,
        )
        self.add_channel(thread)
        self.hear("THREAD_CREATE", payloads.thread(thread) | {"newly_created": True}, thread)
        self.ring()
        return thread
