"""The HTTP API: talking, planning, looking at runs and conversations, pressing buttons."""

import secrets
import time
from datetime import UTC, datetime

from aiohttp import web

from adapters.web.feed import stream, wants_stream, whole
from adapters.web.history import lasting_log, recent_log, recent_logs, run_json, thread_json
from adapters.web.markdown import html_of
from adapters.web.persons import (
    audience_of,
    is_name,
    locale_of,
    may_see,
    new_thread,
    person_of,
    thread_of,
)
from adapters.web.receiving import FILE_SCHEME, Posted, Upload, posted
from adapters.web.refusals import refused
from adapters.web.runs import RunLog
from adapters.web.showing import file_json, sketch_json
from adapters.web.state import STATE, WebState
from pipeline.domain import (
    Action,
    Heard,
    Incoming,
    Link,
    Person,
    Press,
    RunId,
    Thread,
)


async def chat(request: web.Request) -> web.StreamResponse:
    """POST /api/chat: say something, and get the answer, whole or as it comes."""
    state = request.app[STATE]
    message = await _incoming(request, state)
    run = await state.listener.said(message)
    if run is None:
        raise refused(request, 409, "web-not-taken")
    log = state.runs.open(run, message.thread, message)
    if wants_stream(request):
        return await stream(request, run, log)
    return await whole(request, run, log)


async def plan(request: web.Request) -> web.Response:
    """POST /api/plan: the plan of a message, which is not carried out."""
    state = request.app[STATE]
    sketch = await state.ports.plan(await _incoming(request, state))
    return web.json_response(sketch_json(sketch, locale_of(request)))


async def run_record(request: web.Request) -> web.Response:
    """GET /api/runs/{run}: the record."""
    run, log = await _own(request)
    return web.json_response(run_json(run, log, locale_of(request)))


async def run_events(request: web.Request) -> web.StreamResponse:
    """GET /api/runs/{run}/events: everything from the beginning, and on as it happens."""
    run, log = await _own(request)
    return await stream(request, run, log)


async def press(request: web.Request) -> web.Response:
    """POST /api/runs/{run}/{action}: press a button."""
    state = request.app[STATE]
    named = request.match_info["action"]
    if named not in set(Action):
        raise refused(request, 404, "web-unknown-action", action=named[:40])
    run, log = await _own(request)
    pressed = Press(secrets.token_hex(12), Action(named), run, person_of(request), log.thread)
    reply = await state.listener.pressed(pressed)
    if reply.run is not None:
        state.runs.open(reply.run, log.thread)
    return web.json_response(
        {
            "text": reply.text,
            "html": html_of(reply.text),
            "files": [file_json(file) for file in reply.files],
            "run": reply.run,
        }
    )


async def thread(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}: the conversation so far."""
    state = request.app[STATE]
    found = await _known_thread(request, state, request.match_info["thread"])
    told = await thread_json(state, found, locale_of(request))
    return web.json_response(told, headers={"Cache-Control": "no-store"})


async def _incoming(request: web.Request, state: WebState) -> Incoming:
    """The message in a request, its files put where they last."""
    said = await posted(request, state.options)
    person = person_of(request)
    where = await _thread(request, state, said, person)
    files = [await _kept(state, file) for file in said.files]
    return Incoming(
        f"{time.time_ns():020d}-{secrets.token_hex(4)}",
        where,
        person,
        said.text,
        tuple(files),
        datetime.now(UTC),
        Heard(direct=True, audience=audience_of(person)),
    )


async def _kept(state: WebState, file: Upload | Link) -> Link:
    if isinstance(file, Link):
        return file
    key = await state.ports.files.put(file.data)
    return Link(f"{FILE_SCHEME}{key}", file.name, size=len(file.data))


async def _thread(request: web.Request, state: WebState, said: Posted, person: Person) -> Thread:
    if not said.thread:
        return new_thread(person)
    return await _known_thread(request, state, said.thread)


async def _known_thread(request: web.Request, state: WebState, name: str) -> Thread:
    """The caller's conversation with this name. Raises the refusal that there is none."""
    found = thread_of(person_of(request), name)
    if not is_name(name):
        raise refused(request, 404, "web-unknown-thread")
    if await recent_logs(state, found):
        return found
    if (await state.ports.store.context(found, turns=1, tail=0)).turns:
        return found
    raise refused(request, 404, "web-unknown-thread")


async def _own(request: web.Request) -> tuple[RunId, RunLog]:
    """The run of a request and what happened in it. Raises the refusal that there is none for this caller."""
    state = request.app[STATE]
    run = RunId(request.match_info["run"])
    log = await recent_log(state, run) or await lasting_log(state, run)
    if log is None or not may_see(person_of(request), log.thread):
        raise refused(request, 404, "web-unknown-run")
    return run, log
