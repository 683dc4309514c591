"""Bolt's pages with which people install the app in their workspace."""

import logging
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from secrets import token_hex

import structlog
from aiohttp import web
from cryptography.fernet import InvalidToken, MultiFernet
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.oauth.async_callback_options import AsyncFailureArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.ports import ChatPorts
from adapters.slack.connecting.endpoint import to_bolt
from adapters.slack.connecting.installations import SlackInstallations, SlackOAuth
from adapters.slack.connecting.manifest import INSTALL_PATH, REDIRECT_PATH, SCOPES
from adapters.slack.web_api.client import SlackClient
from adapters.slack.web_api.errors import NO_ANSWER
from pipeline.errors import RequestError
from pipeline.ports import Cache

log = structlog.get_logger()

_LONGEST = timedelta(minutes=10)
"""How long an installation may take, as Bolt's cookie says."""
_STATE = b"slack installation"
"""What all states say."""


@dataclass(frozen=True, slots=True)
class SlackStates(AsyncOAuthStateStore):
    """States of installations that have begun, each for one use, whichever replica began it.

    Each holds its time, encrypted, so that none is stored before it is used. Bolt compares them
    with the browser's cookie.
    """

    cipher: MultiFernet
    cache: Cache
    """Remembers which were used, and by whom."""

    async def async_issue(self, *_: object, **__: object) -> str:
        return self.cipher.encrypt(_STATE).decode().rstrip("=")

    async def async_consume(self, state: str) -> bool:
        padded = f"{state}{'=' * (-len(state) % 4)}".encode()
        try:
            text = self.cipher.decrypt(padded, ttl=int(_LONGEST.total_seconds()))
        except InvalidToken:
            return False
        used = urlsafe_b64decode(padded)  # several spellings are the same state
        if text != _STATE:
            return False
        name = f"slack:state:{sha256(used).hexdigest()}"
        use = token_hex(8)
        return await self.cache.claim(name, use) == use


def make_pages(
    oauth: SlackOAuth, store: SlackInstallations, client: SlackClient, ports: ChatPorts
) -> tuple[web.RouteDef, ...]:
    """The routes at which an installation begins, and to which Slack sends people back."""
    states = SlackStates(store.cipher, ports.cache)
    flow = _build_flow(oauth, store, states, client.web)
    return (
        web.get(INSTALL_PATH, partial(_show, client, flow.handle_installation)),
        web.get(REDIRECT_PATH, partial(_show, client, flow.handle_callback)),
    )


def _build_flow(
    oauth: SlackOAuth, store: SlackInstallations, states: SlackStates, client: AsyncWebClient
) -> AsyncOAuthFlow:
    """Every setting is given: Bolt reads none by itself."""
    logger = logging.getLogger("troupe.slack")
    settings = AsyncOAuthSettings(
        client_id=oauth.client_id,
        client_secret=oauth.client_secret,
        scopes=sorted(SCOPES),
        user_scopes=(),
        redirect_uri=f"{oauth.public_url}{REDIRECT_PATH}",
        install_path=INSTALL_PATH,
        install_page_rendering_enabled=False,
        redirect_uri_path=REDIRECT_PATH,
        authorization_url=oauth.authorize_url,
        installation_store=store,
        state_store=states,
        state_expiration_seconds=int(_LONGEST.total_seconds()),
        logger=logger,
    )
    flow = AsyncOAuthFlow(client=client, logger=logger, settings=settings)
    flow.failure_handler = _fail
    return flow


async def _fail(args: AsyncFailureArgs) -> BoltResponse:
    """Bolt's page, with the sentence that says why nothing was stored."""
    args.reason = str(args.error or args.reason)
    return await args.default.failure(args)


async def _show(
    client: SlackClient,
    page: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]],
    request: web.Request,
) -> web.Response:
    """A page of Bolt's OAuth flow, which calls Slack over our connections."""
    try:
        if client.is_connected:
            return await to_aiohttp_response(await page(to_bolt(request)))
        log.warning("slack app not installed: not listening yet")
    except (SlackClientError, RequestError, *NO_ANSWER):
        log.exception("slack app not installed")
    return web.Response(status=HTTPStatus.BAD_GATEWAY, text="Please try again in a minute.")
