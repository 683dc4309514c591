"""Conversations over HTTP: a branch of one, page by page."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from adapters.web import serialization, sessions, shapes
from adapters.web.inputs import read_query
from adapters.web.operations import gives
from adapters.web.options import STATE, Refused, WebState
from pipeline.domain import Action, Branches, Exchange, RunId, Thread

_MAX_RUNS = 200
"""Of a conversation at once."""
MAX_NAME = 100
"""Characters of the id of a run."""

_VOTES: Mapping[Action, shapes.OwnVote] = {
    Action.UP: "up",
    Action.DOWN: "down",
    Action.FIRST: "first",
    Action.SECOND: "second",
}


class ThreadQuery(BaseModel):
    """Which runs of a conversation are wanted."""

    at: Annotated[
        str, Field(max_length=MAX_NAME, description="A run that the way goes through.")
    ] = ""
    before: Annotated[
        str, Field(max_length=MAX_NAME, description="Only those before this run of the way.")
    ] = ""
    limit: Annotated[int, Field(ge=1, le=_MAX_RUNS, description="How many at most.")] = 30


@gives(shapes.Branch, query=ThreadQuery)
async def thread(request: web.Request) -> web.Response:
    """GET /api/threads/{thread}: a conversation on the way through a run, oldest first.

    `at` is that run, and the way goes on to its newest end; without it, the conversation is shown
    where it was left. The last `limit` runs are given, or those before the run `before`.
    """
    state, query = request.app[STATE], read_query(request, ThreadQuery)
    conversation, branches = await find_thread(request, request.match_info["thread"])
    through = query.at or query.before
    if through and branches.find(through) is None:
        raise Refused(404, "web-unknown-run")
    path = branches.find_path(through)
    shown = path
    if query.before:
        runs = [each.run for each in path]
        if query.before not in runs:
            raise Refused(404, "web-unknown-run")
        shown = path[: runs.index(RunId(query.before))]
    more, shown = len(shown) > query.limit, shown[-query.limit :]
    listed = await state.ports.store.find_thread(conversation)
    told = shapes.Branch(
        thread=conversation.root,
        title=listed.title if listed else "",
        pinned=bool(listed and listed.pinned),
        leaf=branches.find_end(through),
        more=more,
        runs=await _serialize(state, conversation, branches, shown, request),
    )
    return web.json_response(told)


async def find_thread(request: web.Request, name: str) -> tuple[Thread, Branches]:
    """The caller's conversation with this name, and its branches. Raises Refused."""
    state = request.app[STATE]
    conversation = sessions.find_thread(sessions.find_person(request), name)
    if sessions.is_thread_name(name):
        branches = await state.ports.store.branches(conversation)
        if branches.exchanges:
            return conversation, branches
    raise Refused(404, "web-unknown-thread")


def find_after(branches: Branches, after: str | None) -> str:
    """The run that a message follows: the one that it names, else the end of what is shown.

    Raises Refused if the conversation has no such run.
    """
    if after is None:
        return branches.find_end()
    if after and branches.find(after) is None:
        raise Refused(404, "web-unknown-run")
    return after


async def _serialize(
    state: WebState,
    conversation: Thread,
    branches: Branches,
    shown: Sequence[Exchange],
    request: web.Request,
) -> list[shapes.ThreadRun]:
    """Runs with the message that each answers, and with its other answers and versions."""
    locale = sessions.read_locale(request)
    found = await state.ports.store.find_turns([each.message for each in shown])
    turns = {turn.key: turn for turn in found}
    logs = await state.runs.load(conversation, shown)
    names, person = [each.run for each in logs], sessions.find_person(request)
    votes = await state.ports.store.find_votes(names, person.id)
    runs: list[shapes.ThreadRun] = []
    for run_log in logs:
        exchange = branches.find(run_log.run)
        assert exchange is not None
        turn = turns.get(exchange.message)
        files: list[shapes.SentFile] = [
            {**serialization.serialize_file(file.attachment), "called": file.name}
            for file in (turn.files if turn else ())
        ]
        told = await asyncio.to_thread(serialization.serialize_run, run_log, locale)
        runs.append(
            {
                **told,
                "text": run_log.text,
                "files": files,
                "at": turn.at.isoformat() if turn else "",
                "message": exchange.message.removeprefix(f"{conversation.channel.key}:"),
                "after": exchange.after or "",
                "answers": [*branches.list_answers(exchange)],
                "edits": [*branches.list_edits(exchange)],
                "vote": _VOTES.get(votes[run_log.run]) if run_log.run in votes else None,
                "again": False,
            }
        )
    return runs
