"""The HTTP API: talking, planning, runs, conversations, buttons."""

import secrets
import time
from datetime import UTC, datetime

from aiohttp import web

from adapters.web.event_stream import respond, respond_stream
from adapters.web.markdown import render_html
from adapters.web.options import STATE, Refused, WebState
from adapters.web.request_body import read_message
from adapters.web.run_logs import FILE_SCHEME, RunLog
from adapters.web.serialization import Json, file_json, link_json, preview_json, run_json
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
    Blob,
    ButtonClick,
    Incoming,
    Link,
    RunId,
    Thread,
)

_MAX_TURNS = 400
_MAX_RUNS = 200


async def chat(request: web.Request) -> web.StreamResponse:
    """POST /api/chat: say something and get the answer, whole or as a stream of events."""
    state = request.app[STATE]
    message = await _read_incoming(request, state)
    run = await state.listener.on_message(message)
    if run is None:
        raise Refused(409, "web-not-taken")
    return await respond(request, run, state.runs.open(run, message))


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
    state, action = request.app[STATE], request.match_info["action"]
    if action not in set(Action):
        raise Refused(404, "web-unknown-action", action=action[:40])
    run, run_log = await _find_run(request)
    person, thread = person_of(request), run_log.thread
    button = ButtonClick(secrets.token_hex(12), Action(action), run, person, thread)
    reply = await state.listener.on_click(button)
    if reply.run is not None:
        await state.runs.find(reply.run)  # opens its log
    html, files = render_html(reply.text), [file_json(file) for file in reply.files]
    return web.json_response({"text": reply.text, "html": html, "files": files, "run": reply.run})


async def thread(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}: a conversation so far, oldest first."""
    state = request.app[STATE]
    here = await _find_thread(request, state, request.match_info["thread"])
    context = await state.ports.store.context(here, turns=_MAX_TURNS, tail=0)
    turns = {turn.key: turn for turn in context.turns if not turn.person.is_bot}
    answered: set[str] = set()
    runs: list[Json] = []
    for run, run_log in (await state.runs.of_thread(here, limit=_MAX_RUNS)).items():
        again = run_log.key in answered
        turn = None if again else turns.get(run_log.key)
        files = [link_json(link) for link in run_log.files]
        if turn is not None:
            files = [{**file_json(file.attachment), "called": file.name} for file in turn.files]
        at = turn.at.isoformat() if turn else ""
        said = {"text": run_log.text, "files": files, "at": at, "again": again}
        runs.append({**run_json(run, run_log, locale_of(request)), **said})
        answered.add(run_log.key or run)
    return web.json_response({"thread": here.root, "runs": runs})


async def _read_incoming(request: web.Request, state: WebState) -> Incoming:
    """The message in a request, with its files in the file store."""
    text, name, sent = await read_message(request, state.options)
    person = person_of(request)
    thread = await _find_thread(request, state, name) if name else new_thread(person)
    files = tuple([await _store_file(state, file) for file in sent])
    id_ = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
    addressing = Addressing(direct=True, audience=audience_of(person))
    return Incoming(id_, thread, person, text, files, datetime.now(UTC), addressing)


async def _store_file(state: WebState, file: Blob | Link) -> Link:
    if isinstance(file, Link):
        return file
    key = await state.ports.files.put(file.data)
    return Link(f"{FILE_SCHEME}{key}", file.name, size=len(file.data))


async def _find_thread(request: web.Request, state: WebState, name: str) -> Thread:
    """The caller's conversation with this name. Raises Refused."""
    found = thread_of(person_of(request), name)
    if is_thread_name(name):
        if await state.runs.of_thread(found, limit=1):
            return found
        if (await state.ports.store.context(found, turns=1, tail=0)).turns:
            return found
    raise Refused(404, "web-unknown-thread")


async def _find_run(request: web.Request) -> tuple[RunId, RunLog]:
    """The run of a request and its log. Raises Refused when the caller has no such run."""
    run = RunId(request.match_info["run"])
    run_log = await request.app[STATE].runs.find(run)
    if run_log is None or not may_see(person_of(request), run_log.thread):
        raise Refused(404, "web-unknown-run")
    return run, run_log
