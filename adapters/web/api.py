"""The HTTP API: chat, plans, runs, threads, buttons, and its OpenAPI description."""

import asyncio
import inspect
import json
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any

from aiohttp import web

from adapters.web import serialization, sessions
from adapters.web.options import LISTENER, STATE, Refused, WebState
from adapters.web.request_body import JsonBody, UploadedFile, read_message
from adapters.web.run_logs import FILE_SCHEME, RunLog
from pipeline.domain import (
    Action,
    Addressing,
    Answered,
    AnswerPart,
    Apologised,
    ButtonClick,
    Incoming,
    Link,
    RunId,
    Thread,
)

_MAX_TURNS = 400
_MAX_RUNS = 200
_PIECE_SECONDS = 0.08
"""Pause between two pieces of streamed text, at least: short enough to look live, yet cheap."""
_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
_MOST_STREAMS = 200
"""Open streams of one person; all programs together are one."""
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
_RESPONSES = {
    "200": {"description": "The answer"},
    "4XX": {"description": "Refused; `error` says why"},
    "5XX": {"description": "Failed; `error` says why, `reference` finds it in the log"},
}
_TEXT = {"type": "string"}
_FORM = {"text": _TEXT, "thread": _TEXT, "file": {"type": "array", "items": _TEXT}}
_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Message"}},
        "multipart/form-data": {"schema": {"type": "object", "properties": _FORM}},
    },
}


async def chat(request: web.Request) -> web.StreamResponse:
    """POST /api/chat: say something and get the answer, whole or as a stream of events."""
    state = request.app[STATE]
    message = await _read_incoming(request, state)
    run = await request.app[LISTENER].on_message(message)
    if run is None:
        raise Refused(409, "web-not-taken")
    return await respond(request, state.runs.open(run, message))


async def plan(request: web.Request) -> web.Response:
    """POST /api/plan: the plan for a message, which is not carried out."""
    state = request.app[STATE]
    preview = await state.ports.plan(await _read_incoming(request, state))
    return web.json_response(serialization.preview_json(preview, sessions.locale_of(request)))


async def run_record(request: web.Request) -> web.Response:
    """GET /api/runs/{run}: what is known of a run."""
    run_log, locale = await _find_run(request), sessions.locale_of(request)
    return web.json_response(await asyncio.to_thread(serialization.run_json, run_log, locale))


async def run_events(request: web.Request) -> web.StreamResponse:
    """GET /api/runs/{run}/events: all events from the beginning, and on as they happen."""
    return await respond_stream(request, await _find_run(request))


async def click(request: web.Request) -> web.Response:
    """POST /api/runs/{run}/{action}: press a button of a run; `?value=` is an option's."""
    state, action = request.app[STATE], request.match_info["action"]
    if action not in set(Action):
        raise Refused(404, "web-unknown-action", action=action[:40])
    run_log, person = await _find_run(request), sessions.person_of(request)
    id_ = secrets.token_hex(12)
    value = request.query.get("value", "")
    button = ButtonClick(
        id=id_,
        action=Action(action),
        run=run_log.run,
        person=person,
        thread=run_log.thread,
        value=value,
    )
    reply = await request.app[LISTENER].on_click(button)
    if reply.run is not None:
        await state.runs.find(reply.run)  # opens its log
    return web.json_response(serialization.reply_json(reply, sessions.locale_of(request)))


async def thread(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}: a conversation so far, oldest first."""
    state = request.app[STATE]
    conversation = await _find_thread(request, state, request.match_info["thread"])
    context = await state.ports.store.context(conversation, turns=_MAX_TURNS, tail=0)
    turns = {turn.key: turn for turn in context.turns if not turn.person.is_bot}
    answered: set[str] = set()
    runs: list[serialization.Json] = []
    locale = sessions.locale_of(request)
    for run_log in await state.runs.of_thread(conversation, limit=_MAX_RUNS):
        is_repeat = run_log.key in answered
        turn = None if is_repeat else turns.get(run_log.key)
        files = [
            {**serialization.file_json(file.attachment), "called": file.name}
            for file in (turn.files if turn else ())
        ]
        sent_at = turn.at.isoformat() if turn else ""
        message = {"text": run_log.text, "files": files, "at": sent_at, "again": is_repeat}
        shown = await asyncio.to_thread(serialization.run_json, run_log, locale)
        runs.append({**shown, **message})
        answered.add(run_log.key or run_log.run)
    return web.json_response({"thread": conversation.root, "runs": runs})


async def _read_incoming(request: web.Request, state: WebState) -> Incoming:
    """The message in a request, with its files in the file store."""
    person = sessions.person_of(request)
    async with read_message(request, state) as body:
        name, text = body.thread, body.text
        thread = await _find_thread(request, state, name) if name else sessions.new_thread(person)
        async with asyncio.TaskGroup() as group:
            stored = [group.create_task(_store_file(state, file)) for file in body.files]
        files = tuple(task.result() for task in stored)
    id_ = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
    addressing = Addressing(direct=True, audience=sessions.audience_of(person))
    return Incoming(
        id=id_,
        thread=thread,
        person=person,
        text=text,
        files=files,
        at=datetime.now(UTC),
        addressing=addressing,
    )


async def _store_file(state: WebState, file: UploadedFile | Link) -> Link:
    if isinstance(file, Link):
        return file
    async with state.memory.hold(file.content) as data:
        key = await state.ports.files.put(data)
    return Link(f"{FILE_SCHEME}{key}", file.name, size=file.content.size)


async def _find_thread(request: web.Request, state: WebState, name: str) -> Thread:
    """The caller's conversation with this name. Raises Refused."""
    thread = sessions.thread_of(sessions.person_of(request), name)
    if sessions.is_thread_name(name):
        is_logged = (await state.ports.store.context(thread, turns=1, tail=0)).turns
        if is_logged or await state.runs.of_thread(thread, limit=1):
            return thread
    raise Refused(404, "web-unknown-thread")


