"""What it takes to be in a Slack workspace."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

GIGABYTE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class SlackAccess:
    """Tokens and addresses. In HTTP mode the signing secret is needed, in Socket Mode the app token."""

    bot_token: str = field(repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    api_url: str = "https://slack.com/api/"
    http: bool = False
    ping_interval: float = 10.0
    file_hosts: frozenset[str] = frozenset({"files.slack.com"})
    max_download: int = 200_000_000
    max_upload: int = GIGABYTE


@dataclass(frozen=True, slots=True)
class Self:
    """Who the bot is, as auth.test tells it."""

    team: str
    user: str
    bot: str
