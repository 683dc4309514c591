"""Who may do what in which channel, counted as Discord counts it."""

from discord import Permissions

from tests.servers.discord.values import DIRECT, THREAD, Account, Channel, Refusal

VIEW = "view_channel"
DEFAULT = Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    add_reactions=True,
    attach_files=True,
    embed_links=True,
    use_application_commands=True,
).value


def bit(name: str) -> int:
    return Permissions(**{name: True}).value


def allowed(channel: Channel, person: Account) -> int:
    """All bits this person has here; in a thread those of the channel it hangs on."""
    if not channel.has(person):
        return 0
    if channel.type in DIRECT:
        return DEFAULT
    home = channel.parent if channel.type == THREAD and channel.parent else channel
    guild = home.guild
    assert guild is not None
    bits = guild.everyone
    for target in (guild.id, person.id):
        grants, denies = home.overwrites.get(target, (0, 0))
        bits = (bits & ~denies) | grants
    return bits


def may(channel: Channel, person: Account, name: str) -> bool:
    return bool(allowed(channel, person) & bit(name))


def demand(channel: Channel, person: Account, *names: str) -> None:
    """Refuse as Discord does what this person may not do here."""
    if not may(channel, person, VIEW):
        raise Refusal(403, 50001, "Missing Access")
    for name in names:
        if not may(channel, person, name):
            raise Refusal(403, 50013, "Missing Permissions")


def sending(channel: Channel) -> str:
    return "send_messages_in_threads" if channel.type == THREAD else "send_messages"
