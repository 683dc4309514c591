"""REST: who the bot is, where it is, and the commands it registers."""

from tests.servers.discord import payloads
from tests.servers.discord.messages import Answer
from tests.servers.discord.schema import check_commands
from tests.servers.discord.values import DM, Channel, Guild, Json, Refusal
from tests.servers.discord.world import Call, World


def gateway(world: World, call: Call) -> Answer:
    address = world.address.replace("http", "ws", 1) + "/gateway"
    return 200, {"url": address}


def gateway_bot(world: World, call: Call) -> Answer:
    limits = {"total": 1000, "remaining": world.sessions_left, "reset_after": 100}
    limits["max_concurrency"] = world.max_concurrency
    url = world.address.replace("http", "ws", 1) + "/gateway"
    return 200, {"url": url, "shards": world.shards, "session_start_limit": limits}


def me(world: World, call: Call) -> Answer:
    return 200, payloads.user(world.bot) | {
        "verified": True,
        "mfa_enabled": True,
        "locale": "en-US",
    }


def person(world: World, call: Call) -> Answer:
    account = world.accounts.get(int(call.path["user"]))
    if account is None:
        raise Refusal(404, 10013, "Unknown User")
    return 200, payloads.user(account)


def application(world: World, call: Call) -> Answer:
    owner = next((a for a in world.accounts.values() if not a.bot), world.bot)
    return 200, {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "00",
        "flags": world.application_flags,
        "integration_types_config": {str(each): {} for each in world.installs},
        "owner": payloads.user(owner),
        "team": None,
    }


def guilds(world: World, call: Call) -> Answer:
    listed: list[Json] = [
        {"id": str(g.id), "name": g.name, "icon": None, "owner": False, "features": []}
        | {"permissions": str(g.everyone)}
        for g in world.guilds.values()
        if world.bot.id in g.members
    ]
    return 200, listed


def _guild(world: World, call: Call) -> Guild:
    found = world.guilds.get(int(call.path["guild"]))
    if found is None:
        raise Refusal(404, 10004, "Unknown Guild", fault=True)
    if world.bot.id not in found.members:
        raise Refusal(403, 50001, "Missing Access")
    return found


def guild(world: World, call: Call) -> Answer:
    return 200, payloads.guild(_guild(world, call), world.bot)


def guild_channels(world: World, call: Call) -> Answer:
    places = _guild(world, call).channels.values()
    return 200, [payloads.channel(place) for place in places if place.parent is None]


def guild_roles(world: World, call: Call) -> Answer:
    return 200, [payloads.role(_guild(world, call))]


def guild_threads(world: World, call: Call) -> Answer:
    active = [t for t in _guild(world, call).threads() if not t.archived]
    return 200, {"threads": [payloads.thread(t) for t in active], "members": [], "has_more": False}


def archived_threads(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place, "read_message_history")
    threads = place.guild.threads() if place.guild else ()
    put_away = [t for t in threads if t.parent is place and t.archived and not t.private]
    return 200, {
        "threads": [payloads.thread(t) for t in sorted(put_away, key=lambda t: -t.id)],
        "members": [],
        "has_more": False,
    }


def guild_member(world: World, call: Call) -> Answer:
    account = _guild(world, call).members.get(int(call.path["user"]))
    if account is None:
        raise Refusal(404, 10007, "Unknown Member")
    return 200, payloads.member(account)


def channel(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place)
    return 200, payloads.channel(place)


def reopen(world: World, call: Call) -> Answer:
    """A thread that was put away is brought back: all that may be changed of it without rights over
    it.
    """
    place = world.channel(call.path["channel"])
    if call.body != {"archived": False} or place.locked or place.parent is None:
        raise Refusal(403, 50013, "Missing Permissions")
    world.demand(place, "send_messages_in_threads")
    place.archived = False
    world.tell("THREAD_UPDATE", payloads.channel(place), place)
    return 200, payloads.channel(place)


def open_dm(world: World, call: Call) -> Answer:
    recipient = world.accounts.get(int(call.body["recipient_id"]))
    if recipient is None:
        raise Refusal(404, 10013, "Unknown User")
    found = next(
        (c for c in world.channels.values() if c.type == DM and c.people == [recipient, world.bot]),
        None,
    )
    place = found or world.add_channel(
        Channel(world.ids.next(), DM, recipient.name, people=[recipient, world.bot])
    )
    return 200, payloads.channel(place)


def list_commands(world: World, call: Call) -> Answer:
    """Translations only for those who ask for them, as Discord does."""
    if call.query.get("with_localizations") == "true":
        return 200, world.commands
    return 200, [
        {key: value for key, value in command.items() if not key.endswith("_localizations")}
        for command in world.commands
    ]


def put_commands(world: World, call: Call) -> Answer:
    """The bulk overwrite: ids of names that were there before are kept."""
    check_commands(call.body, world.installs)
    known = {command["name"]: command["id"] for command in world.commands}
    world.commands = [
        {"type": 1, "description": "", "options": [], "version": str(world.ids.next())}
        | {"application_id": str(world.bot.id), "default_member_permissions": None}
        | command
        | {"id": known.get(command["name"]) or str(world.ids.next())}
        for command in call.body
    ]
    world.ring()
    return 200, world.commands
