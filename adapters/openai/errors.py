"""What the SDK raises, as our own errors: one table, for the controller and for the experts."""

import asyncio
import json
import math
import textwrap
from collections.abc import Mapping

import aiohttp
import httpx2
import openai

from pipeline.errors import (
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    InputRefused,
    LlmError,
    LlmGarbled,
    LlmRefused,
    LlmUnavailable,
    PlaceRefused,
    PlaceUnreachable,
)

Failure = tuple[type[LlmError], str]
"""What a failed call means, and the id of the message for people."""

NO_CREDIT_LEFT = "llm-credit-used-up"
_CREDIT: Failure = (LlmRefused, NO_CREDIT_LEFT)
_FILTERED: Failure = (LlmRefused, "llm-filtered")
MODEL_GONE: Failure = (LlmRefused, "llm-model-gone")
REQUEST_REFUSED: Failure = (LlmRefused, "llm-request-refused")
TOO_LONG: Failure = (LlmRefused, "llm-too-long")

_BY_TYPE: Mapping[type[Exception], Failure] = {
    openai.OpenAIError: (LlmGarbled, "llm-garbled"),
    openai.APIError: (LlmUnavailable, "llm-broken"),
    openai.ContentFilterFinishReasonError: _FILTERED,
    httpx2.HTTPError: (LlmUnavailable, "llm-unreachable"),
    httpx2.HTTPStatusError: (LlmUnavailable, "llm-broken"),
    httpx2.TimeoutException: (LlmUnavailable, "llm-too-slow"),
    httpx2.ConnectTimeout: (LlmUnavailable, "llm-unreachable"),  # also of a connection refused
    aiohttp.ClientError: (LlmUnavailable, "llm-unreachable"),
    TimeoutError: (LlmUnavailable, "llm-too-slow"),
    ValueError: (LlmGarbled, "llm-garbled"),
    RecursionError: (LlmGarbled, "llm-garbled"),
}
"""Translated by the nearest base class in this table."""
CAUGHT = tuple(_BY_TYPE)
NO_CREDIT = "insufficient_quota"
_BY_CODE: Mapping[str, Failure] = {
    "400": REQUEST_REFUSED,
    "401": (LlmRefused, "llm-key-refused"),
    "402": _CREDIT,
    "403": (LlmRefused, "llm-access-refused"),
    "404": MODEL_GONE,
    "408": (LlmUnavailable, "llm-too-slow"),
    "409": (LlmUnavailable, "llm-busy"),
    "413": TOO_LONG,
    "422": REQUEST_REFUSED,
    "429": (LlmUnavailable, "llm-busy"),
    NO_CREDIT: _CREDIT,
    "model_not_found": MODEL_GONE,
    "model_not_supported": MODEL_GONE,
    "context_length_exceeded": TOO_LONG,
    "content_filter": _FILTERED,
    "content_policy_violation": _FILTERED,
}
"""Translated by the error code of the server, or else by the status."""
OF_THE_ACCOUNT = frozenset({"llm-key-refused", NO_CREDIT_LEFT})
"""Messages about refusals that the next call would meet, too."""
_OF_EXPERTS: Mapping[object, type[ExpertError]] = {
    **dict.fromkeys(OF_THE_ACCOUNT, PlaceRefused),
    "llm-unreachable": PlaceUnreachable,
    REQUEST_REFUSED[1]: InputRefused,
    LlmRefused: ExpertRefused,
    LlmGarbled: ExpertGarbled,
}
"""The errors of experts, by message or else by error."""
_LONGEST_QUOTE = 300
"""Characters."""
_ABOUT_LENGTH = ("context length", "context size")


def classify(error: BaseException) -> Failure:
    """What one of the CAUGHT errors means: by its code, its status, or its type."""
    if isinstance(error, LlmError):
        return type(error), error.sentence.id
    cause = _find_cause(error)
    failure = next(_BY_TYPE[cls] for cls in type(cause).__mro__ if cls in _BY_TYPE)
    status = getattr(getattr(cause, "response", None), "status_code", None)
    for code in (status, cause.code if isinstance(cause, openai.APIError) else None):
        failure = _BY_CODE.get(str(code), failure)
    is_long = any(words in str(cause).casefold() for words in _ABOUT_LENGTH)
    return TOO_LONG if failure is REQUEST_REFUSED and is_long else failure


def _find_cause(error: BaseException) -> BaseException:
    """The cause of an error of the SDK; at the deadline, the failure that it was about to retry."""
    match error:
        case openai.APIConnectionError(__cause__=BaseException() as cause):
            return cause
        case TimeoutError(
            __cause__=asyncio.CancelledError(__context__=httpx2.HTTPError() as failure)
        ):
            return failure
        case _:
            return error


def quote_server(error: BaseException, key: str = "") -> str:
    """What the server itself said of one of the CAUGHT errors, in one line; "" for nothing.

    `key`: the one that was sent, which is not to be shown.
    """
    cause = _find_cause(error)
    if not isinstance(cause, openai.APIError):
        return ""
    words = " ".join(_find_reason(cause.body).split())
    if key:
        words = words.replace(key, "…")
    return textwrap.shorten(words, _LONGEST_QUOTE, placeholder=" …")


def _find_reason(body: object) -> str:
    """The words in the body of a refusal, of whatever shape servers give it."""
    match body:
        case str():
            return body
        case {"message": str(words)} | {"detail": str(words)} | {"error": str(words)}:
            return words
        case {"error": dict(inner)} | {"detail": [dict(inner), *_]}:
            return _find_reason(inner)
        case {"msg": str(words)}:
            return words
        case dict() if body:
            return json.dumps(body)
        case _:
            return ""


def parse_retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait; None if it asks for none."""
    try:
        seconds = float(headers.get("Retry-After", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def to_expert_error(error: BaseException, model: str) -> ExpertError:
    """One of the CAUGHT errors as an expert's: what one model refuses, another may take."""
    cls, message_id = classify(error)
    if kind := _OF_EXPERTS.get(message_id) or _OF_EXPERTS.get(cls):
        return kind(message_id, model=model)
    headers = error.response.headers if isinstance(error, openai.APIStatusError) else {}
    wait = parse_retry_after(headers)
    return ExpertUnavailable(message_id, retry_after=wait, model=model)
