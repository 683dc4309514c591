"""The doctor's checks of Discord, each finding with a link to fix it."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import discord

from adapters.discord.connecting.client import has_message_content
from adapters.discord.connecting.invitation import PERMISSIONS, invite
from adapters.discord.web_api.calls import call_once, make_nonce, retry_call
from adapters.discord.web_api.errors import PORTAL
from adapters.discord.web_api.library import Addresses, point_library_at
from adapters.network.connections import Connector
from adapters.network.proxies import DIRECT, Network
from pipeline.domain import HealthCheck, LocalizedText, report_bad, report_good, report_note
from pipeline.errors import ChatError
from pipeline.words import say

_GATEWAY_SECONDS = 30.0
"""How long the gateway may take to say which servers there are."""
_SETTLE_SECONDS = 0.3
"""How long the library waits for another server."""
_NAMES = {"read_messages": "view channel"}
"""Where the library's name is not the one in Discord's settings."""


async def examine(
    token: str, addresses: Addresses, *, channel: str = "", network: Network = DIRECT
) -> AsyncIterator[HealthCheck]:
    """Check token, intent, servers and permissions; with a channel (name or id), post there.

    Raises SettingsError for a wrong token, ChatError.
    """
    point_library_at(addresses)
    async with discord.Client(
        intents=discord.Intents(guilds=True),
        allowed_mentions=discord.AllowedMentions.none(),
        guild_ready_timeout=_SETTLE_SECONDS,
        connector=Connector(network, limit=0),
    ) as client:
        await call_once(lambda: client.login(token))
        yield report_good("doctor-discord-token-good", name=str(client.user))
        if has_message_content(client):
            yield report_good("doctor-discord-intent-good")
        else:
            bot_page = f"{PORTAL}/{client.application_id}/bot"
            yield report_note("doctor-discord-intent-missing", link=bot_page)
        async with asyncio.timeout(_GATEWAY_SECONDS), asyncio.TaskGroup() as tasks:
            connecting = tasks.create_task(call_once(lambda: client.connect(reconnect=False)))
            await client.wait_until_ready()
            findings = [finding async for finding in _check_servers(client, channel)]
            connecting.cancel()
        for finding in findings:
            yield finding
        yield report_good("doctor-discord-gateway-good")


async def _check_servers(client: discord.Client, channel: str) -> AsyncIterator[HealthCheck]:
    link = invite(client.application_id or 0)
    if not client.guilds:
        yield report_bad("doctor-discord-no-server", link)
    for guild in client.guilds:
        for finding in _check_permissions(guild.name, guild.me.guild_permissions, link):
            yield finding
    if not channel:
        return
    rooms = [room for guild in client.guilds for room in guild.text_channels]
    name_or_id = channel.removeprefix("#")
    room = next((room for room in rooms if name_or_id in (room.name, str(room.id))), None)
    if room is None:
        yield report_bad("doctor-discord-channel", link, channel=channel)
        return
    for finding in _check_permissions(f"#{room.name}", room.permissions_for(room.guild.me), link):
        yield finding
    yield await _round_trip(room, link)


async def _round_trip(room: discord.TextChannel, link: str) -> HealthCheck:
    """Post, edit and delete a message."""
    words = say("en", LocalizedText("doctor-discord-hello"))
    nonce = make_nonce(f"doctor:{room.id}:{discord.utils.utcnow()}")
    try:
        message = await retry_call(lambda: room.send(words, nonce=nonce))
        await retry_call(lambda: message.edit(content=f"{words} ✓"))
        await retry_call(message.delete)
    except ChatError as error:
        return HealthCheck(error.sentence, good=False, mend=link)
    return report_good("doctor-discord-round-trip", channel=f"#{room.name}")


def _check_permissions(
    where: str, permissions: discord.Permissions, link: str
) -> Iterable[HealthCheck]:
    missing = [name for name, is_missing in PERMISSIONS & ~permissions if is_missing]
    for name in missing:
        words = _NAMES.get(name, name.replace("_", " "))
        yield report_bad("doctor-discord-permission", link, permission=words, where=where)
    if not missing:
        yield report_good("doctor-discord-permissions-good", where=where)
