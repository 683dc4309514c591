"""What the SDK raises, as our own errors: one table, for the controller and for the experts."""

from collections.abc import Mapping

import httpx2
import openai

from pipeline.errors import (
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    LlmError,
    LlmGarbled,
    LlmRefused,
    LlmUnavailable,
)

Failure = tuple[type[LlmError], str]
"""What a failed call means, and the id of the message for people."""

_BUSY: Failure = (LlmUnavailable, "llm-busy")
_BROKEN: Failure = (LlmUnavailable, "llm-broken")
_SLOW: Failure = (LlmUnavailable, "llm-too-slow")
_UNREACHABLE: Failure = (LlmUnavailable, "llm-unreachable")
_KEY: Failure = (LlmRefused, "llm-key-refused")
_CREDIT: Failure = (LlmRefused, "llm-credit-used-up")
_ACCESS: Failure = (LlmRefused, "llm-access-refused")
_NO_MODEL: Failure = (LlmRefused, "llm-model-gone")
_FILTERED: Failure = (LlmRefused, "llm-filtered")
_GARBLED: Failure = (LlmGarbled, "llm-garbled")
REQUEST_REFUSED: Failure = (LlmRefused, "llm-request-refused")
TOO_LONG: Failure = (LlmRefused, "llm-too-long")

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
"""By the nearest class that stands here."""
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
_ABOUT_LENGTH = ("context length", "context size")


def classify(error: BaseException) -> Failure:
    """What one of the CAUGHT errors means."""
    by_type = next(FAILURES[cls] for cls in type(error).__mro__ if cls in FAILURES)
    if not isinstance(error, openai.APIStatusError):
        return by_type
    failure = _BY_CODE.get(str(error.code)) or _BY_STATUS.get(error.status_code) or by_type
    is_long = any(words in error.message.casefold() for words in _ABOUT_LENGTH)
    return TOO_LONG if failure is REQUEST_REFUSED and is_long else failure


def parse_retry_after(error: BaseException | None) -> float | None:
    """The seconds that a server asks to wait."""
    if not isinstance(error, openai.APIStatusError):
        return None
    try:
        seconds = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None  # "nan" is not, either


def to_llm_error(error: BaseException, model: str) -> LlmError:
    """One of the CAUGHT errors as ours."""
    cls, message_id = classify(error)
    failure = cls(message_id, model=model)
    failure.__cause__ = error
    return failure


def to_expert_error(error: LlmError) -> ExpertError:
    """The same of an expert: what one model refuses, another may take."""
    message_id, model = error.sentence.id, str(error.sentence.args.get("model", ""))
    match error:
        case LlmUnavailable():
            wait = parse_retry_after(error.__cause__)
            return ExpertUnavailable(message_id, retry_after=wait, model=model)
        case LlmRefused():
            return ExpertRefused(message_id, model=model)
        case _:
            return ExpertGarbled(message_id, model=model)
