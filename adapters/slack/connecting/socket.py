"""The Socket Mode connection."""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import structlog
from aiohttp import WSMessage
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from adapters.slack.connecting.workspaces import InstalledWorkspaces, OneWorkspace

_REFUSED = "too_many_websockets"
"""Slack's word for more connections than an app may have: ten."""
_REFUSED_SECONDS = 60.0
"""How long one that was refused waits: a replica may end."""
_MOST_MISSES = 3
"""Failed connection checks in a row until a client is replaced."""

log = structlog.get_logger()


@dataclass(slots=True)
class SocketMode:
    """A Socket Mode connection that replaces its client when the client cannot reconnect.

    The SDK reconnects by itself, but always to the same address; its handshake may also hang for
    minutes, and two concurrent reconnects may leave no connection. Several replicas share the
    app's events: Slack sends each to one of up to ten connections. One that gets no connection
    answers what the others hear, and tries again.
    """

    app: AsyncApp
    workspaces: OneWorkspace | InstalledWorkspaces
    address: str | None
    """Got when the app token was checked, and used once: Slack limits how many it gives out."""
    refused_seconds: float = _REFUSED_SECONDS
    _was_offline: bool = False
    _client: SocketModeClient | None = None
    _refused: asyncio.Event = field(default_factory=asyncio.Event)

    async def is_connected(self) -> bool:
        """Whether events reach us, or ten other replicas."""
        if self._refused.is_set():
            return True
        return self._client is not None and await self._client.is_connected()

    async def hold(self) -> None:
        """Stay connected until cancelled."""
        access = self.workspaces.client.access
        token, seconds = access.app_token, access.ping_interval
        while True:
            socket = AsyncSocketModeHandler(self.app, token, ping_interval=seconds).client
            await socket.aiohttp_client_session.close()  # knows no proxy
            socket.aiohttp_client_session = self.workspaces.client.open_session()
            socket.wss_uri, self.address = self.address, None
            socket.on_message_listeners.append(partial(self._find_refusal, socket))
            self._client = socket
            try:
                async with asyncio.TaskGroup() as tasks:
                    connecting = tasks.create_task(socket.connect())  # type: ignore[no-untyped-call]
                    await self._watch(socket)
                    connecting.cancel()
            finally:
                await socket.close()  # type: ignore[no-untyped-call]
            if self._refused.is_set():
                log.warning("slack has ten connections of this app: this replica only answers")
                await asyncio.sleep(self.refused_seconds)
                self._refused.clear()
                continue
            log.warning("slack connection lost")
            for each in self.workspaces.list_served():
                each.events.suspend()
            self.workspaces.client.token_lost.set()  # it may be the reason
            self._was_offline = True

    async def _find_refusal(self, socket: SocketModeClient, message: WSMessage) -> None:
        """Stop the SDK, which would connect again and again."""
        if _is_refusal(str(message.data)):
            socket.closed = True
            self._refused.set()

    async def _watch(self, socket: SocketModeClient) -> None:
        """Return once the client has been disconnected for too long."""
        misses = 0
        while misses < _MOST_MISSES:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.workspaces.client.access.ping_interval):
                    await self._refused.wait()
                    return
            misses = 0 if await socket.is_connected() else misses + 1
            if not misses and self._was_offline:
                self._was_offline = False
                for each in self.workspaces.list_served():
                    each.events.catch_up()


def _is_refusal(text: str) -> bool:
    """Whether Slack itself says it: a person may write the word, too."""
    if f'"{_REFUSED}"' not in text:
        return False
    try:
        facts = json.loads(text)
    except ValueError:
        return False
    return (facts.get("type"), facts.get("reason")) == ("disconnect", _REFUSED)
