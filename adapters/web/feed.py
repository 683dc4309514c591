"""The events of a run as they happen, sent to a browser or a program (server-sent events)."""

import asyncio
import json
from collections.abc import Iterator, Sequence

from aiohttp import web

from adapters.web.markdown import html_of
from adapters.web.persons import locale_of
from adapters.web.runs import RunLog
from adapters.web.showing import (
    Json,
    answer_json,
    apology_json,
    event_json,
    merged,
    record_of,
)
from pipeline.domain import Answered, AnswerPart, Apologised, Event, RunId, Sentence
from pipeline.words import say

_STILL_HERE = 15.0
_PACE = 0.08
"""Seconds between two pieces of a text: often enough to look alive, seldom enough to cost nothing."""


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


async def stream(request: web.Request, run: RunId, log: RunLog) -> web.StreamResponse:
    """Send what happened so far and what happens on, until the run is over or nobody listens any more."""
    response = web.StreamResponse(
        headers={
            "Content-Type": "text/event-stream; charset=utf-8",
            "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        }
    )
    await response.prepare(request)
    story = _Story(log, run, locale_of(request), html="html" in request.query)
    try:
        await response.write(_line("accepted", {"run": run, "thread": log.thread.root}))
        await _tell(response, log, story)
    except ConnectionResetError:
        pass  # who does not listen any more is not told any more; the run goes on
    return response


async def _tell(response: web.StreamResponse, log: RunLog, story: "_Story") -> None:
    seen = 0
    while True:
        try:
            async with asyncio.timeout(_STILL_HERE):
                events = await log.after(seen)
        except TimeoutError:
            await response.write(b": still here\n\n")
            continue
        if not events:
            break
        seen += len(events)
        for line in story.lines(events):
            await response.write(line)
        if isinstance(events[-1], AnswerPart):
            await asyncio.sleep(_PACE)
    if log.last is None:
        broken = say(story.locale, Sentence("web-broken-off"))
        await response.write(_line("broken", {"error": broken}))


class _Story:
    """Tells one onlooker of a run."""

    def __init__(self, log: RunLog, run: RunId, locale: str, *, html: bool) -> None:
        self.locale = locale
        self._log = log
        self._run = run
        self._html = html
        self._text = ""

    def lines(self, events: Sequence[Event]) -> Iterator[bytes]:
        for event in merged(events):
            name, data = event_json(event, self.locale)
            if isinstance(event, AnswerPart):
                self._text += event.text
                if self._html:
                    data["html"] = html_of(self._text)
            yield _line(name, data)
            if isinstance(event, Answered | Apologised):
                yield _line("answer", ending(self._log, self._run, self.locale, html=self._html))


def ending(log: RunLog, run: RunId, locale: str, *, html: bool = False) -> Json:
    """What a run came to, in one object: the answer, or the apology under "error"."""
    thread = log.thread.root
    match log.last:
        case Answered(answer):
            kinds, outcomes = record_of(log.events)
            told = answer_json(answer, thread, kinds, outcomes, locale)
            return {**told, "html": html_of(answer.text)} if html else told
        case Apologised() as apology:
            return {**apology_json(apology, locale), "run": run, "thread": thread}
        case None:
            broken = say(locale, Sentence("web-broken-off"))
            return {"error": broken, "run": run, "thread": thread}


async def whole(request: web.Request, run: RunId, log: RunLog) -> web.Response:
    """The answer once it is there."""
    await log.finished()
    told = ending(log, run, locale_of(request))
    match log.last:
        case Answered():
            return web.json_response(told)
        case Apologised(reason):
            status = _STATUS.get(reason.id, 500)
            wait = {"Retry-After": str(reason.args["seconds"])} if status == _TOO_OFTEN else None
            return web.json_response(told, status=status, headers=wait)
        case None:
            return web.json_response(told, status=503)


def wants_stream(request: web.Request) -> bool:
    return "text/event-stream" in request.headers.get("Accept", "")


def _line(name: str, data: Json) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {name}\ndata: {text}\n\n".encode()
