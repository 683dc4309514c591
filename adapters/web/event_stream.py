"""A run as server-sent events, and its answer as one response."""

import asyncio
import json
from contextlib import suppress

from aiohttp import web

from adapters.web.markdown import render_html
from adapters.web.run_logs import RunLog
from adapters.web.serialization import Json, event_json, final_json, merge_events
from adapters.web.sessions import locale_of
from pipeline.domain import Answered, AnswerPart, Apologised, RunId

_PIECE_SECONDS = 0.08
"""Between two pieces of a text: often enough to look alive, seldom enough to be cheap."""
_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
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
}
"""HTTP statuses of apologies; any other is 500."""


async def respond(request: web.Request, run: RunId, run_log: RunLog) -> web.StreamResponse:
    """The answer once it is there, or all events from the beginning where the caller wants them."""
    if "text/event-stream" in request.headers.get("Accept", ""):
        return await respond_stream(request, run, run_log)
    while not run_log.is_over:
        await run_log.wait_for_events(len(run_log.events))
    body = final_json(run, run_log, locale_of(request))
    match run_log.last:
        case Answered():
            return web.json_response(body)
        case Apologised(reason):
            status = _STATUS.get(reason.id, 500)
            wait = {"Retry-After": str(reason.args["seconds"])} if status == _TOO_OFTEN else None
            return web.json_response(body, status=status, headers=wait)
        case None:
            return web.json_response(body, status=503)


async def respond_stream(request: web.Request, run: RunId, run_log: RunLog) -> web.StreamResponse:
    """Send all events from the beginning, until the run is over or the reader leaves."""
    response = web.StreamResponse(headers=_HEADERS)
    await response.prepare(request)
    html, locale = "html" in request.query, locale_of(request)
    seen, text = 0, ""
    with suppress(ConnectionResetError):  # the reader left; the run goes on
        await _send(response, "accepted", {"run": run, "thread": run_log.thread.root})
        while seen < len(run_log.events) or not run_log.is_over:
            events = merge_events(await run_log.wait_for_events(seen))
            seen = len(run_log.events)
            for event in events:
                name, data = event_json(event, locale)
                if html and isinstance(event, AnswerPart):
                    text += event.text
                    data["html"] = render_html(text, links=False)  # not checked yet
                await _send(response, name, data)
            if not events:
                await response.write(b": still here\n\n")
            elif isinstance(events[-1], AnswerPart):
                await asyncio.sleep(_PIECE_SECONDS)
        end = final_json(run, run_log, locale, html=html)
        await _send(response, "answer" if run_log.last else "broken", end)
    return response


async def _send(response: web.StreamResponse, name: str, data: Json) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    await response.write(f"event: {name}\ndata: {text}\n\n".encode())
