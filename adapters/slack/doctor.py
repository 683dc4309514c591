"""What is wrong with the Slack side of an installation, each thing with the link where it is mended."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.slack.access import Json, Self, SlackAccess
from adapters.slack.calls import SlackCalls
from adapters.slack.line import APPS
from adapters.slack.manifest import scopes
from adapters.slack.pace import Pace
from adapters.slack.refusals import NO_ANSWER, translated
from pipeline.domain import Finding, Sentence
from pipeline.errors import ChatError
from pipeline.words import say

_PATIENCE = 0.5
"""Pings that an event may take."""
_KINDS = {"C": "message.channels", "G": "message.groups", "D": "message.im"}
_TYPES = "public_channel,private_channel"


async def examine(access: SlackAccess, *, channel: str = "") -> AsyncIterator[Finding]:
    """Look at tokens, scopes and the line; with a channel (its name or id), make a round trip there."""
    calls = SlackCalls(access, Pace())
    try:
        response = await calls.client.auth_test()
    except (SlackApiError, *NO_ANSWER) as error:
        yield _bad("doctor-slack-token-bad", str(translated("auth.test", error)), _app(access))
        return
    me = Self(str(response["team_id"]), str(response["user_id"]), str(response["bot_id"]))
    yield _good("doctor-slack-token-good", team=str(response["team"]))
    for finding in _scopes(str(response.headers.get("X-OAuth-Scopes") or ""), access):
        yield finding
    if access.http:
        yield _secret(access)
    async for finding in _line(access, calls, me, channel):
        yield finding


def _scopes(held: str, access: SlackAccess) -> Iterable[Finding]:
    if not held:
        return
    missing = set(scopes()) - set(held.replace(" ", "").split(","))
    for scope in sorted(missing):
        yield _bad("doctor-slack-scope-missing", scope, f"{_app(access)}/oauth", name="scope")
    if not missing:
        yield _good("doctor-slack-scopes-good", count=len(scopes()))


def _secret(access: SlackAccess) -> Finding:
    if access.signing_secret:
        return _good("doctor-slack-secret-good")
    where = f"{_app(access)}/general"
    return _bad("slack-signing-secret-missing", where, where, name="link")


async def _line(
    access: SlackAccess, calls: SlackCalls, me: Self, channel: str
) -> AsyncIterator[Finding]:
    """The socket, and through it the round trip."""
    if access.http:
        if channel:
            async for finding in _round_trip(calls, me, channel, None):
                yield finding
        return
    try:
        opened = await calls.ask("apps.connections.open", app_token=access.app_token, tries=1)
        async with (
            aiohttp.ClientSession() as session,
            session.ws_connect(str(opened["url"])) as socket,
        ):
            hello = await _next(socket, "hello", access.ping_interval)
            alone = (hello or {}).get("num_connections", 1) == 1
            yield _good("doctor-slack-line-good")
            if channel:
                ears = socket if alone else None
                async for finding in _round_trip(calls, me, channel, ears):
                    yield finding
    except (ChatError, *NO_ANSWER) as error:
        yield _bad("doctor-slack-line-bad", str(error), f"{_app(access)}/general")


async def _round_trip(
    calls: SlackCalls, me: Self, channel: str, ears: aiohttp.ClientWebSocketResponse | None
) -> AsyncIterator[Finding]:
    """Post in the channel, hear of it, change it, take it away."""
    place = await _found(calls, channel.removeprefix("#"))
    if place is None:
        yield _bad("doctor-slack-not-member", channel, f"/invite <@{me.user}>", name="channel")
        return
    try:
        text = say("en", Sentence("doctor-slack-hello"))
        ts = (await calls.once("chat.postMessage", channel=place, text=text))["ts"]
        heard = ears is None or await _heard(ears, str(ts), calls.access.ping_interval * _PATIENCE)
        await calls.edit(place, str(ts), text=f"{text} ✓")
        await calls.once("chat.delete", channel=place, ts=str(ts))
    except ChatError as error:
        yield _bad("doctor-slack-round-trip-bad", str(error), _app(calls.access))
        return
    if heard:
        yield _good("doctor-slack-round-trip-good", channel=channel)
    else:
        where = f"{_app(calls.access)}/event-subscriptions"
        yield _bad("doctor-slack-event-missing", _KINDS[place[0]], where, name="event")


async def _found(calls: SlackCalls, wanted: str) -> str | None:
    """The id of a channel that the bot is in."""
    cursor = ""
    while True:
        page = await calls.ask(
            "users.conversations", types=_TYPES, limit=200, cursor=cursor or None
        )
        for each in page.get("channels") or ():
            if wanted in (each.get("id"), each.get("name")) and each.get("is_member", True):
                return str(each["id"])
        cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
        if not cursor:
            return None


async def _heard(socket: aiohttp.ClientWebSocketResponse, ts: str, seconds: float) -> bool:
    while frame := await _next(socket, "events_api", seconds):
        await socket.send_json({"envelope_id": frame["envelope_id"]})
        if frame["payload"]["event"].get("ts") == ts:
            return True
    return False


async def _next(socket: aiohttp.ClientWebSocketResponse, kind: str, seconds: float) -> Json | None:
    """The next frame of a kind; None when none comes in time."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                frame: Json = json.loads(await socket.receive_str())
                if frame.get("type") == kind:
                    return frame
    except (TimeoutError, TypeError):
        return None


def _app(access: SlackAccess) -> str:
    """The app's page; its id is in the app token."""
    parts = access.app_token.split("-")
    return f"{APPS}/{parts[2]}" if len(parts) > 3 else APPS  # noqa: PLR2004 - xapp-1-A0123-…


def _good(sentence: str, **args: str | int) -> Finding:
    return Finding(Sentence(sentence, args), good=True)


def _bad(sentence: str, what: str, mend: str, *, name: str = "problem") -> Finding:
    return Finding(Sentence(sentence, {name: what}), good=False, mend=mend)