async def _find_run(request: web.Request) -> RunLog:
    """The log of a run. Raises Refused when the caller has no such run."""
    run_log = await request.app[STATE].runs.find(RunId(request.match_info["run"]))
    if run_log is None or not sessions.may_see(sessions.person_of(request), run_log.thread):
        raise Refused(404, "web-unknown-run")
    return run_log


# --- answers, whole or as server-sent events ---


async def respond(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    """The answer once it is complete, or a stream of all events if the caller accepts one."""
    if "text/event-stream" in request.headers.get("Accept", ""):
        return await respond_stream(request, run_log)
    while not run_log.is_over:
        await run_log.wait_for_events(len(run_log.events))
        if await sessions.has_ended(request):
            raise Refused(401, "web-token-missing")
    body = serialization.final_json(run_log, sessions.locale_of(request))
    match run_log.last:
        case Answered():
            return web.json_response(body)
        case Apologised(reason):
            status = _STATUS.get(reason.id, 500)
            retry = {"Retry-After": str(reason.args["seconds"])} if status == _TOO_OFTEN else None
            return web.json_response(body, status=status, headers=retry)
        case None:
            return web.json_response(body, status=503)


async def respond_stream(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    """Send all events from the beginning, until the run is over or the reader leaves."""
    streams, person = request.app[STATE].streams, sessions.person_of(request).id
    if streams[person] >= _MOST_STREAMS:
        raise Refused(429, "web-too-many-streams")
    streams[person] += 1
    try:
        return await _stream(request, run_log)
    finally:
        streams[person] -= 1
        if not streams[person]:
            del streams[person]


async def _stream(request: web.Request, run_log: RunLog) -> web.StreamResponse:
    response = web.StreamResponse(headers=_HEADERS)
    await response.prepare(request)
    html, locale = "html" in request.query, sessions.locale_of(request)
    seen, text, now = 0, "", asyncio.get_running_loop().time
    checked = now()
    with suppress(ConnectionError):  # the reader left; the run goes on
        await _send(response, "accepted", {"run": run_log.run, "thread": run_log.thread.root})
        while seen < len(run_log.events) or not run_log.is_over:
            events = serialization.merge_events(await run_log.wait_for_events(seen))
            if now() - checked > request.app[STATE].options.check_seconds:
                if await sessions.has_ended(request):
                    return response
                checked = now()
            seen, began = len(run_log.events), now()
            for event in events:
                name, data = serialization.event_json(event, locale)
                if html and isinstance(event, AnswerPart):
                    text += event.text
                    render = partial(serialization.render_html, text, links=False)  # not checked
                    data["html"] = await asyncio.to_thread(render)
                await _send(response, name, data)
            if not events:
                await response.write(b": still here\n\n")
            elif isinstance(events[-1], AnswerPart):
                await asyncio.sleep(max(_PIECE_SECONDS, now() - began))
        end = await asyncio.to_thread(serialization.final_json, run_log, locale, html=html)
        await _send(response, "answer" if run_log.last else "broken", end)
    return response


async def _send(response: web.StreamResponse, name: str, data: serialization.Json) -> None:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    await response.write(f"event: {name}\ndata: {text}\n\n".encode())


# --- the OpenAPI description, from the routes and their docstrings ---


async def openapi(request: web.Request) -> web.Response:
    """GET /api/openapi.json: this description."""
    return web.json_response(describe(request.app.router.routes()))


def describe(routes: Iterable[web.AbstractRoute]) -> dict[str, Any]:
    """An OpenAPI 3.1 document with every route below /api and /files."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path = route.resource.canonical if route.resource is not None else ""
        if path.startswith(("/api/", "/files/")) and route.method != "HEAD":
            paths.setdefault(path, {})[route.method.lower()] = _operation(route, path)
    schema = JsonBody.model_json_schema(ref_template="#/components/schemas/{model}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Troupe", "version": "1"},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {**schema.pop("$defs"), "Message": schema},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _operation(route: web.AbstractRoute, path: str) -> dict[str, Any]:
    _, _, summary = (inspect.getdoc(route.handler) or "").partition(": ")
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    return {
        "operationId": route.handler.__name__,
        "summary": summary.partition("\n")[0].rstrip("."),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _TEXT} for name in names
        ],
        "responses": _RESPONSES,
        **({"requestBody": _BODY} if path in ("/api/chat", "/api/plan") else {}),
    }
