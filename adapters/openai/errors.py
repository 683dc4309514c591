"""What the client raises, as our own errors: one table, for the controller and for the experts."""

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


class Way(Enum):
    """How something went wrong."""

    UNAVAILABLE = auto()
    REFUSED = auto()
    UNFIT = auto()
    GARBLED = auto()


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong with a call, and after how many seconds it may be tried again if that was said."""

    way: Way
    sentence: str
    retry_after: float | None = None


_BUSY = Trouble(Way.UNAVAILABLE, "llm-busy")
_BROKEN = Trouble(Way.UNAVAILABLE, "llm-broken")
_SLOW = Trouble(Way.UNAVAILABLE, "llm-too-slow")
_GONE = Trouble(Way.UNAVAILABLE, "llm-unreachable")
_KEY = Trouble(Way.REFUSED, "llm-key-refused")
_CREDIT = Trouble(Way.REFUSED, "llm-credit-used-up")
_ACCESS = Trouble(Way.REFUSED, "llm-access-refused")
_NO_MODEL = Trouble(Way.REFUSED, "llm-model-gone")
_UNFIT = Trouble(Way.UNFIT, "llm-request-refused")
_TOO_LONG = Trouble(Way.UNFIT, "llm-too-long")
_GARBLED = Trouble(Way.GARBLED, "llm-garbled")
FILTERED = Trouble(Way.UNFIT, "llm-filtered")

TROUBLES: Mapping[type[Exception], Trouble] = {
    openai.OpenAIError: _GARBLED,
    openai.APIError: _BROKEN,
    openai.APIStatusError: _BROKEN,
    openai.APIConnectionError: _GONE,
    openai.APITimeoutError: _SLOW,
    openai.APIResponseValidationError: _GARBLED,
    openai.BadRequestError: _UNFIT,
    openai.AuthenticationError: _KEY,
    openai.OAuthError: _KEY,
    openai.PermissionDeniedError: _ACCESS,
    openai.NotFoundError: _NO_MODEL,
    openai.ConflictError: _BUSY,
    openai.UnprocessableEntityError: _UNFIT,
    openai.RateLimitError: _BUSY,
    openai.InternalServerError: _BROKEN,
    openai.LengthFinishReasonError: _GARBLED,
    openai.ContentFilterFinishReasonError: FILTERED,
    openai.WebSocketConnectionClosedError: _GONE,
    openai.WebSocketQueueFullError: _BUSY,
    httpx2.TimeoutException: _SLOW,
    httpx2.HTTPError: _GONE,
    httpx2.StreamError: _GONE,
    TimeoutError: _SLOW,
    ValueError: _GARBLED,
}
_STATUS: Mapping[int, Trouble] = {402: _CREDIT, 408: _SLOW, 413: _TOO_LONG}
_CODES: Mapping[str, Trouble] = {
    "insufficient_quota": _CREDIT,
    "billing_hard_limit_reached": _CREDIT,
    "context_length_exceeded": _TOO_LONG,
    "content_filter": FILTERED,
    "content_policy_violation": FILTERED,
}
CAUGHT = (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, TimeoutError, ValueError)


def trouble(error: Exception) -> Trouble:
    """What an error of the client means."""
    if isinstance(error, openai.APIStatusError):
        said = _CODES.get(str(error.code)) or _STATUS.get(error.status_code)
        if said is None and isinstance(error, openai.BadRequestError) and _is_length(error.message):
            said = _TOO_LONG
        found = said or _of_type(error)
        return Trouble(found.way, found.sentence, _retry_after(error))
    return _of_type(error)


def _of_type(error: Exception) -> Trouble:
    return next(TROUBLES[cls] for cls in type(error).__mro__ if cls in TROUBLES)


def _is_length(message: str) -> bool:
    return "context length" in message.casefold() or "context size" in message.casefold()


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        seconds = float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
    return seconds if seconds >= 0 else None  # neither is "nan"


def llm_error(found: Trouble, model: str) -> LlmError:
    match found.way:
        case Way.UNAVAILABLE:
            return LlmUnavailable(found.sentence, model=model)
        case Way.REFUSED | Way.UNFIT:
            return LlmRefused(found.sentence, model=model)
        case Way.GARBLED:
            return LlmGarbled(found.sentence, model=model)


def expert_error(found: Trouble, model: str) -> ExpertError:
    match found.way:
        case Way.UNAVAILABLE:
            return ExpertUnavailable(found.sentence, retry_after=found.retry_after, model=model)
        case Way.REFUSED:
            return ExpertRefused(found.sentence, model=model)
        case Way.UNFIT:
            return BadInput(found.sentence, model=model)
        case Way.GARBLED:
            return ExpertGarbled(found.sentence, model=model)
