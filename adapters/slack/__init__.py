"""Slack."""

from adapters.slack.chat import SlackChat
from adapters.slack.client import SlackAccess

__all__ = ["SlackAccess", "SlackChat"]
