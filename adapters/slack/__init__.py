"""Slack."""

from adapters.slack.chat import SlackChat, SlackPorts
from adapters.slack.client import SlackAccess

__all__ = ["SlackAccess", "SlackChat", "SlackPorts"]
