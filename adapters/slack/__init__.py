"""Slack."""

from adapters.slack.access import SlackAccess
from adapters.slack.chat import SlackChat, SlackPorts
from adapters.slack.showing import Rhythm

__all__ = ["Rhythm", "SlackAccess", "SlackChat", "SlackPorts"]
