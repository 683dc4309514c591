"""What is wrong with the Slack side of an installation, each with the link where it is mended."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.client import (
    APPS,
    NO_ANSWER,
    Json,
    SlackAccess,
    SlackClient,
    SlackLimits,
    find_cursor,
    translate_error,
)
from adapters.slack.manifest import scopes
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
    except (SlackApiError, *NO_ANSWER) as error:
        problem = str(translate_error("auth.test", error))
        yield _bad("doctor-slack-token-bad", _app(access), problem=problem)
        return
    yield _good("doctor-slack-token-good", team=str(response["team"]))
    for finding in _check_scopes(str(response.headers.get("X-OAuth-Scopes") or ""), access):
        yield finding
    if access.http:
        link = f"{_app(access)}/general"
        missing = _bad("slack-signing-secret-missing", link, link=link)
        yield _good("doctor-slack-secret-good") if access.signing_secret else missing
        findings = _round_trip(client, channel, str(response["user_id"]), None)
    else:
        findings = _check_socket(client, channel, str(response["user_id"]))
    async for finding in findings:
        yield finding


def _check_scopes(held: str, access: SlackAccess) -> Iterable[HealthCheck]:
    if not held:
        return
    missing = set(scopes()) - set(held.replace(" ", "").split(","))
    for scope in sorted(missing):
        yield _bad("doctor-slack-scope-missing", f"{_app(access)}/oauth", scope=scope)
    if not missing:
        yield _good("doctor-slack-scopes-good", count=len(scopes()))


async def _check_socket(client: SlackClient, channel: str, bot: str) -> AsyncIterator[HealthCheck]:
    """The socket, and through it the round trip."""
    access = client.access
    try:
        opened = await client.call("apps.connections.open", app_token=access.app_token, tries=1)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(str(opened["url"])) as socket,
        ):
            hello = await _wait_for(
                socket, lambda frame: frame.get("type") == "hello", access.ping_interval
            )
            yield _good("doctor-slack-line-good")
            is_alone = (hello or {}).get("num_connections", 1) == 1
            async for finding in _round_trip(client, channel, bot, socket if is_alone else None):
                yield finding
    except (ChatError, *NO_ANSWER) as error:
        yield _bad("doctor-slack-line-bad", f"{_app(access)}/general", problem=str(error))


async def _round_trip(
    client: SlackClient, channel: str, bot: str, socket: aiohttp.ClientWebSocketResponse | None
) -> AsyncIterator[HealthCheck]:
    """Post in the channel, hear of it, change it, take it away."""
    if not channel:
        return
    app, place = _app(client.access), await _find_channel(client, channel.removeprefix("#"))
    if place is None:
        yield _bad("doctor-slack-not-member", f"/invite <@{bot}>", channel=channel)
        return
    text, seconds = say("en", LocalizedText("doctor-slack-hello")), client.access.ping_interval
    try:
        ts = str((await client.call_once("chat.postMessage", channel=place, text=text))["ts"])
        is_heard = socket is None or await _wait_for(
            socket, lambda frame: _read_event(frame).get("ts") == ts, seconds * _PATIENCE
        )
        await client.call("chat.update", channel=place, ts=ts, text=f"{text} ✓")
        await client.call_once("chat.delete", channel=place, ts=ts)
    except ChatError as error:
        yield _bad("doctor-slack-round-trip-bad", app, problem=str(error))
        return
    if is_heard:
        yield _good("doctor-slack-round-trip-good", channel=channel)
    else:
        link = f"{app}/event-subscriptions"
        yield _bad("doctor-slack-event-missing", link, event=_EVENTS[place[0]])


async def _find_channel(client: SlackClient, wanted: str) -> str | None:
    """The id of a channel that the bot is in."""
    cursor: str | None = None
    while cursor != "":
        page = await client.call(
            "users.conversations",
            types="public_channel,private_channel",
            limit=200,
            cursor=cursor,
        )
        for each in page.get("channels") or ():
            if wanted in (each.get("id"), each.get("name")) and each.get("is_member", True):
                return str(each["id"])
        cursor = find_cursor(page)
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
                if is_wanted(frame):
                    return frame
    return None


def _read_event(frame: Json) -> Json:
    return (frame.get("payload") or {}).get("event") or {}


def _app(access: SlackAccess) -> str:
    """The app's page; its id is in the app token (xapp-1-A0123-…)."""
    parts = access.app_token.split("-")
    return f"{APPS}/{parts[_APP_ID]}" if len(parts) > _APP_ID + 1 else APPS


def _good(id_: str, **args: str | int) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=True)


def _bad(id_: str, mend: str, **args: str) -> HealthCheck:
    return HealthCheck(LocalizedText(id_, args), good=False, mend=mend)
