"""The doctor's checks of Slack, each problem with a link to fix it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

import aiohttp

from adapters.network.connections import explain_failure
from adapters.slack.connecting.installations import SlackInstallations, SlackOAuth
from adapters.slack.connecting.manifest import SCOPES
from adapters.slack.web_api.client import APPS, GRANTED, Json, SlackAccess, SlackClient
from adapters.slack.web_api.errors import NO_ANSWER, SlackRefused
from adapters.slack.web_api.limits import SlackLimits
from pipeline.domain import HealthCheck, LocalizedText, report_bad, report_good, report_note
from pipeline.errors import ChatError
from pipeline.words import say

_PATIENCE = 0.5
"""How long to wait for an event, in ping intervals."""
_EVENTS = {"C": "message.channels", "G": "message.groups", "D": "message.im"}
_APP_ID = 2
"""Where the app's id stands among the parts of an app token."""


async def examine(access: SlackAccess, *, channel: str = "") -> AsyncIterator[HealthCheck]:
    """Check tokens, scopes and connection; with a channel (name or id), make a round trip there.

    Raises SettingsError for a wrong token, ChatError.
    """
    client = SlackClient(access, SlackLimits())
    async for finding in _check_bot_token(client):
        yield finding
    async for finding in _check_connection(client, channel):
        yield finding


async def examine_bot_token(access: SlackAccess) -> AsyncIterator[HealthCheck]:
    """Check the bot token alone: it may be there before the app token. Raises as `examine`."""
    async for finding in _check_bot_token(SlackClient(access, SlackLimits())):
        yield finding


async def _check_bot_token(client: SlackClient) -> AsyncIterator[HealthCheck]:
    card = await client.check_bot_token()
    yield report_good("doctor-slack-token-good", team=str(card["team"]))
    missing, app = _find_missing_scopes(card), _link_app(client.access)
    for scope in missing:
        yield report_bad("doctor-slack-scope-missing", f"{app}/oauth", scope=scope)
    if not missing:
        yield report_good("doctor-slack-scopes-good", count=len(SCOPES))


async def examine_installations(
    access: SlackAccess, oauth: SlackOAuth
) -> AsyncIterator[HealthCheck]:
    """Check the connection and each installation's token; say where the app is installed.

    Raises SettingsError for a wrong app token or secret key, ChatError.
    """
    installed, link = await SlackInstallations(oauth).load(), oauth.install_url
    client = SlackClient(access, SlackLimits())
    if installed:
        yield report_good("doctor-slack-installed", count=len(installed), link=link)
    else:
        yield report_note("doctor-slack-none-installed", link=link)
    for each in installed.values():
        try:
            card = await client.with_token(each.bot_token, "").call("auth.test")
        except SlackRefused as refused:
            facts = {"name": each.name, "code": refused.code}
            yield report_bad("doctor-slack-place-bad", link, **facts)
        else:
            if missing := _find_missing_scopes(card):
                scopes = ", ".join(missing)
                yield report_bad("doctor-slack-place-scopes", link, name=each.name, scopes=scopes)
    async for finding in _check_connection(client, ""):
        yield finding


def _find_missing_scopes(card: Json) -> Sequence[str]:
    """The scopes that a token lacks, if Slack says which it has."""
    granted = str(card[GRANTED]).replace(" ", "")
    return sorted(set(SCOPES) - set(granted.split(","))) if granted else ()


async def _check_connection(client: SlackClient, channel: str) -> AsyncIterator[HealthCheck]:
    """Check the socket; make the round trip through it, as a second one could get the event."""
    access = client.access
    if access.http:
        yield report_good("doctor-slack-secret-good")
        if channel:
            yield await _round_trip(client, channel, None)
        return
    address = await client.open_socket()
    try:
        async with client.connect() as session, session.ws_connect(address) as socket:
            hello = await socket.receive_json(timeout=access.ping_interval)
            yield report_good("doctor-slack-line-good")
            is_alone = hello.get("num_connections", 1) == 1
            if channel:
                yield await _round_trip(client, channel, socket if is_alone else None)
    except (TypeError, *NO_ANSWER) as error:
        if explain_failure(error):
            raise
        yield report_bad(
            "doctor-slack-line-bad", f"{_link_app(access)}/general", problem=str(error)
        )


async def _round_trip(
    client: SlackClient, channel: str, socket: aiohttp.ClientWebSocketResponse | None
) -> HealthCheck:
    """Post a message in the channel, wait for its event, edit it, delete it."""
    app, id_ = _link_app(client.access), await _find_channel(client, channel.removeprefix("#"))
    if id_ is None:
        invitation = f"/invite <@{client.me.user}>"
        return report_bad("doctor-slack-not-member", invitation, channel=channel)
    text, seconds = say("en", LocalizedText("doctor-slack-hello")), client.access.ping_interval
    try:
        ts = str((await client.call_once("chat.postMessage", channel=id_, text=text))["ts"])
        has_event = socket is None or await _wait_for_event(socket, ts, seconds * _PATIENCE)
        await client.call("chat.update", channel=id_, ts=ts, text=f"{text} ✓")
        await client.call_once("chat.delete", channel=id_, ts=ts)
    except ChatError as error:
        return report_bad("doctor-slack-round-trip-bad", app, problem=str(error))
    if has_event:
        return report_good("doctor-slack-round-trip-good", channel=channel)
    link = f"{app}/event-subscriptions"
    return report_bad("doctor-slack-event-missing", link, event=_EVENTS[id_[0]])


async def _find_channel(client: SlackClient, name_or_id: str) -> str | None:
    """The id of a channel that the bot is a member of."""
    kinds = "public_channel,private_channel"
    async for each in client.read_pages("users.conversations", "channels", types=kinds):
        if name_or_id in (each.get("id"), each.get("name")) and each.get("is_member", True):
            return str(each["id"])
    return None


async def _wait_for_event(socket: aiohttp.ClientWebSocketResponse, ts: str, seconds: float) -> bool:
    """Whether a message's event arrives in time. Every envelope is acknowledged."""
    with suppress(TimeoutError, TypeError):
        async with asyncio.timeout(seconds):
            while True:
                frame = await socket.receive_json()
                if "envelope_id" in frame:
                    await socket.send_json({"envelope_id": frame["envelope_id"]})
                if frame.get("payload", {}).get("event", {}).get("ts") == ts:
                    return True
    return False


def _link_app(access: SlackAccess) -> str:
    """The app's page; its id is in the app token (xapp-1-A0123-…)."""
    parts = access.app_token.split("-")
    return f"{APPS}/{parts[_APP_ID]}" if len(parts) > _APP_ID + 1 else APPS
