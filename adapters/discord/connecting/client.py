"""The connection with Discord: what it receives, how often it may call, whether its token holds."""

import asyncio
from http import HTTPStatus
from types import SimpleNamespace

import aiohttp
import discord
from yarl import URL

from adapters.chat.ports import ChatPorts
from adapters.discord.connecting.shards import ShardHolder
from adapters.discord.connecting.times import DiscordTimes
from adapters.discord.web_api.calls import call_once
from adapters.discord.web_api.errors import CALL_ERRORS, PORTAL
from adapters.discord.web_api.library import limit_backoff
from adapters.discord.web_api.limits import MOST_CALLS, RateLimit
from adapters.network.connections import Connector
from adapters.network.proxies import Network
from pipeline.errors import SettingsError

INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)
"""All that the bot hears."""
FEWEST_INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
"""Mentions, direct messages and commands are heard with these, too."""


class DiscordClient(discord.AutoShardedClient):
    """Receives only the events it needs, caches few members, pings nobody."""

    def __init__(
        self, times: DiscordTimes, network: Network, intents: discord.Intents, ports: ChatPorts
    ) -> None:
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._begin_call)
        trace.on_request_end.append(self._end_call)
        trace.on_request_end.append(self._check_response)
        trace.on_request_exception.append(self._end_call)
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            heartbeat_timeout=times.heartbeat,
            guild_ready_timeout=times.settle,
            http_trace=trace,
            connector=Connector(network, limit=0),
        )
        self.calls = RateLimit(MOST_CALLS, times.rate_period)
        self.shards_held = ShardHolder(client=self, ports=ports, times=times, calls=self.calls)
        self._token_refused = asyncio.Event()

    async def stay_connected(self) -> None:
        """Stay connected until cancelled.

        Raises exception groups of SettingsError (a rejected token) and ChatError.
        """
        async with asyncio.TaskGroup() as tasks:
            beside = [tasks.create_task(self._watch_token())]
            beside.append(tasks.create_task(self.shards_held.hold()))
            try:
                await call_once(self.connect)
            finally:
                for each in beside:
                    each.cancel()

    async def launch_shards(self) -> None:
        """Connect no shard yet, as the library does: which are ours, their holder finds out."""
        await self.shards_held.begin()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 - the library's
        await self.shards_held.wait_for_turn(shard_id or 0)

    async def on_connect(self) -> None:
        for shard in self.shards.values():
            limit_backoff(shard)

    async def _begin_call(
        self, _: object, context: SimpleNamespace, start: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait for the rate limit before a call is sent; interaction responses do not count."""
        if not _is_interaction(start.url):
            context.call = await self.calls.begin()

    async def _end_call(self, _: object, context: SimpleNamespace, __: object) -> None:
        if call := getattr(context, "call", None):
            self.calls.end(call)

    async def _check_response(
        self, _: object, __: object, end: aiohttp.TraceRequestEndParams
    ) -> None:
        status = end.response.status
        if not _is_interaction(end.url):
            if status == HTTPStatus.UNAUTHORIZED:
                self._token_refused.set()
        elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # the library would repeat it unseen
            raise aiohttp.ClientConnectionError(f"answered {status}")  # names no token

    async def _watch_token(self) -> None:
        """Check the token when a call is rejected: the gateway may not report a revoked one."""
        while True:
            await self._token_refused.wait()
            self._token_refused.clear()
            try:
                await self.application_info()
            except CALL_ERRORS as error:
                if getattr(error, "status", 0) == HTTPStatus.UNAUTHORIZED:
                    raise SettingsError("discord-token-revoked", link=PORTAL) from error
            except RuntimeError:
                if not self.is_closed():
                    raise
                return  # the gateway did report it: it is being raised


def _is_interaction(url: URL) -> bool:
    """Responses to interactions carry a token of their own."""
    return any(part in url.path for part in ("/webhooks/", "/interactions/"))


def has_message_content(client: discord.Client) -> bool:
    """Whether the application may read messages that do not mention it."""
    flags = client.application_flags
    return flags.gateway_message_content or flags.gateway_message_content_limited
