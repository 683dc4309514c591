"""A local server that plays Slack, and complains about every call Slack would not like."""

from tests.servers.slack.server import SlackServer

__all__ = ["SlackServer"]
