"""Errors as callers get them: a status, and one sentence in JSON."""

import json
from functools import cache

from aiohttp import web

from adapters.web.sessions import locale_of
from pipeline.domain import LocalizedText
from pipeline.errors import NotAllowed, OverLimit, RequestError
from pipeline.words import say

_BY_STATUS = {
    400: "web-wrong-request",
    404: "web-unknown-page",
    413: "web-body-too-large",
}


def error_response(
    request: web.BaseRequest, status: int, text: LocalizedText, **more: str
) -> web.HTTPException:
    """The exception that answers a request with a sentence."""
    error = _class_of(status)()
    assert isinstance(error, web.HTTPException)
    error.content_type = "application/json"
    error.text = json.dumps({"error": say(locale_of(request), text), **more})
    return error


def problem(
    request: web.BaseRequest,
    status: int,
    message_id: str,
    **args: str | int,
) -> web.HTTPException:
    return error_response(request, status, LocalizedText(message_id, args))


def status_of(error: RequestError) -> int:
    """The HTTP status of what the conversation refuses."""
    match error:
        case NotAllowed():
            return 403
        case OverLimit():
            return 429
        case _:
            return 503


def reword(request: web.BaseRequest, error: web.HTTPException, limit: int) -> web.HTTPException:
    """What aiohttp itself refuses, in our words. `limit` in MB."""
    if error.status == web.HTTPMethodNotAllowed.status_code:
        response = problem(request, 405, "web-wrong-method", method=request.method)
    else:
        message_id = _BY_STATUS.get(error.status, "web-wrong-request")
        response = problem(request, error.status, message_id, limit=limit)
    if allow := error.headers.get("Allow"):
        response.headers["Allow"] = allow
    return response


@cache
def _class_of(status: int) -> type:
    return type(f"Problem{status}", (web.HTTPException,), {"status_code": status})
