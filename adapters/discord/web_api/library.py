"""What discord.py has no public way for; nothing else here touches its inside."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from pipeline.bounds import bound_json

Json = dict[str, Any]
Interaction = discord.Interaction[discord.Client]

_ESSENTIAL = frozenset({"READY", "RESUMED"})
"""Events without which there is no connection: an error in them must end it."""
_BY_PEOPLE = ("MESSAGE_CREATE", "MESSAGE_UPDATE", "INTERACTION_CREATE")
"""Events with what people wrote or pressed."""
_SEARCH_PAGE = 25
"""Messages that Discord returns of a search, at most."""
_MOST_PAGES = 40
"""Pages of a search that are looked through."""
_GOING = 1000
"""The code with which a session ends for good."""
_LONGEST_BACKOFF = 4
"""The longest wait between attempts to reconnect, as a power of two in seconds."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Addresses:
    """The API, the gateway and the hosts that files come from."""

    api: str
    gateway: str
    cdn_hosts: tuple[str, ...]


def point_library_at(addresses: Addresses) -> None:
    """Set discord.py's addresses; call it before a client is built.

    They are attributes of its classes: no client takes them as arguments.
    """
    Route.BASE = add_version(addresses.api)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(addresses.gateway)
    # The bot does not speak in voice channels: no warning about missing voice libraries.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def add_version(api: str) -> str:
    """The API's address with its version, which the setting may leave out."""
    address = api.rstrip("/")
    path = yarl.URL(address).path.rstrip("/")
    return address + {"": "/api/v10", "/api": "/v10"}.get(path, "")


def guard_events(client: discord.Client, take_interaction: Callable[[Json], None]) -> None:
    """Bound and contain the events of a client, and take its interactions as JSON.

    An event that the library cannot parse would end its connection, with no hook before that. Its
    own event for an interaction lacks the JSON, which we store.
    """
    parsers = client._connection.parsers  # noqa: SLF001
    for name in parsers.keys() - _ESSENTIAL:
        parsers[name] = partial(_try_parse, parsers[name])
    parsers["INTERACTION_CREATE"] = partial(_try_parse, take_interaction)
    for name in _BY_PEOPLE:
        parsers[name] = partial(_bound_event, parsers[name])


def _bound_event(parse: Callable[[Any], None], payload: object) -> None:
    """Parse what people wrote or pressed, without lists that no person makes."""
    parse(bound_json(payload))


def _try_parse(parse: Callable[[Any], None], payload: object) -> None:
    """Log an event that the library cannot parse, instead of losing the connection."""
    try:
        parse(payload)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        quotes = isinstance(error, ValueError)  # what it could not read
        problem = type(error).__name__ if quotes else repr(error)
        log.warning("discord: unreadable event", problem=problem)


def limit_backoff(shard: discord.ShardInfo) -> None:
    """Limit how long the library waits to reconnect: without a setting, up to 17 minutes."""
    shard._parent._backoff._max = _LONGEST_BACKOFF  # noqa: SLF001


async def open_shard(client: discord.AutoShardedClient, gateway: str, shard: int) -> None:
    """Connect a shard that the client does not have; try again until it is connected.

    The library starts all of its shards by itself, in a fixed order, and never another one.
    """
    state: Any = client._connection  # noqa: SLF001
    state.shard_ids = sorted({*state.shard_ids, shard})
    await client.launch_shard(yarl.URL(gateway), shard)


async def close_shard(client: discord.AutoShardedClient, shard: int) -> Sequence[discord.Guild]:
    """Disconnect a shard, and forget its servers. Returns them."""
    state: Any = client._connection  # noqa: SLF001
    state.shard_ids = [each for each in state.shard_ids if each != shard]
    if info := client.get_shard(shard):
        parent: Any = info._parent  # noqa: SLF001
        parent.worker = partial(_close_socket, parent)  # if it is just being connected again
        parent._cancel_task()  # noqa: SLF001 - it may be waiting to connect again
        await parent.ws.close(code=_GOING)
    if settling := state._ready_tasks.pop(shard, None):  # noqa: SLF001
        settling.cancel()
    if shard in state._ready_states:  # noqa: SLF001
        state._ready_states[shard] = asyncio.Queue()  # noqa: SLF001 - it may be waited for once more
    guilds = [guild for guild in client.guilds if guild.shard_id == shard]
    for guild in guilds:
        state._remove_guild(guild)  # noqa: SLF001
    return guilds


