"""Errors as callers get them: a status, and one sentence in JSON."""

import json
from functools import cache

from aiohttp import web

from adapters.web.persons import locale_of
from pipeline.domain import Sentence
from pipeline.errors import NotAllowed, OverLimit, RequestError
from pipeline.words import say

_REASONS = {
    400: "web-wrong-request",
    404: "web-unknown-page",
    413: "web-body-too-large",
}


def refusal(
    request: web.BaseRequest, status: int, sentence: Sentence, **more: str
) -> web.HTTPException:
    """The exception that answers a request with a sentence."""
    error = _of_status(status)
    error.content_type = "application/json"
    error.text = json.dumps({"error": say(locale_of(request), sentence), **more})
    return error


def refused(request: web.BaseRequest, status: int, id: str, **args: str | int) -> web.HTTPException:  # noqa: A002 - the sentence's own word
    return refusal(request, status, Sentence(id, args))


def status_of(error: RequestError) -> int:
    """The HTTP status of what the conversation refuses."""
    match error:
        case NotAllowed():
            return 403
        case OverLimit():
            return 429
        case _:
            return 503


def reworded(request: web.BaseRequest, error: web.HTTPException, limit: int) -> web.HTTPException:
    """What the web server itself refuses, as we say it."""
    if error.status == web.HTTPMethodNotAllowed.status_code:
        told = refused(request, 405, "web-wrong-method", method=request.method)
    else:
        told = refused(
            request, error.status, _REASONS.get(error.status, "web-wrong-request"), limit=limit
        )
    if allow := error.headers.get("Allow"):
        told.headers["Allow"] = allow
    return told


def _of_status(status: int) -> web.HTTPException:
    made = _refusals(status)()
    assert isinstance(made, web.HTTPException)
    return made


@cache
def _refusals(status: int) -> type:
    return type(f"Refused{status}", (web.HTTPException,), {"status_code": status})
