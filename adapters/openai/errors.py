"""What the SDK raises, as our own errors: one table, for the controller and for the experts."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

import httpx2
import openai

from pipeline.errors import (
    BadInput,
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    LlmError,
    LlmGarbled,
    LlmRefused,
    LlmUnavailable,
)


class FailureKind(Enum):
    """What a failure means for the caller."""

    UNAVAILABLE = auto()
    """May pass: try again."""
    REFUSED = auto()
    """Will not pass with this key, account or model."""
    UNFIT = auto()
    """Will not pass with this request."""
    GARBLED = auto()
    """The reply cannot be understood."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call: the id of the message for people, and the server's Retry-After in seconds."""

    kind: FailureKind
    message_id: str
    retry_after: float | None = None


_BUSY = Failure(FailureKind.UNAVAILABLE, "llm-busy")
_BROKEN = Failure(FailureKind.UNAVAILABLE, "llm-broken")
_SLOW = Failure(FailureKind.UNAVAILABLE, "llm-too-slow")
_UNREACHABLE = Failure(FailureKind.UNAVAILABLE, "llm-unreachable")
_KEY = Failure(FailureKind.REFUSED, "llm-key-refused")
_CREDIT = Failure(FailureKind.REFUSED, "llm-credit-used-up")
_ACCESS = Failure(FailureKind.REFUSED, "llm-access-refused")
_NO_MODEL = Failure(FailureKind.REFUSED, "llm-model-gone")
REQUEST_REFUSED = Failure(FailureKind.UNFIT, "llm-request-refused")
TOO_LONG = Failure(FailureKind.UNFIT, "llm-too-long")
_FILTERED = Failure(FailureKind.UNFIT, "llm-filtered")
_GARBLED = Failure(FailureKind.GARBLED, "llm-garbled")

FAILURES: Mapping[type[Exception], Failure] = {
    openai.OpenAIError: _GARBLED,
    openai.APIError: _BROKEN,
    openai.APIStatusError: _BROKEN,
    openai.APIConnectionError: _UNREACHABLE,
    openai.APITimeoutError: _SLOW,
    openai.APIResponseValidationError: _GARBLED,
    openai.BadRequestError: REQUEST_REFUSED,
    openai.AuthenticationError: _KEY,
    openai.OAuthError: _KEY,
    openai.PermissionDeniedError: _ACCESS,
    openai.NotFoundError: _NO_MODEL,
    openai.ConflictError: _BUSY,
    openai.UnprocessableEntityError: REQUEST_REFUSED,
    openai.RateLimitError: _BUSY,
    openai.InternalServerError: _BROKEN,
    openai.LengthFinishReasonError: _GARBLED,
    openai.ContentFilterFinishReasonError: _FILTERED,
    openai.WebSocketConnectionClosedError: _UNREACHABLE,
    openai.WebSocketQueueFullError: _BUSY,
    httpx2.TimeoutException: _SLOW,
    httpx2.HTTPError: _UNREACHABLE,
    httpx2.StreamError: _UNREACHABLE,
    TimeoutError: _SLOW,
    ValueError: _GARBLED,
    RecursionError: _GARBLED,
}
CAUGHT = (
    openai.OpenAIError,
    httpx2.HTTPError,
    httpx2.StreamError,
    TimeoutError,
    ValueError,
    RecursionError,
)
_BY_STATUS: Mapping[int, Failure] = {402: _CREDIT, 408: _SLOW, 413: TOO_LONG}
_BY_CODE: Mapping[str, Failure] = {
    "insufficient_quota": _CREDIT,
    "billing_hard_limit_reached": _CREDIT,
    "context_length_exceeded": TOO_LONG,
    "content_filter": _FILTERED,
    "content_policy_violation": _FILTERED,
}


def classify(error: BaseException) -> Failure:
    """What one of the CAUGHT errors means."""
    by_type = next(FAILURES[cls] for cls in type(error).__mro__ if cls in FAILURES)
    if not isinstance(error, openai.APIStatusError):
        return by_type
    failure = _BY_CODE.get(str(error.code)) or _BY_STATUS.get(error.status_code) or by_type
    if failure is REQUEST_REFUSED and _is_about_length(error.message):
        failure = TOO_LONG
    return Failure(failure.kind, failure.message_id, _retry_after(error))


def _is_about_length(message: str) -> bool:
    return "context length" in message.casefold() or "context size" in message.casefold()


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        seconds = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None  # "nan" is not, either


def llm_error(failure: Failure, model: str) -> LlmError:
    match failure.kind:
        case FailureKind.UNAVAILABLE:
            return LlmUnavailable(failure.message_id, model=model)
        case FailureKind.REFUSED | FailureKind.UNFIT:
            return LlmRefused(failure.message_id, model=model)
        case FailureKind.GARBLED:
            return LlmGarbled(failure.message_id, model=model)


def expert_error(failure: Failure, model: str) -> ExpertError:
    match failure.kind:
        case FailureKind.UNAVAILABLE:
            seconds = failure.retry_after
            return ExpertUnavailable(failure.message_id, retry_after=seconds, model=model)
        case FailureKind.REFUSED:
            return ExpertRefused(failure.message_id, model=model)
        case FailureKind.UNFIT:
            return BadInput(failure.message_id, model=model)
        case FailureKind.GARBLED:
            return ExpertGarbled(failure.message_id, model=model)
