"""What Slack refuses, as errors of ours."""

from collections.abc import Mapping

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError

from adapters.slack.access import Json
from pipeline.errors import ChatError, ChatGone

_GONE = frozenset(
    {
        "account_inactive",
        "cannot_reply_to_message",
        "channel_not_found",
        "ekm_access_denied",
        "invalid_auth",
        "is_archived",
        "is_inactive",
        "missing_scope",
        "not_allowed_token_type",
        "not_authed",
        "not_in_channel",
        "org_login_required",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_only_channel",
        "thread_not_found",
        "token_expired",
        "token_revoked",
        "user_not_in_channel",
    }
)
LOST_TOKEN = frozenset({"account_inactive", "invalid_auth", "token_expired", "token_revoked"})
NO_ANSWER = (aiohttp.ClientError, OSError)
"""Whoever was asked was not reached, or took too long (TimeoutError is an OSError)."""
SERVER_ERROR = 500
TOO_MANY = 429
_USUAL_WAIT = 30


class Unsure(ChatError):
    """The answer of a call was lost: it may have taken effect."""

    def __init__(self, method: str) -> None:
        super().__init__("slack-unreachable", method=method)


class Limited(ChatError):
    """Too many calls; nothing happened. `seconds` is how long Slack wants us to wait."""

    def __init__(self, method: str, seconds: float) -> None:
        super().__init__("slack-unreachable", method=method)
        self.seconds = seconds


class Refused(ChatError):
    """Slack says no to one call; `code` is its word for why."""

    def __init__(self, method: str, code: str) -> None:
        super().__init__("slack-refused", method=method, code=code)
        self.code = code


class Gone(ChatGone, Refused):
    """Slack says no for good: a channel, token or scope is missing."""

    def __init__(self, method: str, code: str, scope: str = "") -> None:
        Refused.__init__(self, method, f"{code}: {scope}" if scope else code)
        self.code = code
        self.scope = scope


def translated(method: str, error: Exception) -> ChatError:
    """Every error that a call of slack_sdk can raise, as one of ours."""
    if isinstance(error, SlackApiError):
        return _answered(method, error)
    if isinstance(error, (*NO_ANSWER, SlackClientError)):
        return Unsure(method)
    raise error


def _answered(method: str, error: SlackApiError) -> ChatError:
    status = getattr(error.response, "status_code", getattr(error.response, "status", 0))
    answer: object = getattr(error.response, "data", None)
    body: Json = answer if isinstance(answer, dict) else {}
    code = str(body.get("error", ""))
    if status == TOO_MANY or code in {"ratelimited", "rate_limited"}:
        return Limited(method, retry_after(getattr(error.response, "headers", {})))
    if status >= SERVER_ERROR or code in {"", "internal_error", "fatal_error", "request_timeout"}:
        return Unsure(method)
    if code in _GONE:
        return Gone(method, code, str(body.get("needed", "")))
    return Refused(method, code)


def retry_after(headers: Mapping[str, str]) -> float:
    """How many seconds Slack wants us to wait."""
    told = headers.get("Retry-After", "")
    return float(told) if str(told).isdigit() else _USUAL_WAIT
