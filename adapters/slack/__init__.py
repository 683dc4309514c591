"""Slack."""

from adapters.slack.chat import SlackChat
from adapters.slack.client import SlackAccess
from adapters.slack.oauth import SlackOAuth

__all__ = ["SlackAccess", "SlackChat", "SlackOAuth"]
