"""Errors as problem details (RFC 9457)."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, NotRequired

from aiohttp import web
from typing_extensions import TypedDict

from adapters.web import sessions
from pipeline.domain import Action, LocalizedText
from pipeline.words import say

PROBLEM = "application/problem+json"
_TYPE = "urn:troupe:problem:"
"""Followed by the id of the sentence, which stays when its words change."""


class Problem(TypedDict):
    """Why a request was refused or failed. `error` is `detail`, as earlier versions named it."""

    type: str
    title: str
    status: int
    detail: str
    error: str
    reference: NotRequired[str]
    """Finds the error in the log."""
    run: NotRequired[str]
    """The run that ended without an answer; also its `thread` and the buttons that it has."""
    thread: NotRequired[str]
    actions: NotRequired[list[Action]]
    stopped: NotRequired[bool]
    took: NotRequired[float | None]
    """Seconds since the message was accepted, if that is known."""


def respond_with_problem(
    request: web.Request,
    status: int,
    sentence: LocalizedText,
    *,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> web.Response:
    """The response that refuses a request. `more` is what is known besides."""
    detail = say(sessions.read_locale(request), sentence)
    problem = Problem(
        type=f"{_TYPE}{sentence.id}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        error=detail,
    )
    if reference := sentence.args.get("reference"):
        problem["reference"] = str(reference)
    body = {**problem, **(more or {})}
    return web.json_response(body, status=status, headers=headers, content_type=PROBLEM)
