"""A run as server-sent events, and its answer as one response."""

import asyncio
import json
from collections.abc import Iterator, Sequence

from aiohttp import web

from adapters.web.markdown import render_html
from adapters.web.run_logs import RunLog
from adapters.web.serialization import (
    Json,
    answer_json,
    apology_json,
    collect_outcomes,
    event_json,
    merge_events,
)
from adapters.web.sessions import locale_of
from pipeline.domain import Answered, AnswerPart, Apologised, Event, LocalizedText, RunId
from pipeline.words import say

_KEEPALIVE_SECONDS = 15.0
_PIECE_SECONDS = 0.08
"""Between two pieces of a text: often enough to look alive, seldom enough to be cheap."""


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


async def respond_stream(request: web.Request, run: RunId, log: RunLog) -> web.StreamResponse:
    """Send all events from the beginning, until the run is over or the reader leaves."""
    response = web.StreamResponse(
        headers={
            "Content-Type": "text/event-stream; charset=utf-8",
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        }
    )
    await response.prepare(request)
    narrator = _Narrator(log, run, locale_of(request), html="html" in request.query)
    try:
        await response.write(_line("accepted", {"run": run, "thread": log.thread.root}))
        await _send_events(response, log, narrator)
    except ConnectionResetError:
        pass  # the reader left; the run goes on
    return response


async def _send_events(response: web.StreamResponse, log: RunLog, narrator: "_Narrator") -> None:
    seen = 0
    while True:
        try:
            async with asyncio.timeout(_KEEPALIVE_SECONDS):
                events = await log.wait_for_events(seen)
        except TimeoutError:
            await response.write(b": still here\n\n")
            continue
        if not events:
            break
        seen += len(events)
        for line in narrator.lines(events):
            await response.write(line)
        if isinstance(events[-1], AnswerPart):
            await asyncio.sleep(_PIECE_SECONDS)
    if log.last is None:
        broken = say(narrator.locale, LocalizedText("web-broken-off"))
        await response.write(_line("broken", {"error": broken}))


class _Narrator:
    """Words the events of a run for one reader."""

    def __init__(self, log: RunLog, run: RunId, locale: str, *, html: bool) -> None:
        self.locale = locale
        self._log = log
        self._run = run
        self._html = html
        self._text = ""

    def lines(self, events: Sequence[Event]) -> Iterator[bytes]:
        for event in merge_events(events):
            name, data = event_json(event, self.locale)
            if isinstance(event, AnswerPart):
                self._text += event.text
                if self._html:
                    data["html"] = render_html(self._text, links=False)  # not checked yet
            yield _line(name, data)
            if isinstance(event, Answered | Apologised):
                yield _line(
                    "answer", final_json(self._log, self._run, self.locale, html=self._html)
                )


def final_json(log: RunLog, run: RunId, locale: str, *, html: bool = False) -> Json:
    """The end of a run in one object: the answer, or the apology under "error"."""
    thread = log.thread.root
    match log.last:
        case Answered(answer):
            kinds, outcomes = collect_outcomes(log.events)
            body = answer_json(answer, thread, kinds, outcomes, locale)
            return {**body, "html": render_html(answer.text)} if html else body
        case Apologised() as apology:
            return {**apology_json(apology, locale), "run": run, "thread": thread}
        case None:
            broken = say(locale, LocalizedText("web-broken-off"))
            return {"error": broken, "run": run, "thread": thread}


async def respond_whole(request: web.Request, run: RunId, log: RunLog) -> web.Response:
    """The answer once it is there."""
    await log.wait_until_over()
    body = final_json(log, run, locale_of(request))
    match log.last:
        case Answered():
            return web.json_response(body)
        case Apologised(reason):
            status = _STATUS.get(reason.id, 500)
            wait = {"Retry-After": str(reason.args["seconds"])} if status == _TOO_OFTEN else None
            return web.json_response(body, status=status, headers=wait)
        case None:
            return web.json_response(body, status=503)


def accepts_stream(request: web.Request) -> bool:
    return "text/event-stream" in request.headers.get("Accept", "")


def _line(name: str, data: Json) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {name}\ndata: {text}\n\n".encode()
