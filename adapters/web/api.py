"""The HTTP API: talking, planning, runs, conversations, buttons."""

import secrets
import time
from datetime import UTC, datetime

from aiohttp import web

from adapters.web.errors import problem
from adapters.web.event_stream import accepts_stream, respond_stream, respond_whole
from adapters.web.history import (
    find_recent_log,
    find_thread_logs,
    load_log,
    run_json,
    thread_json,
)
from adapters.web.markdown import render_html
from adapters.web.options import STATE, WebState
from adapters.web.request_body import MessageBody, UploadedFile, read_message
from adapters.web.run_logs import FILE_SCHEME, RunLog
from adapters.web.serialization import file_json, preview_json
from adapters.web.sessions import (
    audience_of,
    is_thread_name,
    locale_of,
    may_see,
    new_thread,
    person_of,
    thread_of,
)
from pipeline.domain import (
    Action,
    Addressing,
    ButtonClick,
    Incoming,
    Link,
    Person,
    RunId,
    Thread,
)


async def chat(request: web.Request) -> web.StreamResponse:
    """POST /api/chat: say something and get the answer, whole or as a stream of events."""
    state = request.app[STATE]
    message = await _read_incoming(request, state)
    run = await state.listener.on_message(message)
    if run is None:
        raise problem(request, 409, "web-not-taken")
    run_log = state.runs.open(run, message.thread, message)
    if accepts_stream(request):
        return await respond_stream(request, run, run_log)
    return await respond_whole(request, run, run_log)


async def plan(request: web.Request) -> web.Response:
    """POST /api/plan: the plan for a message, which is not carried out."""
    state = request.app[STATE]
    preview = await state.ports.plan(await _read_incoming(request, state))
    return web.json_response(preview_json(preview, locale_of(request)))


async def run_record(request: web.Request) -> web.Response:
    """GET /api/runs/{run}: what is known of a run."""
    run, run_log = await _find_run(request)
    return web.json_response(run_json(run, run_log, locale_of(request)))


async def run_events(request: web.Request) -> web.StreamResponse:
    """GET /api/runs/{run}/events: all events from the beginning, and on as they happen."""
    run, run_log = await _find_run(request)
    return await respond_stream(request, run, run_log)


async def click(request: web.Request) -> web.Response:
    """POST /api/runs/{run}/{action}: press a button of a run."""
    state = request.app[STATE]
    action = request.match_info["action"]
    if action not in set(Action):
        raise problem(request, 404, "web-unknown-action", action=action[:40])
    run, run_log = await _find_run(request)
    person, thread = person_of(request), run_log.thread
    button = ButtonClick(secrets.token_hex(12), Action(action), run, person, thread)
    reply = await state.listener.on_click(button)
    if reply.run is not None:
        state.runs.open(reply.run, thread)
    return web.json_response(
        {
            "text": reply.text,
            "html": render_html(reply.text),
            "files": [file_json(file) for file in reply.files],
            "run": reply.run,
        }
    )


async def thread(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}: a conversation so far."""
    state = request.app[STATE]
    known = await _find_thread(request, state, request.match_info["thread"])
    body = await thread_json(state, known, locale_of(request))
    return web.json_response(body, headers={"Cache-Control": "no-store"})


async def _read_incoming(request: web.Request, state: WebState) -> Incoming:
    """The message in a request, with its files in the file store."""
    body = await read_message(request, state.options)
    person = person_of(request)
    thread = await _thread_of(request, state, body, person)
    files = [await _store_file(state, file) for file in body.files]
    return Incoming(
        f"{time.time_ns():020d}-{secrets.token_hex(4)}",
        thread,
        person,
        body.text,
        tuple(files),
        datetime.now(UTC),
        Addressing(direct=True, audience=audience_of(person)),
    )


async def _store_file(state: WebState, file: UploadedFile | Link) -> Link:
    if isinstance(file, Link):
        return file
    key = await state.ports.files.put(file.data)
    return Link(f"{FILE_SCHEME}{key}", file.name, size=len(file.data))


async def _thread_of(
    request: web.Request, state: WebState, body: MessageBody, person: Person
) -> Thread:
    if not body.thread:
        return new_thread(person)
    return await _find_thread(request, state, body.thread)


async def _find_thread(request: web.Request, state: WebState, name: str) -> Thread:
    """The caller's conversation with this name. Raises 404."""
    thread = thread_of(person_of(request), name)
    if not is_thread_name(name):
        raise problem(request, 404, "web-unknown-thread")
    if await find_thread_logs(state, thread):
        return thread
    if (await state.ports.store.context(thread, turns=1, tail=0)).turns:
        return thread
    raise problem(request, 404, "web-unknown-thread")


async def _find_run(request: web.Request) -> tuple[RunId, RunLog]:
    """The run of a request and its log. Raises 404 when the caller has no such run."""
    state = request.app[STATE]
    run = RunId(request.match_info["run"])
    run_log = await find_recent_log(state, run) or await load_log(state, run)
    if run_log is None or not may_see(person_of(request), run_log.thread):
        raise problem(request, 404, "web-unknown-run")
    return run, run_log
