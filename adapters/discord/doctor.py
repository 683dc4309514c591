"""What is wrong with the Discord side of an installation, each thing with the link where it is mended."""

import asyncio
from collections.abc import AsyncIterator, Iterable

import aiohttp
import discord

from adapters.discord.addresses import Addresses, point_library_at
from adapters.discord.client import INTENTS
from adapters.discord.errors import PORTAL, told
from adapters.discord.invite import PERMISSIONS, invite
from adapters.discord.posting import nonce_of
from pipeline.domain import Finding, Sentence
from pipeline.words import say

_TROUBLE = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)
_SECONDS, _SETTLE = 30.0, 0.1


async def examine(token: str, addresses: Addresses, *, channel: str = "") -> AsyncIterator[Finding]:
    """Look at token, intent, servers and permissions; with a channel (its name or id), make a round trip there."""
    point_library_at(addresses)
    nobody = discord.AllowedMentions.none()
    client = discord.Client(intents=INTENTS, allowed_mentions=nobody, guild_ready_timeout=_SETTLE)
    try:
        await client.login(token)
    except _TROUBLE as error:
        yield _error(error, PORTAL)
        await client.http.close()
        return
    try:
        yield _good("doctor-discord-token-good", name=str(client.user))
        async for finding in _known(client, channel):
            yield finding
    except _TROUBLE as error:
        yield _error(error, PORTAL)
    finally:
        await client.close()


async def _known(client: discord.Client, channel: str) -> AsyncIterator[Finding]:
    yield _intent(client)
    link = invite(client.application_id or 0)
    guilds = [await client.fetch_guild(guild.id) async for guild in client.fetch_guilds()]
    if not guilds:
        yield _bad("doctor-discord-no-server", link)
    places: list[discord.TextChannel] = []
    for guild in guilds:
        me = await guild.fetch_member(client.user.id if client.user else 0)
        for finding in _permissions(guild.name, me.guild_permissions, link):
            yield finding
        found = await guild.fetch_channels()
        places += [place for place in found if isinstance(place, discord.TextChannel)]
    if channel:
        async for finding in _channel(client, places, channel, link):
            yield finding
    yield await _gateway(client)


def _intent(client: discord.Client) -> Finding:
    flags = client.application_flags
    if flags.gateway_message_content or flags.gateway_message_content_limited:
        return _good("doctor-discord-intent-good")
    page = f"{PORTAL}/{client.application_id}/bot"
    return _bad("discord-intent-missing", page, link=page)


async def _gateway(client: discord.Client) -> Finding:
    """A connection made and given up again."""
    found = _good("doctor-discord-gateway-good")
    try:
        async with asyncio.timeout(_SECONDS), asyncio.TaskGroup() as group:
            connecting = group.create_task(client.connect(reconnect=False))
            await client.wait_until_ready()
            connecting.cancel()
    except* _TROUBLE as caught:
        found = _error(_first(caught), PORTAL)
    return found


def _first(error: BaseException) -> Exception:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error if isinstance(error, Exception) else RuntimeError(repr(error))


_NAMES = {"read_messages": "view channel"}
"""Where the library's name is not the one in Discord's settings."""


def _permissions(where: str, has: discord.Permissions, link: str) -> Iterable[Finding]:
    missing = [name for name, needed in PERMISSIONS if needed and not dict(has)[name]]
    for name in missing:
        words = _NAMES.get(name, name.replace("_", " "))
        yield _bad("doctor-discord-permission", link, permission=words, where=where)
    if not missing:
        yield _good("doctor-discord-permissions-good", where=where)


async def _channel(
    client: discord.Client, places: list[discord.TextChannel], wanted: str, link: str
) -> AsyncIterator[Finding]:
    name = wanted.lstrip("#")
    place = next((p for p in places if name in (p.name, str(p.id))), None)
    if place is None:
        yield _bad("doctor-discord-channel", link, channel=wanted)
        return
    me = await place.guild.fetch_member(client.user.id if client.user else 0)
    for finding in _permissions(f"#{place.name}", place.permissions_for(me), link):
        yield finding
    yield await _round_trip(place, link)


async def _round_trip(place: discord.TextChannel, link: str) -> Finding:
    """Said, edited, taken back."""
    words = say("en", Sentence("doctor-discord-hello"))
    try:
        said = await place.send(
            words, nonce=nonce_of(f"doctor:{place.id}:{discord.utils.utcnow()}")
        )
        await said.edit(content=f"{words} ✓")
        await said.delete()
    except _TROUBLE as error:
        return _error(error, link)
    return _good("doctor-discord-round-trip", channel=f"#{place.name}")


def _good(sentence: str, **args: str) -> Finding:
    return Finding(Sentence(sentence, args), good=True)


def _bad(sentence: str, mend: str, **args: str) -> Finding:
    return Finding(Sentence(sentence, args), good=False, mend=mend)


def _error(error: Exception, mend: str) -> Finding:
    return Finding(told(error).sentence, good=False, mend=mend)
