"""Sends the answer of a run: whole, or as a stream of server-sent events."""

import asyncio
from contextlib import suppress
from dataclasses import asdict
from functools import partial

from aiohttp import web

from adapters.web import serialization, sessions, shapes
from adapters.web.markdown_html import render_html
from adapters.web.merging import merge_events
from adapters.web.options import STATE, Refused
from adapters.web.problems import respond_with_problem
from adapters.web.run_logs import RunLog
from adapters.web.streams import STREAM_HEADERS, count_stream, send_event
from pipeline.domain import Answered, AnswerPart, Apologised

_PIECE_SECONDS = 0.08
"""Pause between two pieces of streamed text, at least: short enough to look live, yet cheap."""
_LATER = "respond-async"
"""The preference of a caller who will ask for the answer later."""
PREFERENCE = {
    "Prefer": {
        "type": "string",
        "description": f"With `{_LATER}`, the response is 202 as soon as the message is stored.",
    }
}
"""The header in the description of the API."""
_TOO_OFTEN = 429
_STATUS = {
    "stopped": 409,
    "not-allowed": 403,
    "not-allowed-admins": 403,
    "command-unknown": 400,
    "over-limit-person": _TOO_OFTEN,
    "over-limit-channel": _TOO_OFTEN,
    "text-too-long": 413,
    "apology-out-of-time": 504,
    "apology-still-queued": 503,
}
"""HTTP statuses of apologies; any other is 500."""


def prefers_later(request: web.Request) -> bool:
    """Whether the caller does not want to wait for the answer (RFC 7240)."""
    preferences = ",".join(request.headers.getall("Prefer", ())).split(",")
    return _LATER in (preference.partition(";")[0].strip().lower() for preference in preferences)


def respond_later(run_log: RunLog) -> web.Response:
    """That the message is kept, and where its run is."""
    headers = {"Location": f"/api/runs/{run_log.run}", "Preference-Applied": _LATER}
    body: shapes.RunPlace = {"run": run_log.run, "thread": run_log.thread.root}
    return web.json_response(body, status=202, headers=headers)


async def respond(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    """The answer once it is complete, or a stream of all events if the caller accepts one."""
    if "text/event-stream" in request.headers.get("Accept", ""):
        return await respond_stream(request, run_log)
    while not run_log.is_over:
        await run_log.wait_for_events(len(run_log.events))
        if await sessions.has_ended(request):
            raise Refused(401, "web-token-missing")
    end = serialization.serialize_end(run_log, sessions.read_locale(request))
    match run_log.last:
        case Answered():
            return web.json_response(end)
        case Apologised(reason):
            status = _STATUS.get(reason.id, 500)
            retry = {"Retry-After": str(reason.args["seconds"])} if status == _TOO_OFTEN else None
            return respond_with_problem(request, status, reason, headers=retry, more=end)
        case None:
            return respond_with_problem(request, 503, serialization.BROKEN_OFF, more=end)


async def respond_stream(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    """Send all events from the beginning, until the run is over or the reader leaves."""
    with count_stream(request):
        return await _stream(request, run_log)


async def _stream(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    response = web.StreamResponse(headers=STREAM_HEADERS)
    await response.prepare(request)
    html, locale = "html" in request.query, sessions.read_locale(request)
    seen, text, now = 0, "", asyncio.get_running_loop().time
    checked, telling = now(), run_log.telling
    with suppress(ConnectionError):  # the reader left; the run goes on
        await _send_accepted(request, response, run_log)
        while seen < len(run_log.events) or not run_log.is_over:
            fresh = await run_log.wait_for_events(seen)
            if run_log.telling != telling:
                seen, text, telling = 0, "", run_log.telling
                await _send_accepted(request, response, run_log)
                continue
            seen, events = seen + len(fresh), merge_events(fresh)
            if now() - checked > request.app[STATE].options.check_seconds:
                if await sessions.has_ended(request):
                    return response
                checked = now()
            began = now()
            for event in events:
                data = serialization.serialize_event(event, locale)
                if html and data["type"] == "answer_part":
                    text += data["text"]
                    render = partial(render_html, text, links=False)  # not checked
                    data["html"] = await asyncio.to_thread(render)
                await send_event(response, data["type"], data)
            if not events:
                await response.write(b": still here\n\n")
            elif isinstance(events[-1], AnswerPart):
                await asyncio.sleep(max(_PIECE_SECONDS, now() - began))
        end = await asyncio.to_thread(serialization.serialize_end, run_log, locale, html=html)
        await send_event(response, "answer" if run_log.last else "broken", end)
    return response


async def _send_accepted(
    request: web.Request, response: web.StreamResponse, run_log: RunLog
) -> None:
    """Send how the run stands, with which the story of its events begins."""
    standing = await request.app[STATE].runs.find_standing(run_log)
    accepted = {"run": run_log.run, "thread": run_log.thread.root, **asdict(standing)}
    await send_event(response, "accepted", accepted)
