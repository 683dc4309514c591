"""Slack: a chat surface, its manifest and its doctor.

A request of Slack's comes in by `connecting`; what a person did is passed on by `acting`, which
understands it by `reading` and answers by `showing`. All of them call Slack by `web_api`.
"""

from adapters.slack.connecting.chat import SlackChat
from adapters.slack.connecting.doctor import examine, examine_bot_token, examine_installations
from adapters.slack.connecting.installations import SlackOAuth
from adapters.slack.connecting.manifest import create_link, make_manifest
from adapters.slack.web_api.client import SlackAccess

__all__ = ["SlackAccess", "SlackChat", "SlackOAuth"]
__all__ += ["create_link", "examine", "examine_bot_token", "examine_installations", "make_manifest"]
