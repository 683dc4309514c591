"""The address to which Slack posts its requests in HTTP mode."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus

import structlog
from aiohttp import web
from aiolimiter import AsyncLimiter
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.signature import SignatureVerifier

from adapters.bounds import Memory, receive_whole, trust
from adapters.slack.web_api.limits import take_if_free

_MAX_REQUEST = 1 << 20
"""Bytes; a click brings its whole message, encoded twice."""
_REQUESTS_IN_MEMORY = 8 << 20
"""Bytes of long ones together."""
_MAX_ADDRESS_CHECK = 4096
"""Bytes of a request that needs no signature."""
_SMALL = 1 << 16
"""Bytes whose signature is checked sooner than a thread is called."""
_COMPLAIN_SECONDS = 60
"""How often the log says that requests are not signed; anybody may send them."""
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")


log = structlog.get_logger()


@dataclass(slots=True)
class EventsEndpoint:
    """Checks requests and passes them to the app. Others than Slack may send some, too."""

    signing_secret: str = field(repr=False)
    app: AsyncApp | None = None
    """None while the bot is not listening."""
    _memory: Memory = field(default_factory=lambda: Memory(_REQUESTS_IN_MEMORY))
    _complaints: AsyncLimiter = field(default_factory=lambda: AsyncLimiter(1, _COMPLAIN_SECONDS))

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request, of which nothing is parsed before its signature is checked."""
        if self.app is None:
            return web.Response(status=503, text="not listening yet")
        is_signed = _SIGNATURE.fullmatch(request.headers.get("X-Slack-Signature", ""))
        whole = receive_whole(request, _MAX_REQUEST if is_signed else _MAX_ADDRESS_CHECK)
        async with whole as content, self._memory.hold(content) as body:
            return await self._answer(self.app, request, body)

    async def _answer(self, app: AsyncApp, request: web.Request, body: bytes) -> web.Response:
        if _is_address_check(body):
            return web.Response()
        verifier = SignatureVerifier(self.signing_secret)
        verify = partial(verifier.is_valid_request, body, dict(request.headers))
        try:
            if not (verify() if len(body) < _SMALL else await asyncio.to_thread(verify)):
                if await take_if_free(self._complaints):
                    log.warning("request not signed by slack: wrong SLACK_SIGNING_SECRET or clock?")
                return web.Response(status=HTTPStatus.UNAUTHORIZED)
            bolt_request = to_bolt(request, body.decode())
        except (AttributeError, RecursionError, TypeError, ValueError):
            return web.Response(status=400, text="not a request of Slack's")
        trust(request)
        return await to_aiohttp_response(await app.async_dispatch(bolt_request))


def to_bolt(request: web.Request, body: str = "") -> AsyncBoltRequest:
    """Parse a request. Raises ValueError, RecursionError and others."""
    headers: dict[str, str | Sequence[str]] = dict(request.headers)
    return AsyncBoltRequest(body=body, query=request.query_string, headers=headers)


def _is_address_check(body: bytes) -> bool:
    """Whether Slack only checks the certificate of the address of a command."""
    return len(body) <= _MAX_ADDRESS_CHECK and b"ssl_check=1" in body.split(b"&")
