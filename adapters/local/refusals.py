"""Errors as Hugging Face's inference gives them: a status and {"error": words}."""

from collections.abc import Mapping

from adapters.local.table import Answer, as_json
from pipeline.errors import BadInput, ExpertError, ExpertRefused, ExpertUnavailable
from pipeline.words import say

_UNFIT, _BROKEN, _REFUSED = 422, 500, 403
_STATUS: Mapping[str, int] = {
    "local-not-json": 400,
    "local-no-inputs": 400,
    "local-no-parameters": 400,
    "local-kind-unfit": 400,
    "local-kind-unknown": 400,
    "local-model-unknown": 404,
    "local-body-too-large": 413,
    "local-token-refused": 401,
    "local-busy": 429,
    "local-loading": 503,
}


def refused(error: ExpertError) -> tuple[int, Answer]:
    """The status and the body for an error."""
    status = _STATUS.get(error.sentence.id) or _usual(error)
    document: dict[str, object] = {"error": say("en", error.sentence)}
    if isinstance(error, ExpertUnavailable) and error.retry_after is not None:
        document["estimated_time"] = error.retry_after
    return status, as_json(document)


def _usual(error: ExpertError) -> int:
    match error:
        case BadInput():
            return _UNFIT
        case ExpertRefused():
            return _REFUSED
        case _:
            return _BROKEN
