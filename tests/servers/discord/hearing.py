"""Which session hears of what, and how much of it: shards, intents and privileged content."""

from tests.servers.discord.permissions import VIEW, may
from tests.servers.discord.values import DM, Account, Channel, Guild, Json

GUILDS, MESSAGES, REACTIONS, TYPING = 1 << 0, 1 << 9, 1 << 10, 1 << 11
DM_MESSAGES, DM_REACTIONS, DM_TYPING, CONTENT = 1 << 12, 1 << 13, 1 << 14, 1 << 15
NEEDS = {
    "MESSAGE_CREATE": (MESSAGES, DM_MESSAGES),
    "MESSAGE_UPDATE": (MESSAGES, DM_MESSAGES),
    "MESSAGE_DELETE": (MESSAGES, DM_MESSAGES),
    "MESSAGE_REACTION_ADD": (REACTIONS, DM_REACTIONS),
    "MESSAGE_REACTION_REMOVE": (REACTIONS, DM_REACTIONS),
    "TYPING_START": (TYPING, DM_TYPING),
    "THREAD_CREATE": (GUILDS, GUILDS),
    "THREAD_UPDATE": (GUILDS, GUILDS),
    "CHANNEL_UPDATE": (GUILDS, GUILDS),
    "CHANNEL_CREATE": (GUILDS, GUILDS),
}
REPEATED = {"MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "INTERACTION_CREATE"}


def on_shard(guild: int, shard: tuple[int, int]) -> bool:
    return (guild >> 22) % shard[1] == shard[0]


def reaches(
    intents: int, shard: tuple[int, int], event: str, place: Channel | Guild | None
) -> bool:
    """Whether a session with these intents on this shard is told."""
    guild = place if isinstance(place, Guild) else place.guild if place else None
    right_shard = on_shard(guild.id, shard) if guild else shard[0] == 0
    in_guild, direct = NEEDS.get(event, (0, 0))
    needed = in_guild if guild else direct
    return right_shard and (not needed or bool(intents & needed))


def shown(
    intents: int, event: str, payload: Json, place: Channel | Guild | None, bot: Account
) -> Json:
    """The payload, without the content where the intent for it is missing."""
    if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or intents & CONTENT:
        return payload
    if not isinstance(place, Channel) or place.type == DM:
        return payload
    mentioned = any(person["id"] == str(bot.id) for person in payload["mentions"])
    if mentioned or payload["author"]["id"] == str(bot.id):
        return payload
    return payload | {"content": "", "attachments": [], "embeds": [], "components": []}


def sees(place: Channel | Guild | None, bot: Account) -> bool:
    return (
        bot.id in place.members if isinstance(place, Guild) else not place or may(place, bot, VIEW)
    )
