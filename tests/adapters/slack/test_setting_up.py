"""The manifest and the doctor."""

import ast
import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

import adapters.slack
from adapters.slack import SlackAccess
from adapters.slack.connecting.doctor import examine
from adapters.slack.connecting.manifest import EVENTS, create_link, make_manifest
from adapters.slack.web_api.errors import translate_error
from pipeline.domain import HealthCheck
from pipeline.errors import ChatError, ChatGone, SettingsError
from pipeline.words import say
from tests.adapters.slack.stage import COMMANDS
from tests.servers.slack import SlackServer
from tests.servers.slack.calls import PREFIXES
from tests.servers.slack.faults import Broken
from tests.servers.slack.rules import RULES
from tests.servers.slack.workspace import BOT_USER, GENERAL
from tests.words import english


def literals() -> set[str]:
    """Every text in the adapter's code."""
    folder = Path(adapters.slack.__file__).parent
    trees = [ast.parse(file.read_text()) for file in folder.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_manifest_has_every_scope_event_and_command_of_the_code_and_no_more() -> None:
    made = make_manifest(COMMANDS)

    called = [RULES[text].scope for text in literals() if text in RULES]
    shown = ["app_mentions:read", "assistant:write", "commands", "*:history"]
    needed = {scope for each in (*called, *shown) for scope in _spell_out(each)}
    assert set(made["oauth_config"]["scopes"]["bot"]) == needed - {""}
    assert made["settings"]["event_subscriptions"]["bot_events"] == sorted(EVENTS)
    assert [each["command"] for each in made["features"]["slash_commands"]] == ["/troupe"]
    assert made["settings"]["socket_mode_enabled"] is True
    assert made["settings"]["interactivity"]["is_enabled"] is True
    assert {"agent_view", "slash_commands"} <= set(made["features"])


def _spell_out(scope: str) -> list[str]:
    """The scope for each sort of channel, where it depends on that."""
    return [prefix + scope[1:] for prefix in PREFIXES.values()] if scope[:1] == "*" else [scope]


def test_the_manifest_keeps_to_slacks_limits() -> None:
    made = make_manifest(COMMANDS)

    shown, features = made["display_information"], made["features"]
    assert len(shown["name"]) <= 35
    assert len(shown["description"]) <= 140
    assert re.fullmatch(r"[a-z0-9._-]{1,80}", features["bot_user"]["display_name"])
    assert len(features["agent_view"]["suggested_prompts"]) <= 4
    assert all(len(each["description"]) <= 2000 for each in features["slash_commands"])


def test_over_http_the_manifest_names_one_address_for_everything() -> None:
    made = make_manifest(COMMANDS, public_url="https://troupe.example/")

    address = "https://troupe.example/slack/events"
    assert made["settings"]["event_subscriptions"]["request_url"] == address
    assert made["settings"]["interactivity"]["request_url"] == address
    assert made["features"]["slash_commands"][0]["url"] == address
    assert made["settings"]["socket_mode_enabled"] is False


@pytest.mark.parametrize("public_url", ["", "https://troupe.example"])
def test_with_oauth_the_manifest_lets_workspaces_and_organisations_install(public_url: str) -> None:
    made = make_manifest(COMMANDS, public_url=public_url, install_at="https://troupe.example")

    redirect = "https://troupe.example/slack/oauth_redirect"
    assert made["oauth_config"]["redirect_urls"] == [redirect]
    assert made["settings"]["org_deploy_enabled"] is True
    assert "redirect_urls" not in make_manifest(COMMANDS)["oauth_config"]
    assert make_manifest(COMMANDS)["settings"]["org_deploy_enabled"] is False


def test_the_link_makes_the_app_of_the_manifest() -> None:
    query = parse_qs(urlsplit(create_link(COMMANDS)).query)

    assert json.loads(query["manifest_json"][0]) == make_manifest(COMMANDS)


async def found(slack: SlackServer, channel: str = "", **how: str) -> list[HealthCheck]:
    access = SlackAccess(
        how.get("bot_token", slack.bot_token),
        how.get("app_token", slack.app_token),
        slack.signing_secret,
        slack.api,
    )
    return [finding async for finding in examine(access, channel=channel)]


def wrong(findings: list[HealthCheck]) -> list[tuple[str, str]]:
    return [(say("en", each.what), each.mend) for each in findings if not each.good]


async def test_the_doctor_finds_nothing_wrong_and_makes_a_round_trip(slack: SlackServer) -> None:
    findings = await found(slack, "#general")

    assert wrong(findings) == []
    assert "posted, received, edited and deleted" in say("en", findings[-1].what)
    assert slack.space.channels[GENERAL].messages == {}


@pytest.mark.parametrize("scope", ["assistant:write", "channels:read", "users:read"])
async def test_the_doctor_names_each_missing_scope_and_where_to_add_it(
    slack: SlackServer, scope: str
) -> None:
    slack.calls.granted.discard(scope)

    findings = wrong(await found(slack))

    assert [(scope in what, mend) for what, mend in findings] == [
        (True, "https://api.slack.com/apps/A0TROUPE1/oauth")
    ]


async def test_the_doctor_asks_about_a_token_again_where_slack_fails_for_a_moment(
    slack: SlackServer,
) -> None:
    slack.calls.interrupt = lambda number: Broken(502) if number in (1, 3) else None

    findings = await found(slack)

    assert wrong(findings) == []


async def test_the_doctor_names_a_wrong_bot_token_and_a_wrong_app_token(slack: SlackServer) -> None:
    with pytest.raises(SettingsError) as bot:
        await found(slack, bot_token="xoxb-wrong")
    with pytest.raises(SettingsError) as app:
        await found(slack, app_token="xapp-wrong")

    assert "SLACK_BOT_TOKEN" in say("en", bot.value.sentence)
    assert "SLACK_APP_TOKEN" in say("en", app.value.sentence)


async def test_the_doctor_names_a_channel_that_the_bot_is_not_in(slack: SlackServer) -> None:
    slack.space.channels[GENERAL].members.discard(BOT_USER)

    (finding,) = wrong(await found(slack, "general"))

    assert finding == (
        english("doctor-slack-not-member", channel="general"),
        f"/invite <@{BOT_USER}>",
    )


async def test_the_doctor_names_an_event_that_is_not_subscribed_to(slack: SlackServer) -> None:
    slack.delivery.subscribed = set()

    (finding,) = wrong([each async for each in examine(_impatient(slack), channel=GENERAL)])

    assert "message.channels" in finding[0]
    assert finding[1].endswith("/event-subscriptions")


def _impatient(slack: SlackServer) -> SlackAccess:
    return SlackAccess(slack.bot_token, slack.app_token, api_url=slack.api, ping_interval=0.02)


def test_every_error_that_the_sdk_raises_is_one_of_ours() -> None:
    import slack_sdk.errors as vendor  # noqa: PLC0415

    kinds = [
        kind
        for kind in vars(vendor).values()
        if isinstance(kind, type) and issubclass(kind, vendor.SlackClientError)
    ]

    for kind in kinds:
        error = kind.__new__(kind)
        error.response = {"error": "whatever"}  # type: ignore[attr-defined]
        assert isinstance(translate_error("chat.postMessage", error), ChatError)


@pytest.mark.parametrize(
    "code", ["ratelimited", "rate_limited", "fatal_error", "service_unavailable", "accesslimited"]
)
def test_a_call_that_slack_may_take_later_is_not_refused_for_good(code: str) -> None:
    response = SlackResponse(
        client=None,
        http_verb="POST",
        api_url="",
        req_args={},
        data={"ok": False, "error": code},
        headers={},
        status_code=200,
    )
    error = SlackApiError(code, response)  # type: ignore[no-untyped-call]

    problem = translate_error("chat.postMessage", error)

    assert not isinstance(problem, ChatGone)
