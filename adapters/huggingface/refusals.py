"""What an expert's refusals mean: each status as an error of ours."""

import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pydantic import BaseModel, ValidationError

from pipeline.errors import ExpertError, ExpertRefused, ExpertUnavailable

_LOADING, _TOO_MANY = 503, 429
_REFUSED: Mapping[int, str] = {
    401: "expert-key-refused",
    402: "expert-credit-used-up",
    403: "expert-access-refused",
    404: "expert-model-gone",
    410: "expert-model-gone",
}
_UNFIT = frozenset({400, 413, 415, 422})


class _Said(BaseModel):
    """The body of a refusal: only the time until the model is loaded is of use."""

    estimated_time: float | None = None


def refusal(model: str, status: int, headers: Mapping[str, str], body: bytes) -> ExpertError:
    """The error for an answer that is none. The server's own words are not passed on."""
    if status == _LOADING:
        after = _retry_after(headers)
        wait = after if after is not None else _estimated(body)
        return ExpertUnavailable("expert-loading", retry_after=wait, model=model)
    if status == _TOO_MANY:
        return ExpertUnavailable("expert-busy", retry_after=_retry_after(headers), model=model)
    if status in _REFUSED:
        return ExpertRefused(_REFUSED[status], model=model)
    if status in _UNFIT:  # another model may take it
        return ExpertRefused("expert-input-refused", model=model)
    return ExpertUnavailable(
        "expert-broken", retry_after=_retry_after(headers), model=model, status=str(status)
    )


def _estimated(body: bytes) -> float | None:
    try:
        return _Said.model_validate_json(body).estimated_time
    except ValidationError:
        return None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, or a moment, as HTTP has it (RFC 9110, 10.2.3)."""
    value = headers.get("Retry-After", "")
    with contextlib.suppress(ValueError):
        return max(0.0, float(value))  # in this order "nan" is 0
    with contextlib.suppress(ValueError, TypeError):
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    return None
