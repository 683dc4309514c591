"""The Bolt app that checks and passes on the requests of a workspace."""

import logging
from collections.abc import Awaitable, Callable
from copy import copy

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.slack.web_api.client import SlackClient
from pipeline.bounds import bound_json

log = structlog.get_logger()


def build_app(
    client: SlackClient, before: Callable[..., Awaitable[BoltResponse | None]] | None = None
) -> AsyncApp:
    """A Bolt app without listeners. A request is acknowledged once its listener has returned.

    `before` is Bolt's middleware between the check of the signature and that of the workspace.
    """

    async def authorize(**_: object) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=None, team_id=None)  # our calls have their own token

    logger = logging.getLogger("troupe.slack")
    logger.setLevel(logging.WARNING)  # lower levels log people's messages
    web = copy(client.web)
    web.token = None  # Bolt warns of a token beside `authorize`
    app = AsyncApp(
        name=logger.name,  # otherwise Bolt reads the source of every frame on the stack
        logger=logger,
        client=web,
        before_authorize=before,
        authorize=authorize,
        signing_secret=client.access.signing_secret,
        request_verification_enabled=client.access.http,
        ignoring_self_events_enabled=False,  # somebody may delete what the bot wrote
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    app.error(_on_error)
    app.use(_bound_body)
    return app


async def _bound_body(request: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]) -> None:
    """Cut lists in what people wrote or pressed that no person makes."""
    request.body = bound_json(request.body)
    await next_()


async def _on_error(error: Exception) -> BoltResponse:
    """Acknowledge requests without a listener; let Slack retry those whose listener failed."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200)
    log.error("slack request failed", exc_info=error)
    return BoltResponse(status=500)
