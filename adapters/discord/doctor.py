"""What is wrong with the Discord side of an installation, each with the link to mend it."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence

import discord

from adapters.chat.events import report_bad, report_good
from adapters.discord.access import PERMISSIONS, Addresses, invite, point_library_at
from adapters.discord.calls import CALL_ERRORS, PORTAL, make_nonce, translate_error
from adapters.discord.client import INTENTS
from pipeline.domain import HealthCheck, LocalizedText
from pipeline.words import say

_GATEWAY_SECONDS, _SETTLE_SECONDS = 30.0, 0.1
_NAMES = {"read_messages": "view channel"}
"""Where the library's name is not the one in Discord's settings."""


async def examine(
    token: str, addresses: Addresses, *, channel: str = ""
) -> AsyncIterator[HealthCheck]:
    """Check token, intent, servers and permissions; with a channel (name or id), post there."""
    point_library_at(addresses)
    client = discord.Client(
        intents=INTENTS,
        allowed_mentions=discord.AllowedMentions.none(),
        guild_ready_timeout=_SETTLE_SECONDS,
    )
    try:
        await client.login(token)
        yield report_good("doctor-discord-token-good", name=str(client.user))
        yield _check_intent(client)
        async for finding in _check_servers(client, channel):
            yield finding
        yield await _check_gateway(client)
    except CALL_ERRORS as error:
        yield _translate(error, PORTAL)
    finally:
        await client.close()
        await client.http.close()


def _check_intent(client: discord.Client) -> HealthCheck:
    flags = client.application_flags
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        return report_good("doctor-discord-intent-good")
    page = f"{PORTAL}/{client.application_id}/bot"
    return report_bad("discord-intent-missing", page, link=page)


async def _check_servers(client: discord.Client, channel: str) -> AsyncIterator[HealthCheck]:
    link = invite(client.application_id or 0)
    me = client.user.id if client.user else 0
    guilds = [await client.fetch_guild(guild.id) async for guild in client.fetch_guilds()]
    if not guilds:
        yield report_bad("doctor-discord-no-server", link)
    channels: list[discord.abc.GuildChannel] = []
    for guild in guilds:
        member = await guild.fetch_member(me)
        for finding in _check_permissions(guild.name, member.guild_permissions, link):
            yield finding
        channels += await guild.fetch_channels()
    if channel:
        async for finding in _check_channel(channels, channel, me, link):
            yield finding


def _check_permissions(
    where: str, permissions: discord.Permissions, link: str
) -> Iterable[HealthCheck]:
    missing = [name for name, is_missing in PERMISSIONS & ~permissions if is_missing]
    for name in missing:
        words = _NAMES.get(name, name.replace("_", " "))
        yield report_bad("doctor-discord-permission", link, permission=words, where=where)
    if not missing:
        yield report_good("doctor-discord-permissions-good", where=where)


async def _check_channel(
    channels: Sequence[discord.abc.GuildChannel], wanted: str, me: int, link: str
) -> AsyncIterator[HealthCheck]:
    """Its permissions, and a message that is posted, edited and deleted."""
    texts = [each for each in channels if isinstance(each, discord.TextChannel)]
    names = {name: each for each in texts for name in (each.name, str(each.id))}
    channel = names.get(wanted.removeprefix("#"))
    if channel is None:
        yield report_bad("doctor-discord-channel", link, channel=wanted)
        return
    name = f"#{channel.name}"
    permissions = channel.permissions_for(await channel.guild.fetch_member(me))
    for finding in _check_permissions(name, permissions, link):
        yield finding
    words = say("en", LocalizedText("doctor-discord-hello"))
    try:
        nonce = make_nonce(f"doctor:{channel.id}:{discord.utils.utcnow()}")
        message = await channel.send(words, nonce=nonce)
        await message.edit(content=f"{words} ✓")
        await message.delete()
    except CALL_ERRORS as error:
        yield _translate(error, link)
    else:
        yield report_good("doctor-discord-round-trip", channel=name)


async def _check_gateway(client: discord.Client) -> HealthCheck:
    """Connect, and leave again."""
    problem: BaseException | None = None
    try:
        async with asyncio.timeout(_GATEWAY_SECONDS), asyncio.TaskGroup() as group:
            connecting = group.create_task(client.connect(reconnect=False))
            await client.wait_until_ready()
            connecting.cancel()
    except* CALL_ERRORS as errors:
        problem = errors.exceptions[0]
    if isinstance(problem, Exception):
        return _translate(problem, PORTAL)
    return report_good("doctor-discord-gateway-good")


def _translate(error: Exception, mend: str) -> HealthCheck:
    return HealthCheck(translate_error(error).sentence, good=False, mend=mend)