async def _close_socket(parent: Any) -> None:  # noqa: ANN401 - the library's own
    await parent.ws.close(code=_GOING)


async def count_shards(client: discord.AutoShardedClient) -> tuple[int, str]:
    """How many shards Discord wants, and the gateway's address; the library then knows of none."""
    count, gateway, _ = await client.http.get_bot_gateway()
    client.shard_count = client._connection.shard_count = count  # noqa: SLF001
    return count, gateway


async def add_guild(client: discord.Client, id_: int) -> discord.Guild:
    """Fetch a server with its channels and our rights, and let the library know it."""
    http, me = client.http, client.user.id if client.user else 0
    data: Any = await http.get_guild(id_, with_counts=False)
    channels = await http.get_all_guild_channels(id_)
    member = await http.get_member(id_, me)
    whole = {**data, "channels": channels, "members": [member], "threads": []}
    guild = discord.Guild(data=cast("Any", whole), state=client._connection)  # noqa: SLF001
    client._connection._add_guild(guild)  # noqa: SLF001
    return guild


def remove_guild(client: discord.Client, guild: discord.Guild) -> None:
    """Let the library forget a server, unless it knows a newer one of that id."""
    if client.get_guild(guild.id) is guild:
        client._connection._remove_guild(guild)  # noqa: SLF001


async def search_messages(
    client: discord.Client, guild: int, since: int, who: Mapping[str, int]
) -> Sequence[Json] | None:
    """The messages of a server after an id that mention somebody, as JSON, oldest first.

    None if Discord has not indexed the server yet, or if there are more than we look through.
    Discord leaves out rooms that we may not read. The library knows no search.
    """
    found: list[Json] = []
    route = Route("GET", "/guilds/{guild_id}/messages/search", guild_id=guild)
    for _ in range(_MOST_PAGES):
        params: Json = {**who, "min_id": since, "limit": _SEARCH_PAGE}
        params |= {"sort_by": "timestamp", "sort_order": "asc"}
        page: Any = await client.http.request(route, params=params)
        hits = [each for hits in page.get("messages", ()) for each in hits]
        if "total_results" not in page:
            return None
        found += hits
        if page["total_results"] <= len(hits) or not hits:
            return found
        since = max(int(each["id"]) for each in hits)
    return None


def has_session(client: discord.AutoShardedClient, shard: int) -> bool:
    """Whether the gateway has told all servers of a shard that is connected here."""
    info = client.get_shard(shard)
    return info is not None and info._parent.ws.session_id is not None  # noqa: SLF001


def add_room(client: discord.Client, room: object) -> None:
    """Let the library know a thread of a server that it knows, or a direct channel."""
    if isinstance(room, discord.Thread):
        room.guild._add_thread(room)  # noqa: SLF001
    elif isinstance(room, discord.DMChannel):
        client._connection._add_private_channel(room)  # noqa: SLF001


def make_interaction(client: discord.Client, payload: Json) -> Interaction:
    """The interaction of a stored JSON. The library makes them only from events."""
    return discord.Interaction(data=cast("Any", payload), state=client._connection)  # noqa: SLF001


def make_message(client: discord.Client, channel: object, payload: Json) -> discord.Message:
    """The message of a stored JSON, in a channel. The library makes them only from events."""
    state = client._connection  # noqa: SLF001
    return discord.Message(state=state, channel=cast("Any", channel), data=cast("Any", payload))


def make_attachment(client: discord.Client, payload: Json) -> discord.Attachment:
    """The attachment of a stored JSON. The library makes them only from events."""
    return discord.Attachment(data=cast("Any", payload), state=client._connection)  # noqa: SLF001


async def list_commands(client: discord.Client) -> Sequence[Mapping[str, Any]]:
    """The application's commands with all translations, which the library's own call leaves out."""
    application = client.application_id or 0
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    commands: Sequence[Mapping[str, Any]] = await client.http.request(
        route, params={"with_localizations": "true"}
    )
    return commands


async def overwrite_commands(client: discord.Client, commands: Sequence[Json]) -> None:
    """Replace the application's commands.

    The library's public way wants a Python function with annotated parameters for each command;
    ours are data.
    """
    payload = cast("list[Any]", commands)
    await client.http.bulk_upsert_global_commands(client.application_id or 0, payload)
