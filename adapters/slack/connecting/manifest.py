"""The app's manifest: every scope, event and command that the code uses, and nothing else."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from adapters.slack.acting.home import OPENED
from adapters.slack.acting.interactions import STOPPED
from adapters.slack.acting.shortcuts import describe_shortcuts
from adapters.slack.web_api.client import Json
from pipeline.domain import Command

EVENTS_PATH = "/slack/events"
INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"
_MESSAGES = ("message.channels", "message.groups", "message.im", "message.mpim")
EVENTS = (
    STOPPED,
    OPENED,
    "app_mention",
    "app_uninstalled",
    *_MESSAGES,
    "tokens_revoked",
)
"""The events that the app subscribes to."""
COMMAND = "/troupe"
NAME = "Troupe"
ABOUT = (
    "Plans what you ask for, runs expert models on it, "
    "and answers in the thread with what they made."
)
CREATE = "https://api.slack.com/apps?new_app=1&manifest_json="
_CHANNELS = ("channels", "groups", "im", "mpim")
SCOPES = (
    "app_mentions:read",
    "assistant:write",
    *(f"{kind}:history" for kind in _CHANNELS),
    *(f"{kind}:read" for kind in _CHANNELS),
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "im:write",
    "reactions:write",
    "users:read",
)
"""The scopes that the bot's token needs."""
_PROMPTS = {
    "What can you do?": "help",
    "What works here?": "tasks",
}
_LONGEST_HINT = 1000
"""Characters, Slack's limit for the hint of a command."""


def make_manifest(
    commands: Sequence[Command], *, public_url: str = "", install_at: str = ""
) -> Json:
    """The manifest for Socket Mode; with a public URL, for HTTP mode.

    `install_at` is the public URL at which workspaces and organisations install the app by OAuth.
    """
    address = f"{public_url.rstrip('/')}{EVENTS_PATH}" if public_url else ""
    endpoint = {"request_url": address} if address else {}
    return {
        "display_information": {
            "name": NAME,
            "description": ABOUT,
            "background_color": "#1d1c1d",
        },
        "features": _describe_features(commands, address),
        "oauth_config": {
            **({"redirect_urls": [f"{install_at}{REDIRECT_PATH}"]} if install_at else {}),
            "scopes": {"bot": sorted(SCOPES)},
        },
        "settings": {
            "event_subscriptions": {**endpoint, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **endpoint},
            "org_deploy_enabled": bool(install_at),
            "socket_mode_enabled": not address,
            "token_rotation_enabled": False,
        },
    }


def create_link(commands: Sequence[Command], *, public_url: str = "", install_at: str = "") -> str:
    """The link that creates the app from the manifest."""
    made = make_manifest(commands, public_url=public_url, install_at=install_at)
    return CREATE + quote(json.dumps(made))


def _describe_features(commands: Sequence[Command], address: str) -> Json:
    names = " | ".join(command.name for command in commands)
    slash = {
        "command": COMMAND,
        "description": "Ask, or look after the bot",
        "usage_hint": f"[{names}]"[:_LONGEST_HINT],
        "should_escape": True,
        **({"url": address} if address else {}),
    }
    prompts = [{"title": title, "message": message} for title, message in _PROMPTS.items()]
    return {
        "app_home": {
            "home_tab_enabled": True,
            "messages_tab_enabled": True,
            "messages_tab_read_only_enabled": False,
        },
        "bot_user": {"display_name": NAME.lower(), "always_online": True},
        "agent_view": {"agent_description": ABOUT, "suggested_prompts": prompts},
        "shortcuts": describe_shortcuts(),
        "slash_commands": [slash],
    }
