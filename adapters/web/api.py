"""The HTTP API: chat, plans, runs, threads and buttons."""

import asyncio
import secrets
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from adapters.web import serialization, sessions, shapes
from adapters.web.answers import PREFERENCE, prefers_later, respond, respond_later, respond_stream
from adapters.web.form_body import FormFields, read_form
from adapters.web.idempotency import KEY_HEADER, Names, find_names
from adapters.web.inputs import read_query
from adapters.web.json_body import JsonBody, read_json
from adapters.web.message_body import MessageBody, UploadedFile, check_files
from adapters.web.operations import Operation, declare, gives
from adapters.web.options import LISTENER, STATE, Refused, WebState
from adapters.web.run_logs import FILE_SCHEME, RunLog
from adapters.web.step_details import serialize_step
from adapters.web.stored_files import check_file, may_have
from adapters.web.streams import send_body
from adapters.web.threads import find_after, find_thread
from adapters.web.zip_stream import ZipMember, stream_zip
from pipeline.domain import (
    Action,
    Addressing,
    Answered,
    Branches,
    ButtonClick,
    FileHash,
    Incoming,
    Link,
    RunId,
)
from pipeline.text.names import clean_file_name, make_unique, slugify

_MOST_DIGITS = 9
"""Of the number of a step."""
ACTION = r"(?!(?:events|files\.zip)\Z)[^{}/]+"
"""A button's name in an address, unless it is an address of its own, which takes other methods."""
_LARGE = 4 << 20
"""Bytes from which on a file goes to the store piece by piece. A smaller one stays in its memory
for a while, where the next steps find it.
"""
_MAX_VALUE = 500
"""Characters of an option of a select, which fit into an address in any writing."""
_AGAIN = (Action.RETRY, Action.ANOTHER, Action.CHOOSE)
"""Buttons that begin a branch, at which the conversation is opened then."""


class _Rendering(BaseModel):
    html: Annotated[str, Field(description="With any value, texts come in HTML, too.")] = ""


class _Press(BaseModel):
    value: Annotated[str, Field(max_length=_MAX_VALUE, description="An option of a select.")] = ""


@declare(
    Operation(
        gives={200: shapes.Answer, 202: shapes.RunPlace},
        streams=shapes.RUN_EVENTS,
        query=_Rendering,
        headers={**PREFERENCE, **KEY_HEADER},
        takes=JsonBody,
        form=FormFields,
    )
)
async def chat(request: web.Request) -> web.StreamResponse:
    """POST /api/chat: say something and get the answer: whole, as a stream of events, or later."""
    state = request.app[STATE]
    message = await _read_incoming(request, state)
    await state.ports.store.open_at(message.thread, "")
    run = await request.app[LISTENER].on_message(message) or await _find_first(state, message)
    if run is None:
        raise Refused(409, "web-not-taken")
    run_log = state.runs.open(run, message)
    return respond_later(run_log) if prefers_later(request) else await respond(request, run_log)


@gives(shapes.PlanPreview, takes=JsonBody, form=FormFields)
async def plan(request: web.Request) -> web.Response:
    """POST /api/plan: the plan for a message, which is not carried out."""
    state = request.app[STATE]
    preview = await state.ports.plan(await _read_incoming(request, state))
    return web.json_response(
        serialization.serialize_preview(preview, sessions.read_locale(request))
    )


@gives(shapes.Run)
async def run_record(request: web.Request) -> web.Response:
    """GET /api/runs/{run}: what is known of a run."""
    run_log, locale = await _find_run(request), sessions.read_locale(request)
    return web.json_response(await asyncio.to_thread(serialization.serialize_run, run_log, locale))


@declare(Operation(streams=shapes.RUN_EVENTS, query=_Rendering))
async def run_events(request: web.Request) -> web.StreamResponse:
    """GET /api/runs/{run}/events: all events from the beginning, and on as they happen."""
    return await respond_stream(request, await _find_run(request))


@gives(shapes.Step)
async def run_step(request: web.Request) -> web.Response:
    """GET /api/runs/{run}/steps/{step}: one step: what it was given, what it made, and why."""
    run_log, locale = await _find_run(request), sessions.read_locale(request)
    number = request.match_info["step"]
    step = int(number) if number.isdecimal() and len(number) <= _MOST_DIGITS else -1
    events = tuple(run_log.events)
    told = await asyncio.to_thread(serialize_step, events, step, locale)
    if told is None:
        raise Refused(404, "web-unknown-step")
    return web.json_response(told)


