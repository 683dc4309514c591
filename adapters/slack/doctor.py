"""What is wrong with the Slack side of an installation, each with the link where it is mended."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress

import aiohttp
from slack_sdk.errors import SlackClientError

from adapters.chat.events import report_bad, report_good
from adapters.slack.client import (
    APPS,
    NO_ANSWER,
    Json,
    SlackAccess,
    SlackClient,
    SlackLimits,
    translate_error,
)
from adapters.slack.manifest import SCOPES
from pipeline.domain import HealthCheck, LocalizedText
from pipeline.errors import ChatError
from pipeline.words import say

_PATIENCE = 0.5
"""Pings that an event may take."""
_EVENTS = {"C": "message.channels", "G": "message.groups", "D": "message.im"}
_APP_ID = 2


async def examine(access: SlackAccess, *, channel: str = "") -> AsyncIterator[HealthCheck]:
    """Check tokens, scopes and connection; with a channel (name or id), make a round trip there."""
    client = SlackClient(access, SlackLimits())
    try:
        response = await client.web.auth_test()
    except (SlackClientError, *NO_ANSWER) as error:
        problem = str(translate_error("auth.test", error))
        yield report_bad("doctor-slack-token-bad", _app(access), problem=problem)
        return
    yield report_good("doctor-slack-token-good", team=str(response["team"]))
    for finding in _check_scopes(str(response.headers.get("X-OAuth-Scopes") or ""), access):
        yield finding
    bot = str(response["user_id"])
    if not access.http:
        async for finding in _check_socket(client, channel, bot):
            yield finding
        return
    link = f"{_app(access)}/general"
    missing = report_bad("slack-signing-secret-missing", link, link=link)
    yield report_good("doctor-slack-secret-good") if access.signing_secret else missing
    if channel:
        yield await _round_trip(client, channel, bot, None)


def _check_scopes(held: str, access: SlackAccess) -> Iterable[HealthCheck]:
    missing = set(SCOPES) - set(held.replace(" ", "").split(","))
    for scope in sorted(missing) if held else ():
        yield report_bad("doctor-slack-scope-missing", f"{_app(access)}/oauth", scope=scope)
    if not missing:
        yield report_good("doctor-slack-scopes-good", count=len(SCOPES))


async def _check_socket(client: SlackClient, channel: str, bot: str) -> AsyncIterator[HealthCheck]:
    """The socket, and through it the round trip."""
    access = client.access
    try:
        opened = await client.call("apps.connections.open", app_token=access.app_token, tries=1)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(str(opened["url"])) as socket,
        ):
            seconds = access.ping_interval
            hello = await _wait_for(socket, lambda frame: frame.get("type") == "hello", seconds)
            yield report_good("doctor-slack-line-good")
            is_alone = (hello or {}).get("num_connections", 1) == 1
            if channel:
                yield await _round_trip(client, channel, bot, socket if is_alone else None)
    except (ChatError, *NO_ANSWER) as error:
        yield report_bad("doctor-slack-line-bad", f"{_app(access)}/general", problem=str(error))


async def _round_trip(
    client: SlackClient, channel: str, bot: str, socket: aiohttp.ClientWebSocketResponse | None
) -> HealthCheck:
    """Post in the channel, hear of it, change it, take it away."""
    app, place = _app(client.access), await _find_channel(client, channel.removeprefix("#"))
    if place is None:
        return report_bad("doctor-slack-not-member", f"/invite <@{bot}>", channel=channel)
    text, seconds = say("en", LocalizedText("doctor-slack-hello")), client.access.ping_interval
    try:
        ts = str((await client.call_once("chat.postMessage", channel=place, text=text))["ts"])
        is_heard = socket is None or await _wait_for(
            socket, lambda frame: frame["payload"]["event"]["ts"] == ts, seconds * _PATIENCE
        )
        await client.call("chat.update", channel=place, ts=ts, text=f"{text} ✓")
        await client.call_once("chat.delete", channel=place, ts=ts)
    except ChatError as error:
        return report_bad("doctor-slack-round-trip-bad", app, problem=str(error))
    if is_heard:
        return report_good("doctor-slack-round-trip-good", channel=channel)
    link = f"{app}/event-subscriptions"
    return report_bad("doctor-slack-event-missing", link, event=_EVENTS[place[0]])


async def _find_channel(client: SlackClient, wanted: str) -> str | None:
    """The id of a channel that the bot is in."""
    kinds = "public_channel,private_channel"
    async for each in client.read_pages("users.conversations", "channels", types=kinds):
        if wanted in (each.get("id"), each.get("name")) and each.get("is_member", True):
            return str(each["id"])
    return None


async def _wait_for(
    socket: aiohttp.ClientWebSocketResponse, is_wanted: Callable[[Json], bool], seconds: float
) -> Json | None:
    """The next frame that is wanted; None when none comes in time."""
    with suppress(TimeoutError, TypeError):
        async with asyncio.timeout(seconds):
            while True:
                frame: Json = await socket.receive_json()
                if "envelope_id" in frame:
                    await socket.send_json({"envelope_id": frame["envelope_id"]})
                with suppress(KeyError):  # of other frames
                    if is_wanted(frame):
                        return frame
    return None


def _app(access: SlackAccess) -> str:
    """The app's page; its id is in the app token (xapp-1-A0123-…)."""
    parts = access.app_token.split("-")
    return f"{APPS}/{parts[_APP_ID]}" if len(parts) > _APP_ID + 1 else APPS
