"""Slack."""

from adapters.slack.chat import SlackChat
from adapters.slack.client import SlackAccess
from adapters.slack.installations import SlackOAuth

__all__ = ["SlackAccess", "SlackChat", "SlackOAuth"]
