"""What Slack's Web API refuses, as errors of ours."""

from http import HTTPStatus

import aiohttp
from slack_sdk.errors import SlackApiError

from adapters.chat.surface import FilesTooLarge, PostUnsure
from pipeline.errors import ChatError, ChatGone

LOST_TOKEN = frozenset({"account_inactive", "invalid_auth", "token_expired", "token_revoked"})
"""Error codes of a token that was right once."""
WRONG_TOKEN = LOST_TOKEN | {
    "ekm_access_denied",
    "enterprise_is_restricted",
    "forbidden_team",
    "missing_scope",
    "no_permission",
    "not_allowed_token_type",
    "not_authed",
    "team_access_not_granted",
}
"""Error codes of a token that was never right for us."""
NO_ANSWER = (aiohttp.ClientError, OSError)
"""The server was not reached or took too long (TimeoutError is an OSError)."""
_TRANSIENT = frozenset(
    {
        "",
        "accesslimited",
        "external_channel_migrating",
        "fatal_error",
        "file_update_failed",
        "internal_error",
        "message_limit_exceeded",
        "messaging_processing_failed",
        "org_login_required",
        "rate_limited",
        "ratelimited",
        "request_timeout",
        "service_unavailable",
        "team_added_to_org",
        "two_factor_setup_required",
    }
)
"""Error codes of calls that may succeed later, some of them once an admin has acted."""
_TOO_LARGE = "file_upload_size_restricted"


class SlackRefused(ChatError):
    """Slack rejected a call with an error code; with a new token it may succeed."""

    def __init__(self, method: str, code: str, scope: str = "") -> None:
        sentence = "slack-scope-missing" if scope else "slack-refused"
        ChatError.__init__(self, sentence, method=method, code=code, scope=scope)
        self.code = code


class SlackGone(SlackRefused, ChatGone):
    """Slack rejected a call for good: a channel, scope or message is missing."""


class NotNow(PostUnsure):
    """Slack limits such calls and did not carry this one out."""


def translate_error(method: str, error: Exception) -> ChatError:
    """Translate any error that a call of slack_sdk can raise into one of ours."""
    if not isinstance(error, SlackApiError):
        return PostUnsure("slack-unreachable", method=method)
    response = error.response  # aiohttp's, if the body was not JSON
    status = getattr(response, "status_code", getattr(response, "status", 0))
    body = getattr(response, "data", None)
    body = body if isinstance(body, dict) else {}
    code = str(body.get("error", ""))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return NotNow("slack-unreachable", method=method)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or code in _TRANSIENT:
        return PostUnsure("slack-unreachable", method=f"{method}: {code or status}")
    if code == _TOO_LARGE:
        return FilesTooLarge("files-too-large")
    if code in LOST_TOKEN:
        return SlackRefused(method, code)
    return SlackGone(method, code, str(body.get("needed", "")))