@gives("application/zip")
async def run_files(request: web.Request) -> web.StreamResponse:
    """GET /api/runs/{run}/files.zip: the files of an answer in one archive."""
    run_log, state = await _find_run(request), request.app[STATE]
    files = run_log.last.answer.files if isinstance(run_log.last, Answered) else ()
    members: dict[str, ZipMember] = {}
    for file in (each.attachment for each in files):
        if await may_have(request, file.hash):
            name = make_unique(clean_file_name(file.name), members)
            members[name.casefold()] = ZipMember(name, file.hash)
    if not members:
        raise Refused(404, "web-unknown-file")
    name = slugify(run_log.run)
    headers = {
        "Content-Type": "application/zip",
        "Content-Disposition": f'attachment; filename="troupe-{name}.zip"',
        "Cache-Control": "no-store",
    }
    pieces = stream_zip(tuple(members.values()), state.ports.files)
    return await send_body(request, headers, pieces)


@gives(shapes.Reply, query=_Press, headers=KEY_HEADER)
async def click(request: web.Request) -> web.Response:
    """POST /api/runs/{run}/{action}: press a button of a run; `?value=` is an option's."""
    state, action = request.app[STATE], request.match_info["action"]
    if action not in set(Action):
        raise Refused(404, "web-unknown-action", action=action[:40])
    run_log, person = await _find_run(request), sessions.find_person(request)
    value = read_query(request, _Press).value
    content = repr((run_log.run, action, value))
    names = await find_names(request, content, Names(secrets.token_hex(12)))
    button = ButtonClick(
        id=names.id,
        action=Action(action),
        run=run_log.run,
        person=person,
        thread=run_log.thread,
        value=value,
    )
    if action in _AGAIN:
        await state.ports.store.open_at(run_log.thread, "")
    reply = await request.app[LISTENER].on_click(button)
    if reply.run is not None:
        await state.runs.find(reply.run)  # opens its log
    return web.json_response(serialization.serialize_reply(reply, sessions.read_locale(request)))


async def _read_incoming(request: web.Request, state: WebState) -> Incoming:
    """The message in a request, with its files in the file store."""
    person = sessions.find_person(request)
    with ExitStack() as spools:
        body = await _read_body(request, state, spools)
        name, text = body.thread, body.text
        if name:
            thread, branches = await find_thread(request, name)
        else:
            thread, branches = sessions.start_thread(person), Branches()
        after = find_after(branches, body.after)
        async with asyncio.TaskGroup() as group:
            stored = [group.create_task(_store_file(request, file)) for file in body.files]
        files = tuple(task.result() for task in stored)
    names = Names(f"{time.time_ns():020d}-{secrets.token_hex(4)}", thread.root)
    names = await find_names(request, repr(replace(body, files=files)), names)
    addressing = Addressing(direct=True, audience=sessions.find_audience(person))
    return Incoming(
        id=names.id,
        thread=sessions.find_thread(person, names.thread),
        person=person,
        text=text,
        files=files,
        at=datetime.now(UTC),
        addressing=addressing,
        after=after,
    )


async def _find_first(state: WebState, message: Incoming) -> RunId | None:
    """The run of a message that was accepted before; None if it was forgotten since."""
    runs = await state.ports.inbox.of(message.key)
    return runs[0].run if runs else None


async def _read_body(request: web.Request, state: WebState, spools: ExitStack) -> MessageBody:
    """The message in a body, which is a form or JSON; its files are in `spools`.

    Raises Refused if it is malformed or over a limit, and what `receive` raises.
    """
    options = state.options
    match request.content_type:
        case "multipart/form-data":
            body = await read_form(request, options, spools)
        case "application/json":
            body = await read_json(request, state, spools)
        case media_type:
            raise Refused(415, "web-wrong-media-type", media_type=media_type)
    check_files(body.files, options)
    if len(body.text) > options.max_text:
        raise Refused(413, "web-text-too-long", limit=options.max_text)
    if not body.text.strip() and not body.files:
        raise Refused(400, "web-empty")
    return body


async def _store_file(request: web.Request, file: UploadedFile | Link) -> Link:
    """A link to the file, which is stored now unless it is. Raises Refused."""
    state = request.app[STATE]
    if isinstance(file, Link):
        if file.url.startswith(FILE_SCHEME):
            await check_file(request, FileHash(file.url.removeprefix(FILE_SCHEME)))
        return file
    if file.content.size > _LARGE:
        key = await state.ports.files.put_stream(file.content.pieces)
    else:
        async with state.memory.hold(file.content) as data:
            key = await state.ports.files.put(data)
    return Link(f"{FILE_SCHEME}{key}", file.name, size=file.content.size)


async def _find_run(request: web.Request) -> RunLog:
    """The log of a run. Raises Refused when the caller has no such run."""
    run_log = await request.app[STATE].runs.find(RunId(request.match_info["run"]))
    if run_log is None or not sessions.may_see(sessions.find_person(request), run_log.thread):
        raise Refused(404, "web-unknown-run")
    return run_log
