"""A person's conversations: listed, found, named, pinned and forgotten, and told of live."""

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple
from typing import Annotated, Any

from aiohttp import web
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, TypeAdapter

from adapters.web import history_shapes as shapes
from adapters.web import sessions
from adapters.web.cursors import read_cursor, write_cursor
from adapters.web.inputs import read_model, read_query
from adapters.web.live_feed import Change, RunBegan, ThreadChanged
from adapters.web.operations import Operation, declare, gives
from adapters.web.options import LISTENER, STATE, Refused, WebState
from adapters.web.run_logs import PLATFORM
from adapters.web.streams import STREAM_HEADERS, count_stream, send_event
from adapters.web.threads import MAX_NAME, find_after, find_thread
from pipeline.domain import Invocation, Person, Thread
from pipeline.errors import StoreUnavailable
from pipeline.ports import HistoryPosition, ListedThread, Scope
from pipeline.text.titles import clean_title

_PLACE = TypeAdapter(tuple[bool, AwareDatetime, str])
"""A place in the list: `HistoryPosition`."""
_MAX_CHANGE = 8 << 10
"""Bytes of a change of a conversation."""
_LEAF = 'The run at whose branch it is opened from now on; "": where it was last written.'
_SILENT_SECONDS = 15.0
"""How long the stream of changes may be silent."""


class ThreadChange(BaseModel):
    """What to change of a conversation; the rest stays."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(max_length=1000, strict=True)] | None = None
    pinned: Annotated[bool, Field(strict=True)] | None = None
    leaf: Annotated[str, Field(max_length=MAX_NAME, strict=True, description=_LEAF)] | None = None


@gives(shapes.Threads, query=shapes.ThreadsQuery)
async def list_threads(request: web.Request) -> web.Response:
    """GET /api/threads: the caller's conversations, pinned ones first, then the latest first."""
    state, person = request.app[STATE], require_session(request)
    asked = read_query(request, shapes.ThreadsQuery)
    place = read_cursor(asked.before, _PLACE)
    found = await state.ports.store.list_threads(
        f"{PLATFORM}:{person.id}",
        query=asked.query,
        before=HistoryPosition(*place) if place else None,
        limit=asked.limit + 1,
    )
    page = found[: asked.limit]
    listed: list[shapes.FoundThread] = [
        {**serialize_listed(state, each), "excerpt": each.excerpt} for each in page
    ]
    following = None
    if len(found) > asked.limit:
        following = write_cursor(astuple(page[-1].position), _PLACE)
    return web.json_response(shapes.Threads(threads=listed, next=following))


@gives(shapes.ListedThread, takes=ThreadChange)
async def change_thread(request: web.Request) -> web.Response:
    """PATCH /api/threads/{thread}: name or pin a conversation, or say at which run it is opened.

    It is answered as listed.
    """
    state, listed = request.app[STATE], await find_listed(request)
    change = await read_model(request, ThreadChange, _MAX_CHANGE)
    if change.leaf is not None:
        _, branches = await find_thread(request, listed.thread.root)
        await state.ports.store.open_at(listed.thread, find_after(branches, change.leaf))
    title = None if change.title is None else clean_title(change.title)
    if title is not None or change.pinned is not None:
        await state.ports.store.change_thread(listed.thread, title=title, pinned=change.pinned)
    if change != ThreadChange():
        state.feed.publish(ThreadChanged(listed.thread))
    return web.json_response(serialize_listed(state, await find_listed(request)))


@gives(shapes.ForgottenThread)
async def forget_thread(request: web.Request) -> web.Response:
    """DELETE /api/threads/{thread}: forget a conversation with its files, for good."""
    state, listed = request.app[STATE], await find_listed(request)
    reply = await request.app[LISTENER].on_command(
        Invocation(
            id=secrets.token_hex(12),
            command="forget",
            args={"what": Scope.THREAD.value},
            person=sessions.find_person(request),
            thread=listed.thread,
        )
    )
    state.feed.publish(ThreadChanged(listed.thread))
    gone = shapes.ForgottenThread(thread=listed.thread.root, text=reply.text)
    return web.json_response(gone)


@declare(Operation(streams=shapes.CHANGES))
async def stream_changes(request: web.Request) -> web.StreamResponse:
    """GET /api/events: what changes for this person, in all tabs and on all devices, as it does."""
    state, person = request.app[STATE], require_session(request)
    with count_stream(request), state.feed.read(person.id) as reader:
        response = web.StreamResponse(headers=STREAM_HEADERS)
        await response.prepare(request)
        with suppress(ConnectionError, StoreUnavailable):  # it left, or comes back after an outage
            await response.write(b": here\n\n")
            while not reader.is_over:
                is_anew, changes = await reader.wait_for_changes(_SILENT_SECONDS)
                if await sessions.has_ended(request):
                    break
                if is_anew:
                    await send_event(response, "anew", {})
                for change in changes:
                    await send_event(response, *await _describe(state, change))
                if not is_anew and not changes:
                    await response.write(b": still here\n\n")
        return response


async def _describe(state: WebState, change: Change) -> tuple[str, Mapping[str, Any]]:
    """A change as the name and data of an event: how the conversation stands now."""
    name = change.thread.root
    if isinstance(change, RunBegan):
        begun = shapes.RunBegan(
            thread=name, run=change.run, after=change.after, message=change.message
        )
        return "run", begun
    listed = await state.ports.store.find_thread(change.thread)
    if listed is None:
        return "forgotten", {"thread": name}
    return "thread", serialize_listed(state, listed)


def serialize_listed(state: WebState, listed: ListedThread) -> shapes.ListedThread:
    return {
        "thread": listed.thread.root,
        "title": listed.title,
        "pinned": listed.pinned,
        "at": listed.at.isoformat(),
        "live": not all(map(state.runs.is_over, listed.waiting)),
    }


def require_session(request: web.Request) -> Person:
    """The person behind a browser. Raises Refused for programs, who all are one person."""
    if request.get(sessions.SESSION) is None:
        raise Refused(403, "web-needs-session")
    return sessions.find_person(request)


async def find_listed(request: web.Request) -> ListedThread:
    """The caller's conversation with the name in the path. Raises Refused."""
    name = request.match_info["thread"]
    if sessions.is_thread_name(name):
        thread: Thread = sessions.find_thread(sessions.find_person(request), name)
        if listed := await request.app[STATE].ports.store.find_thread(thread):
            return listed
    raise Refused(404, "web-unknown-thread")
